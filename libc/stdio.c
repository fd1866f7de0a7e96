/* SPDX-License-Identifier: MIT
 *
 * Streams for reading; what writes is done by the VM (runtime/print.c).  A stream is not buffered: nobody can tell, as what
 * there is to read never changes.
 */
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Those for output never change; being constants, they are no scheduling points. */
static struct stream input = { .fd = 0 };
static const struct stream outputs[] = { { .fd = 1 }, { .fd = 2 } };
FILE *stdin = (FILE *)&input, *stdout = (FILE *)&outputs[0], *stderr = (FILE *)&outputs[1];

static int is_output(FILE *file)
{
	return file == (FILE *)&outputs[0] || file == (FILE *)&outputs[1];
}

static struct stream *of(FILE *file)
{
	return (struct stream *)file;
}

FILE *fdopen(int fd, const char *mode)
{
	struct stream *stream = calloc(1, sizeof *stream);
	(void)mode;
	if (stream)
		stream->fd = fd;
	return (FILE *)stream;
}

FILE *fopen(const char *path, const char *mode)
{
	int update = strchr(mode, '+') != NULL;
	if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
		errno = EINVAL;
		return NULL;
	}
	int fd = __bitspin_open(path, *mode == 'r' ? update ? O_RDWR : O_RDONLY : O_WRONLY | O_CREAT);
	return fd < 0 ? NULL : fdopen(fd, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	return fopen(path, mode);
}

int fclose(FILE *file)
{
	int failed = close(of(file)->fd);
	if (file != (FILE *)&input && !is_output(file))
		free(file);
	return failed ? EOF : 0;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

/* The byte that ungetc() put back, or -1. */
static int take_pushed(struct stream *stream)
{
	LOCKED;
	int byte = stream->pushed - 1;
	stream->pushed = 0;
	UNLOCKED;
	return byte;
}

static void note_end(struct stream *stream, long got)
{
	LOCKED;
	if (got < 0)
		stream->error = 1;
	else
		stream->eof = 1;
	UNLOCKED;
}

static int bad_descriptor(void)
{
	errno = EBADF;
	return EOF;
}

int fgetc(FILE *file)
{
	struct stream *stream = of(file);
	unsigned char byte;
	if (is_output(file))
		return bad_descriptor();
	int pushed = take_pushed(stream);
	if (pushed >= 0)
		return pushed;
	long got = __bitspin_read(stream->fd, &byte, 1);
	if (got == 1)
		return byte;
	note_end(stream, got);
	return EOF;
}

int getc(FILE *file) { return fgetc(file); }
int _IO_getc(FILE *file) { return fgetc(file); }
int getc_unlocked(FILE *file) { return fgetc(file); }
int fgetc_unlocked(FILE *file) { return fgetc(file); }
int getchar(void) { return fgetc((FILE *)&input); }
int getchar_unlocked(void) { return fgetc((FILE *)&input); }

int ungetc(int byte, FILE *file)
{
	struct stream *stream = of(file);
	int done = EOF;
	if (is_output(file))
		return EOF;
	LOCKED;
	if (byte != EOF && !stream->pushed) {
		stream->pushed = (unsigned char)byte + 1;
		stream->eof = 0;
		done = (unsigned char)byte;
	}
	UNLOCKED;
	return done;
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
	struct stream *stream = of(file);
	size_t wanted = size * count, done = 0;
	if (wanted == 0 || (is_output(file) && bad_descriptor()))
		return 0;
	int pushed = take_pushed(stream);
	if (pushed >= 0)
		((unsigned char *)to)[done++] = (unsigned char)pushed;
	long got = __bitspin_read(stream->fd, (char *)to + done, wanted - done);
	if (got > 0)
		done += (size_t)got;
	if (done < wanted)
		note_end(stream, got);
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
	if (size > 1 && (n == 0 || of(file)->error))
		return NULL;
	to[n] = '\0';
	return to;
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

ssize_t getline(char **line, size_t *size, FILE *file)
{
	return getdelim(line, size, '\n', file);
}

/* ---- place and condition --------------------------------------------------------------------------------------------- */

int fseek(FILE *file, long offset, int whence)
{
	struct stream *stream = of(file);
	if (is_output(file)) {
		errno = ESPIPE;
		return -1;
	}
	if (whence == SEEK_CUR && take_pushed(stream) >= 0)
		offset--;
	if (lseek(stream->fd, offset, whence) < 0)
		return -1;
	LOCKED;
	stream->eof = stream->pushed = 0;
	UNLOCKED;
	return 0;
}

long ftell(FILE *file)
{
	long at = lseek(of(file)->fd, 0, SEEK_CUR);
	return at > 0 && of(file)->pushed ? at - 1 : at;
}

int fseeko(FILE *file, off_t offset, int whence) { return fseek(file, offset, whence); }
off_t ftello(FILE *file) { return ftell(file); }

void rewind(FILE *file)
{
	if (fseek(file, 0, SEEK_SET) == 0)
		of(file)->error = 0;
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

int feof(FILE *file) { return of(file)->eof; }
int ferror(FILE *file) { return of(file)->error; }
int feof_unlocked(FILE *file) { return of(file)->eof; }
int ferror_unlocked(FILE *file) { return of(file)->error; }
int fileno(FILE *file) { return of(file)->fd; }

void clearerr(FILE *file)
{
	if (!is_output(file))
		of(file)->eof = of(file)->error = 0;
}
