/* SPDX-License-Identifier: MIT
 *
 * The locks of streams, and the buffers that programs give to streams.  Each stream has a recursive lock, and what is called on a
 * stream takes it for as long as the call lasts; the functions in _unlocked do not, and race.  Only a program that could notice has
 * these functions: translator/read/library.c puts them in the place of those that the program names, and says when.  As in glibc,
 * exit takes no lock.
 *
 * flockfile and funlockfile order, as locks that programs use do.  The lock that a call takes keeps others out, but orders
 * nothing: C and POSIX do not name it among what synchronizes.  If its thread is cancelled while the call waits, the lock is free.
 */
#include "streams.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Done by the VM (runtime/sync/mutex.c).  0, or EBUSY if it must not wait. */
void __bitspin_stream_lock(pthread_mutex_t *mutex, int orders);
int __bitspin_stream_trylock(pthread_mutex_t *mutex, int orders);
int __bitspin_stream_unlock(pthread_mutex_t *mutex, int orders);
/* The stream is used, and `used` stands for what is in it: an access that races with the others who have not its lock. */
void __bitspin_stream_use(const pthread_mutex_t *mutex, volatile char *used, int writes);
void __bitspin_stream_buffer(const char *bytes, size_t size); /* what the stream keeps is in this buffer */

/* Reports call them so. */
#define CALLED(name) __asm__(name)
static pthread_mutex_t lock_of_stdin CALLED("the lock of stdin") = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock_of_stdout CALLED("the lock of stdout") = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock_of_stderr CALLED("the lock of stderr") = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t lock_of_other CALLED("the lock of the stream") = PTHREAD_MUTEX_INITIALIZER;
static volatile char contents_of_stdin CALLED("the contents of stdin"), contents_of_stdout CALLED("the contents of stdout"),
	contents_of_stderr CALLED("the contents of stderr");

static pthread_mutex_t *lock_of(FILE *file)
{
	switch (__bitspin_standard_stream(file)) {
	case 0: return &lock_of_stdin;
	case 1: return &lock_of_stdout;
	case 2: return &lock_of_stderr;
	default: return &STREAM_LOCK(file)->mutex;
	}
}

static void use_buffer(FILE *file);
static void use_open(FILE *file);

/* Who uses a stream without having its lock races with others who use it. */
static void use(FILE *file, int writes)
{
	volatile char *used;
	switch (__bitspin_standard_stream(file)) {
	case 0: used = &contents_of_stdin; break;
	case 1: used = &contents_of_stdout; break;
	case 2: used = &contents_of_stderr; break;
	default: used = &STREAM_LOCK(file)->used; break;
	}
	if (__bitspin_stream_locks)
		__bitspin_stream_use(lock_of(file), used, writes);
	if (__bitspin_watched_streams) {
		use_open(file);
		use_buffer(file);
	}
}

void flockfile(FILE *file)
{
	if (__bitspin_watched_streams)
		use_open(file);
	__bitspin_stream_lock(lock_of(file), 1);
}

int ftrylockfile(FILE *file)
{
	if (__bitspin_watched_streams)
		use_open(file);
	return __bitspin_stream_trylock(lock_of(file), 1) ? EBUSY : 0;
}

/* By who does not hold it, it is undefined: as for a mutex that is not recursive, which the VM reports. */
void funlockfile(FILE *file)
{
	if (__bitspin_watched_streams)
		use_open(file);
	if (__bitspin_stream_unlock(lock_of(file), 1))
		pthread_mutex_unlock(&lock_of_other);
}

/* ---- standard streams that are closed ---------------------------------------------------------------------------------------- */

static const char *closed[3]; /* memory that has ended with the stream, as that of other streams does; NULL: it is open */

static const volatile char *closed_of(FILE *file)
{
	int number = __bitspin_standard_stream(file);
	if (number < 0)
		return NULL;
	LOCKED;
	const volatile char *ended = closed[number];
	UNLOCKED;
	return ended;
}

static void use_open(FILE *file)
{
	const volatile char *ended = closed_of(file);
	if (ended)
		(void)*ended;
}

static void be_closed(int number)
{
	char *ended = __bitspin_map(1, 1);
	__bitspin_unmap(ended);
	LOCKED;
	closed[number] = ended;
	UNLOCKED;
}

/* ---- buffers: one that the program gives has to live as long as the stream is open, which is until the program ends ---------- */

enum { BUFFERS = 16 };

static struct buffer {
	const FILE *file;
	const char *bytes;
	size_t size;
} buffers[BUFFERS];

/* The buffer of a stream; of NULL, a place for a new one. */
static struct buffer *buffer_of(const FILE *file)
{
	for (int i = 0; i < BUFFERS; i++)
		if (buffers[i].file == file)
			return &buffers[i];
	return NULL;
}

static void use_buffer(FILE *file)
{
	LOCKED;
	const struct buffer *found = __bitspin_watched_streams ? buffer_of(file) : NULL;
	struct buffer buffer = found ? *found : (struct buffer){ 0 };
	UNLOCKED;
	if (buffer.size)
		__bitspin_stream_buffer(buffer.bytes, buffer.size);
}

static void set_buffer(FILE *file, const char *bytes, size_t size)
{
	if (!__bitspin_watched_streams)
		return;
	LOCKED;
	struct buffer *old = buffer_of(file), *to = old || !size ? old : buffer_of(NULL);
	if (!to && size)
		__bitspin_refuse("more than 16 streams have buffers of the program");
	if (to)
		*to = size ? (struct buffer){ file, bytes, size } : (struct buffer){ 0 };
	UNLOCKED;
}

void __bitspin_flush_buffers(void)
{
	for (int i = 0; i < BUFFERS; i++)
		if (buffers[i].file)
			use_buffer((FILE *)buffers[i].file);
}

/* ---- calls that take the lock ---------------------------------------------------------------------------------------- */

void __bitspin_enter_stream(FILE *file)
{
	if (__bitspin_stream_locks)
		__bitspin_stream_lock(lock_of(file), 0);
	use(file, 1);
}

void __bitspin_leave_stream(FILE *file)
{
	if (__bitspin_stream_locks)
		__bitspin_stream_unlock(lock_of(file), 0);
}

/* clang-format off */
#define ALONE(name, type, parameters, file, call) \
	type __bitspin_locked_##name parameters;  \
	type __bitspin_locked_##name parameters   \
	{                                         \
		FILE *stream = file;              \
		__bitspin_enter_stream(stream);   \
		type result = call;               \
		__bitspin_leave_stream(stream);   \
		return result;                    \
	}

#define ALONE_VOID(name, parameters, file, call) \
	void __bitspin_locked_##name parameters; \
	void __bitspin_locked_##name parameters  \
	{                                        \
		FILE *stream = file;             \
		__bitspin_enter_stream(stream);  \
		call;                            \
		__bitspin_leave_stream(stream);  \
	}

/* ... by a function that has a list of arguments. */
#define VARIADIC(name, last, parameters, call)     \
	int __bitspin_locked_##name parameters;    \
	int __bitspin_locked_##name parameters     \
	{                                          \
		va_list list;                      \
		va_start(list, last);              \
		int length = __bitspin_locked_##call; \
		va_end(list);                      \
		return length;                     \
	}

#define UNLOCKED_CALL(name, type, parameters, file, writes, call) \
	type __bitspin_unlocked_##name parameters;        \
	type __bitspin_unlocked_##name parameters         \
	{                                                 \
		use(file, writes);                        \
		return call;                              \
	}

ALONE(vfprintf, int, (FILE *file, const char *format, va_list list), file, vfprintf(file, format, list))
ALONE(vprintf, int, (const char *format, va_list list), stdout, vfprintf(stdout, format, list))
VARIADIC(fprintf, format, (FILE *file, const char *format, ...), vfprintf(file, format, list))
VARIADIC(printf, format, (const char *format, ...), vfprintf(stdout, format, list))
ALONE(puts, int, (const char *text), stdout, puts(text))
ALONE(fputs, int, (const char *text, FILE *file), file, fputs(text, file))
ALONE(fwrite, size_t, (const void *from, size_t size, size_t n, FILE *file), file, fwrite(from, size, n, file))
ALONE(putchar, int, (int byte), stdout, fputc(byte, stdout))
ALONE(fputc, int, (int byte, FILE *file), file, fputc(byte, file))
ALONE(putw, int, (int word, FILE *file), file, putw(word, file))
ALONE_VOID(perror, (const char *what), stderr, perror(what))
ALONE_VOID(psignal, (int number, const char *what), stderr, psignal(number, what))

ALONE(fgetc, int, (FILE *file), file, fgetc(file))
ALONE(getchar, int, (void), stdin, fgetc(stdin))
ALONE(fgets, char *, (char *to, int size, FILE *file), file, fgets(to, size, file))
ALONE(fread, size_t, (void *to, size_t size, size_t n, FILE *file), file, fread(to, size, n, file))
ALONE(getw, int, (FILE *file), file, getw(file))
ALONE(getdelim, ssize_t, (char **line, size_t *size, int end, FILE *file), file, getdelim(line, size, end, file))
ALONE(getline, ssize_t, (char **line, size_t *size, FILE *file), file, getdelim(line, size, '\n', file))
ALONE(ungetc, int, (int byte, FILE *file), file, ungetc(byte, file))

ALONE(fseek, int, (FILE *file, long offset, int whence), file, fseek(file, offset, whence))
ALONE(ftell, long, (FILE *file), file, ftell(file))
ALONE_VOID(rewind, (FILE *file), file, rewind(file))
ALONE(fgetpos, int, (FILE *file, fpos_t *place), file, fgetpos(file, place))
ALONE(fsetpos, int, (FILE *file, const fpos_t *place), file, fsetpos(file, place))
ALONE(feof, int, (FILE *file), file, feof(file))
ALONE(ferror, int, (FILE *file), file, ferror(file))
ALONE_VOID(clearerr, (FILE *file), file, clearerr(file))
ALONE(fileno, int, (FILE *file), file, fileno(file))
ALONE_VOID(setlinebuf, (FILE *file), file, setlinebuf(file))

ALONE(vfwprintf, int, (FILE *file, const wchar_t *format, va_list list), file, vfwprintf(file, format, list))
ALONE(vwprintf, int, (const wchar_t *format, va_list list), stdout, vfwprintf(stdout, format, list))
VARIADIC(fwprintf, format, (FILE *file, const wchar_t *format, ...), vfwprintf(file, format, list))
VARIADIC(wprintf, format, (const wchar_t *format, ...), vfwprintf(stdout, format, list))
ALONE(fputwc, wint_t, (wchar_t c, FILE *file), file, fputwc(c, file))
ALONE(putwchar, wint_t, (wchar_t c), stdout, fputwc(c, stdout))
ALONE(fputws, int, (const wchar_t *text, FILE *file), file, fputws(text, file))
ALONE(fgetwc, wint_t, (FILE *file), file, fgetwc(file))
ALONE(getwchar, wint_t, (void), stdin, fgetwc(stdin))
ALONE(fgetws, wchar_t *, (wchar_t *to, int size, FILE *file), file, fgetws(to, size, file))
ALONE(ungetwc, wint_t, (wint_t c, FILE *file), file, ungetwc(c, file))
ALONE(fwide, int, (FILE *file, int mode), file, fwide(file, mode))

/* ---- of _FORTIFY_SOURCE ---------------------------------------------------------------------------------------------- */

int __vfprintf_chk(FILE *file, int flag, const char *format, va_list list);
int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list list);
char *__fgets_chk(char *to, size_t room, int size, FILE *file);
wchar_t *__fgetws_chk(wchar_t *to, size_t room, int size, FILE *file);
size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file);

ALONE(vfprintf_chk, int, (FILE *file, int flag, const char *format, va_list list), file, __vfprintf_chk(file, flag, format, list))
ALONE(vprintf_chk, int, (int flag, const char *format, va_list list), stdout, __vfprintf_chk(stdout, flag, format, list))
VARIADIC(fprintf_chk, format, (FILE *file, int flag, const char *format, ...), vfprintf_chk(file, flag, format, list))
VARIADIC(printf_chk, format, (int flag, const char *format, ...), vfprintf_chk(stdout, flag, format, list))
ALONE(vfwprintf_chk, int, (FILE *file, int flag, const wchar_t *format, va_list list), file,
      __vfwprintf_chk(file, flag, format, list))
ALONE(vwprintf_chk, int, (int flag, const wchar_t *format, va_list list), stdout, __vfwprintf_chk(stdout, flag, format, list))
VARIADIC(fwprintf_chk, format, (FILE *file, int flag, const wchar_t *format, ...), vfwprintf_chk(file, flag, format, list))
VARIADIC(wprintf_chk, format, (int flag, const wchar_t *format, ...), vfwprintf_chk(stdout, flag, format, list))
ALONE(fgets_chk, char *, (char *to, size_t room, int size, FILE *file), file, __fgets_chk(to, room, size, file))
ALONE(fgetws_chk, wchar_t *, (wchar_t *to, size_t room, int size, FILE *file), file, __fgetws_chk(to, room, size, file))
ALONE(fread_chk, size_t, (void *to, size_t room, size_t size, size_t count, FILE *file), file,
      __fread_chk(to, room, size, count, file))

/* ---- without the lock ------------------------------------------------------------------------------------------------ */

UNLOCKED_CALL(putchar, int, (int byte), stdout, 1, fputc(byte, stdout))
UNLOCKED_CALL(fputc, int, (int byte, FILE *file), file, 1, fputc(byte, file))
UNLOCKED_CALL(overflow, int, (FILE *file, int byte), file, 1, fputc(byte, file))
UNLOCKED_CALL(fputs, int, (const char *text, FILE *file), file, 1, fputs(text, file))
UNLOCKED_CALL(fwrite, size_t, (const void *from, size_t size, size_t n, FILE *file), file, 1, fwrite(from, size, n, file))
UNLOCKED_CALL(fgetc, int, (FILE *file), file, 1, fgetc(file))
UNLOCKED_CALL(getchar, int, (void), stdin, 1, fgetc(stdin))
UNLOCKED_CALL(fgets, char *, (char *to, int size, FILE *file), file, 1, fgets(to, size, file))
UNLOCKED_CALL(fread, size_t, (void *to, size_t size, size_t n, FILE *file), file, 1, fread(to, size, n, file))
UNLOCKED_CALL(feof, int, (FILE *file), file, 0, feof(file))
UNLOCKED_CALL(ferror, int, (FILE *file), file, 0, ferror(file))
UNLOCKED_CALL(fputwc, wint_t, (wchar_t c, FILE *file), file, 1, fputwc(c, file))
UNLOCKED_CALL(putwchar, wint_t, (wchar_t c), stdout, 1, fputwc(c, stdout))
UNLOCKED_CALL(fputws, int, (const wchar_t *text, FILE *file), file, 1, fputws(text, file))
UNLOCKED_CALL(fgetwc, wint_t, (FILE *file), file, 1, fgetwc(file))
UNLOCKED_CALL(getwchar, wint_t, (void), stdin, 1, fgetwc(stdin))
UNLOCKED_CALL(fgetws, wchar_t *, (wchar_t *to, int size, FILE *file), file, 1, fgetws(to, size, file))
UNLOCKED_CALL(fflush, int, (FILE *file), file ? file : stdout, 1, fflush_unlocked(file))
/* clang-format on */

void __bitspin_unlocked_clearerr(FILE *file);
void __bitspin_unlocked_clearerr(FILE *file)
{
	use(file, 1);
	clearerr(file);
}

int __bitspin_locked_setvbuf(FILE *file, char *buffer, int mode, size_t size);
int __bitspin_locked_setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
	__bitspin_enter_stream(file);
	int failed = setvbuf(file, buffer, mode, size);
	if (!failed)
		set_buffer(file, buffer, buffer && mode != _IONBF ? size : 0);
	__bitspin_leave_stream(file);
	return failed;
}

void __bitspin_locked_setbuffer(FILE *file, char *buffer, size_t size);
void __bitspin_locked_setbuffer(FILE *file, char *buffer, size_t size)
{
	__bitspin_locked_setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, size);
}

void __bitspin_locked_setbuf(FILE *file, char *buffer);
void __bitspin_locked_setbuf(FILE *file, char *buffer)
{
	__bitspin_locked_setbuffer(file, buffer, BUFSIZ);
}

/* Only streams in memory are buffered; but who has the lock is waited for. */
int __bitspin_locked_fflush(FILE *file);
int __bitspin_locked_fflush(FILE *file)
{
	FILE *all[] = { stdin, stdout, stderr, file };
	for (int i = file ? 3 : 0; i < (file ? 4 : 3); i++) {
		if (!file && __bitspin_watched_streams && closed_of(all[i]))
			continue;
		__bitspin_enter_stream(all[i]);
		__bitspin_leave_stream(all[i]);
	}
	return __bitspin_fflush(file);
}

/* Who has the lock is waited for; it goes with the stream. */
int __bitspin_locked_fclose(FILE *file);
int __bitspin_locked_fclose(FILE *file)
{
	__bitspin_enter_stream(file);
	set_buffer(file, NULL, 0);
	__bitspin_leave_stream(file);
	int number = __bitspin_watched_streams ? __bitspin_standard_stream(file) : -1, failed = fclose(file);
	if (number >= 0)
		be_closed(number);
	return failed;
}
