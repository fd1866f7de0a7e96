/* SPDX-License-Identifier: MIT
 *
 * Streams.  What writes to standard output is done by the VM (externals/print.c), and so is all writing without --fs-write or
 * pipes.  A stream is not buffered: what is written is in the file at once.
 */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#undef feof_unlocked
#undef ferror_unlocked
#undef getc

/* Those for output never change; being constants, they are no scheduling points. */
static FILE input = { ._fileno = 0 };
static const FILE outputs[] = { { ._fileno = 1 }, { ._fileno = 2 } };
FILE *stdin = &input, *stdout = (FILE *)&outputs[0], *stderr = (FILE *)&outputs[1];

int __bitspin_is_output(FILE *file)
{
	return file == (FILE *)&outputs[0] || file == (FILE *)&outputs[1];
}

int __bitspin_standard_stream(FILE *file)
{
	return file == &input ? 0 : file == (FILE *)&outputs[0] ? 1 : file == (FILE *)&outputs[1] ? 2 : -1;
}

FILE *fdopen(int fd, const char *mode)
{
	FILE *file = calloc(1, sizeof *file);
	(void)mode;
	if (file) {
		file->_fileno = fd;
		STREAM_LOCK(file)->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	}
	return file;
}

FILE *fopen(const char *path, const char *mode)
{
	int update = strchr(mode, '+') != NULL ? O_RDWR : O_WRONLY;
	if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
		errno = EINVAL;
		return NULL;
	}
	int flags = *mode == 'r' ? update & O_RDWR : *mode == 'w' ? update | O_CREAT | O_TRUNC : update | O_CREAT | O_APPEND;
	int fd = __bitspin_open(path, flags | (strchr(mode, 'x') ? O_EXCL : 0));
	FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

FILE *fopen64(const char *path, const char *mode)
{
	return fopen(path, mode);
}

int fclose(FILE *file)
{
	if (file->MEMORY)
		return __bitspin_memory_close(file);
	int failed = close(file->_fileno);
	if (file != &input && !__bitspin_is_output(file))
		free(file);
	return failed ? EOF : 0;
}

/* ---- writing to files (--fs-write) and pipes: translator/read/library.c gives these the names that programs call ---------- */

void __bitspin_note_error(FILE *file)
{
	if (__bitspin_is_output(file))
		return;
	LOCKED;
	file->_flags |= _IO_ERR_SEEN;
	UNLOCKED;
}

static void be_open(FILE *file)
{
	(void)*(volatile int *)&file->_fileno;
}

/* A stream that fails remembers that. */
size_t __bitspin_put(FILE *file, const void *bytes, size_t size)
{
	if (file->MEMORY)
		return __bitspin_memory_write(file, bytes, size);
	ssize_t written = size ? write(file->_fileno, bytes, size) : 0;
	if (written >= 0)
		return (size_t)written;
	__bitspin_note_error(file);
	return 0;
}

static size_t put(FILE *file, const void *bytes, size_t size)
{
	return __bitspin_takes_bytes(file) ? __bitspin_put(file, bytes, size) : 0;
}

int __bitspin_vfprintf(FILE *file, const char *format, va_list list)
{
	va_list again;
	if (!__bitspin_takes_bytes(file))
		return -1;
	va_copy(again, list);
	int length = __bitspin_vformat(NULL, 0, format, again), made = length < 0 ? -1 - length : length;
	va_end(again);
	char text[made + 1];
	__bitspin_vformat(text, (size_t)made + 1, format, list);
	return put(file, text, (size_t)made) == (size_t)made && length >= 0 ? length : -1;
}

int __bitspin_fprintf(FILE *file, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __bitspin_vfprintf(file, format, list);
	va_end(list);
	return length;
}

int __bitspin_vdprintf(int fd, const char *format, va_list list)
{
	FILE file = { ._fileno = fd };
	return __bitspin_vfprintf(&file, format, list);
}

int __bitspin_dprintf(int fd, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __bitspin_vdprintf(fd, format, list);
	va_end(list);
	return length;
}

int __bitspin_fputs(const char *text, FILE *file)
{
	size_t length = strlen(text);
	return put(file, text, length) == length ? 1 : EOF;
}

static void only_bytes(FILE *file)
{
	if (!__bitspin_takes_bytes(file))
		__bitspin_refuse("a function for bytes is called for a stream of wide characters");
}

int __bitspin_fputc(int byte, FILE *file)
{
	unsigned char one = (unsigned char)byte;
	only_bytes(file);
	return put(file, &one, 1) ? one : EOF;
}

size_t __bitspin_fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
	if (size && count > (size_t)-1 / size)
		__bitspin_refuse("fwrite of more bytes than any object has");
	be_open(file);
	return size ? put(file, bytes, size * count) / size : 0;
}

int __bitspin_vprintf(const char *format, va_list list)
{
	return __bitspin_vfprintf(stdout, format, list);
}

int __bitspin_printf(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = __bitspin_vfprintf(stdout, format, list);
	va_end(list);
	return length;
}

int __bitspin_puts(const char *text)
{
	size_t length = strlen(text);
	char line[length + 1];
	memcpy(line, text, length);
	line[length] = '\n';
	return put(stdout, line, length + 1) == length + 1 ? (int)length + 1 : EOF;
}

int __bitspin_putchar(int byte)
{
	return __bitspin_fputc(byte, stdout);
}

/* ---- buffers, of which there are none: but the stream must be open ----------------------------------------------------- */

int fflush(FILE *file)
{
	if (file)
		be_open(file);
	return 0;
}

int fflush_unlocked(FILE *file)
{
	return fflush(file);
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
	(void)buffer;
	(void)size;
	be_open(file);
	return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
}

void setbuf(FILE *file, char *buffer) { setvbuf(file, buffer, _IOFBF, BUFSIZ); }
void setbuffer(FILE *file, char *buffer, size_t size) { setvbuf(file, buffer, _IOFBF, size); }
void setlinebuf(FILE *file) { setvbuf(file, NULL, _IOLBF, 0); }

/* ---- reading --------------------------------------------------------------------------------------------------------- */

/* The byte that ungetc() put back, or -1. */
int __bitspin_take_pushed(FILE *file)
{
	LOCKED;
	int byte = file->PUSHED - 1;
	file->PUSHED = 0;
	UNLOCKED;
	return byte;
}

static void note_end(FILE *file, long got)
{
	LOCKED;
	file->_flags |= got < 0 ? _IO_ERR_SEEN : _IO_EOF_SEEN;
	UNLOCKED;
}

static int bad_descriptor(void)
{
	errno = EBADF;
	return EOF;
}

static long read_bytes(FILE *file, void *to, size_t size)
{
	return file->MEMORY ? __bitspin_memory_read(file, to, size) : __bitspin_read(file->_fileno, to, size);
}

int __bitspin_get(FILE *file)
{
	unsigned char byte;
	if (__bitspin_is_output(file))
		return bad_descriptor();
	long got = read_bytes(file, &byte, 1);
	if (got == 1)
		return byte;
	note_end(file, got);
	return EOF;
}

int fgetc(FILE *file)
{
	only_bytes(file);
	int pushed = __bitspin_is_output(file) ? -1 : __bitspin_take_pushed(file);
	return pushed >= 0 ? pushed : __bitspin_get(file);
}

int getc(FILE *file) { return fgetc(file); }
int _IO_getc(FILE *file) { return fgetc(file); }
int getc_unlocked(FILE *file) { return fgetc(file); }
int fgetc_unlocked(FILE *file) { return fgetc(file); }
int __uflow(FILE *file) { return fgetc(file); }
int __overflow(FILE *file, int byte) { return fputc(byte, file); }
int getchar(void) { return fgetc(&input); }
int getchar_unlocked(void) { return fgetc(&input); }

int __bitspin_push(FILE *file, int c)
{
	int done = EOF;
	if (__bitspin_is_output(file))
		return EOF;
	LOCKED;
	if (!file->PUSHED) {
		file->PUSHED = (unsigned short)(c + 1);
		file->_flags &= ~_IO_EOF_SEEN;
		done = c;
	}
	UNLOCKED;
	return done;
}

int ungetc(int byte, FILE *file)
{
	only_bytes(file);
	return byte == EOF ? EOF : __bitspin_push(file, (unsigned char)byte);
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
	size_t wanted = size * count, done = 0;
	be_open(file);
	only_bytes(file);
	if (wanted == 0 || (__bitspin_is_output(file) && bad_descriptor()))
		return 0;
	int pushed = __bitspin_take_pushed(file);
	if (pushed >= 0)
		((unsigned char *)to)[done++] = (unsigned char)pushed;
	long got = read_bytes(file, (char *)to + done, wanted - done);
	if (got > 0)
		done += (size_t)got;
	if (done < wanted)
		note_end(file, got);
	return done / size;
}

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file)
{
	return fread(to, size, count, file);
}

char *fgets(char *to, int size, FILE *file)
{
	int n = 0, byte = 0;
	if (size <= 0)
		return NULL;
	while (n < size - 1 && byte != '\n' && (byte = fgetc(file)) != EOF)
		to[n++] = (char)byte;
	if (size > 1 && n == 0)
		return NULL;
	to[n] = '\0';
	return to;
}

char *fgets_unlocked(char *to, int size, FILE *file)
{
	return fgets(to, size, file);
}

int getw(FILE *file)
{
	int word;
	return fread(&word, sizeof word, 1, file) ? word : EOF;
}

int putw(int word, FILE *file)
{
	return fwrite(&word, sizeof word, 1, file) ? 0 : EOF;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
	size_t n = 0;
	int byte;
	if (!line || !size) {
		errno = EINVAL;
		return -1;
	}
	do {
		byte = fgetc(file);
		if (byte == EOF)
			break;
		if (!*line || n + 2 > *size) {
			size_t bigger = *line && *size ? 2 * (n + 2) : 120;
			char *moved = realloc(*line, bigger);
			if (!moved)
				return -1;
			*line = moved;
			*size = bigger;
		}
		(*line)[n++] = (char)byte;
	} while (byte != delimiter);
	if (n == 0)
		return -1;
	(*line)[n] = '\0';
	return (ssize_t)n;
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
	return getdelim(line, size, delimiter, file);
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
	return getdelim(line, size, '\n', file);
}

/* ---- place and condition --------------------------------------------------------------------------------------------- */

int fseek(FILE *file, long offset, int whence)
{
	if (__bitspin_is_output(file)) {
		errno = ESPIPE;
		return -1;
	}
	if (whence == SEEK_CUR && __bitspin_take_pushed(file) >= 0)
		offset--;
	if ((file->MEMORY ? __bitspin_memory_seek(file, offset, whence) : lseek(file->_fileno, offset, whence)) < 0)
		return -1;
	LOCKED;
	file->_flags &= ~_IO_EOF_SEEN;
	file->PUSHED = 0;
	UNLOCKED;
	return 0;
}

long ftell(FILE *file)
{
	long at = file->MEMORY ? __bitspin_memory_tell(file) : lseek(file->_fileno, 0, SEEK_CUR);
	LOCKED;
	int pushed = file->PUSHED != 0;
	UNLOCKED;
	return at > 0 && pushed ? at - 1 : at;
}

int fseeko(FILE *file, off_t offset, int whence) { return fseek(file, offset, whence); }
off_t ftello(FILE *file) { return ftell(file); }

void rewind(FILE *file)
{
	if (fseek(file, 0, SEEK_SET) == 0)
		clearerr(file);
}

int fgetpos(FILE *file, fpos_t *place)
{
	long at = ftell(file);
	memset(place, 0, sizeof *place);
	memcpy(place, &at, sizeof at);
	return at < 0 ? -1 : 0;
}

int fsetpos(FILE *file, const fpos_t *place)
{
	long at;
	memcpy(&at, place, sizeof at);
	return fseek(file, at, SEEK_SET);
}

/* Other threads may use the stream meanwhile. */
static int flag(FILE *file, int which)
{
	LOCKED;
	int set = (file->_flags & which) != 0;
	UNLOCKED;
	return set;
}

int feof(FILE *file) { return flag(file, _IO_EOF_SEEN); }
int ferror(FILE *file) { return flag(file, _IO_ERR_SEEN); }
int feof_unlocked(FILE *file) { return (file->_flags & _IO_EOF_SEEN) != 0; }
int ferror_unlocked(FILE *file) { return (file->_flags & _IO_ERR_SEEN) != 0; }
int fileno(FILE *file) { return file->MEMORY ? __bitspin_memory_fileno(file) : file->_fileno; }

void clearerr(FILE *file)
{
	if (__bitspin_is_output(file))
		return;
	LOCKED;
	file->_flags &= ~(_IO_EOF_SEEN | _IO_ERR_SEEN);
	UNLOCKED;
}

int fileno_unlocked(FILE *file) { return fileno(file); }
void clearerr_unlocked(FILE *file) { clearerr(file); }
