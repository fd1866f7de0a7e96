/* SPDX-License-Identifier: MIT
 *
 * The locks of streams.  Each stream has a recursive one, and what is called on a stream takes it for as long as the call
 * lasts; the functions in _unlocked do not, and race.  Only a program that could notice has these functions: one that calls
 * flockfile or one in _unlocked (translator/library.c puts them in the place of those that it names).  As in glibc, exit takes
 * no lock.
 */
#include "streams.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock_of_stdin = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock_of_stdout = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock_of_stderr = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile char use_of_stdin, use_of_stdout, use_of_stderr;

static pthread_mutex_t *lock_of(FILE *file)
{
	switch (__bitspin_standard_stream(file)) {
	case 0: return &lock_of_stdin;
	case 1: return &lock_of_stdout;
	case 2: return &lock_of_stderr;
	default: return &STREAM_LOCK(file)->mutex;
	}
}

/* Who uses a stream without having its lock races with others who use it. */
static void use(FILE *file)
{
	switch (__bitspin_standard_stream(file)) {
	case 0: use_of_stdin = 1; break;
	case 1: use_of_stdout = 1; break;
	case 2: use_of_stderr = 1; break;
	default: STREAM_LOCK(file)->used = 1; break;
	}
}

void flockfile(FILE *file)
{
	pthread_mutex_lock(lock_of(file));
}

int ftrylockfile(FILE *file)
{
	return pthread_mutex_trylock(lock_of(file)) ? EBUSY : 0;
}

/* By who does not hold it, it is undefined: as for a mutex that is not recursive, which the VM reports. */
void funlockfile(FILE *file)
{
	static pthread_mutex_t lock_of_the_stream = PTHREAD_MUTEX_INITIALIZER;
	if (pthread_mutex_unlock(lock_of(file)))
		pthread_mutex_unlock(&lock_of_the_stream);
}

#define ALONE(name, type, parameters, file, call)    \
	type __bitspin_locked_##name parameters;     \
	type __bitspin_locked_##name parameters      \
	{                                            \
		FILE *stream = file;                 \
		flockfile(stream);                   \
		use(stream);                         \
		type result = call;                  \
		funlockfile(stream);                 \
		return result;                       \
	}

#define UNLOCKED_CALL(name, type, parameters, file, call) \
	type __bitspin_unlocked_##name parameters;        \
	type __bitspin_unlocked_##name parameters         \
	{                                                 \
		use(file);                                \
		return call;                              \
	}

ALONE(vfprintf, int, (FILE *file, const char *format, va_list list), file, vfprintf(file, format, list))
ALONE(puts, int, (const char *text), stdout, puts(text))
ALONE(fputs, int, (const char *text, FILE *file), file, fputs(text, file))
ALONE(fwrite, size_t, (const void *from, size_t size, size_t n, FILE *file), file, fwrite(from, size, n, file))
ALONE(putchar, int, (int byte), stdout, fputc(byte, stdout))
ALONE(fputc, int, (int byte, FILE *file), file, fputc(byte, file))
ALONE(fgetc, int, (FILE *file), file, fgetc(file))
ALONE(getchar, int, (void), stdin, fgetc(stdin))
ALONE(fgets, char *, (char *to, int size, FILE *file), file, fgets(to, size, file))
ALONE(fread, size_t, (void *to, size_t size, size_t n, FILE *file), file, fread(to, size, n, file))
ALONE(getdelim, ssize_t, (char **line, size_t *size, int end, FILE *file), file, getdelim(line, size, end, file))
ALONE(getline, ssize_t, (char **line, size_t *size, FILE *file), file, getdelim(line, size, '\n', file))
ALONE(ungetc, int, (int byte, FILE *file), file, ungetc(byte, file))

UNLOCKED_CALL(putchar, int, (int byte), stdout, fputc(byte, stdout))
UNLOCKED_CALL(fputc, int, (int byte, FILE *file), file, fputc(byte, file))
UNLOCKED_CALL(overflow, int, (FILE *file, int byte), file, fputc(byte, file))
UNLOCKED_CALL(fputs, int, (const char *text, FILE *file), file, fputs(text, file))
UNLOCKED_CALL(fwrite, size_t, (const void *from, size_t size, size_t n, FILE *file), file, fwrite(from, size, n, file))
UNLOCKED_CALL(fgetc, int, (FILE *file), file, fgetc(file))
UNLOCKED_CALL(getchar, int, (void), stdin, fgetc(stdin))
UNLOCKED_CALL(fread, size_t, (void *to, size_t size, size_t n, FILE *file), file, fread(to, size, n, file))

int __bitspin_locked_vprintf(const char *format, va_list list);
int __bitspin_locked_vprintf(const char *format, va_list list)
{
	return __bitspin_locked_vfprintf(stdout, format, list);
}

int __bitspin_locked_fprintf(FILE *file, const char *format, ...);
int __bitspin_locked_fprintf(FILE *file, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __bitspin_locked_vfprintf(file, format, list);
	va_end(list);
	return length;
}

int __bitspin_locked_printf(const char *format, ...);
int __bitspin_locked_printf(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __bitspin_locked_vfprintf(stdout, format, list);
	va_end(list);
	return length;
}

/* Only streams in memory are buffered; but who has the lock is waited for. */
int __bitspin_locked_fflush(FILE *file);
int __bitspin_locked_fflush(FILE *file)
{
	FILE *all[] = { stdin, stdout, stderr, file };
	for (int i = file ? 3 : 0; i < (file ? 4 : 3); i++) {
		flockfile(all[i]);
		funlockfile(all[i]);
	}
	return __bitspin_fflush(file);
}
