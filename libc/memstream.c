/* SPDX-License-Identifier: MIT
 *
 * Streams in memory: open_memstream, open_wmemstream, fmemopen, and tmpfile, whose file has no name and so needs no disk.
 *
 * What is written to the first two reaches the program's variables by fflush and fclose, and what is written by fmemopen reaches
 * the program's buffer by these and by fseek, as in glibc; so a program that forgets them is found out.
 */
#include "streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum kind { GROWING, GIVEN, TEMPORARY }; /* open_memstream, fmemopen, tmpfile */

struct memory {
	FILE file; /* first; MEMORY leads back */
	enum kind kind;
	int reads, writes, appends, owned; /* owned: the bytes are the stream's */
	size_t unit;                       /* bytes of a character */
	char *bytes;
	size_t room, length, position;     /* in characters; length: of what can be read */
	char *pending;                     /* of fmemopen: what was written since it was flushed */
	size_t npending;
	void **text;                       /* of open_memstream: the program's variables */
	size_t *size;
	struct memory *next;               /* of all that are open */
};

static struct memory *streams;

static struct memory *memory_of(FILE *file)
{
	return file->MEMORY;
}

static FILE *open_memory(struct memory stream)
{
	struct memory *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	LOCKED; /* fflush(NULL) of others looks at it */
	*m = stream;
	m->file._fileno = -1;
	STREAM_LOCK(&m->file)->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	m->file.MEMORY = m;
	m->next = streams;
	streams = m;
	UNLOCKED;
	return &m->file;
}

FILE *tmpfile(void)
{
	return open_memory((struct memory){ .kind = TEMPORARY, .reads = 1, .writes = 1, .owned = 1, .unit = 1 });
}

FILE *tmpfile64(void)
{
	return tmpfile();
}

/* There is always room for a NUL after what is in a stream. */
static int make_room(struct memory *m, size_t length)
{
	enum { AT_FIRST = 64, MOST = 1 << 20 };
	size_t room = m->room ? m->room : AT_FIRST;
	if (length > MOST)
		__bitspin_refuse("a stream in memory with more than a million characters is not modelled");
	while (room < length + 1)
		room *= 2;
	if (room == m->room)
		return 1;
	char *bytes = realloc(m->bytes, room * m->unit);
	if (!bytes)
		return 0;
	memset(bytes + m->room * m->unit, 0, (room - m->room) * m->unit);
	m->bytes = bytes;
	m->room = room;
	return 1;
}

static FILE *open_growing(void **text, size_t *size, size_t unit)
{
	struct memory stream = { .kind = GROWING, .writes = 1, .unit = unit, .text = text, .size = size };
	FILE *file = make_room(&stream, 0) ? open_memory(stream) : NULL;
	if (!file)
		free(stream.bytes);
	return file;
}

FILE *open_memstream(char **text, size_t *size)
{
	return open_growing((void **)text, size, 1);
}

FILE *open_wmemstream(wchar_t **text, size_t *size)
{
	FILE *file = open_growing((void **)text, size, sizeof(wchar_t));
	if (file)
		file->_mode = 1;
	return file;
}

FILE *fmemopen(void *buffer, size_t size, const char *mode)
{
	int update = strchr(mode, '+') != NULL;
	struct memory stream = { .kind = GIVEN, .unit = 1, .bytes = buffer, .room = size, .appends = *mode == 'a' };
	if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
		errno = EINVAL;
		return NULL;
	}
	if (size == 0)
		__bitspin_refuse("fmemopen with a buffer of 0 bytes is not modelled");
	stream.reads = *mode == 'r' || update;
	stream.writes = *mode != 'r' || update;
	if (!buffer) {
		stream.owned = 1;
		stream.bytes = calloc(size, 1);
	}
	if (!stream.bytes)
		return NULL;
	if (*mode == 'w' && mode[1] == '+') /* as in glibc, "wb+" leaves the first byte */
		*stream.bytes = '\0';
	stream.length = *mode == 'r' ? size : *mode == 'a' ? strnlen(stream.bytes, size) : 0;
	stream.position = stream.appends ? stream.length : 0;
	FILE *file = open_memory(stream);
	if (!file && stream.owned)
		free(stream.bytes);
	return file;
}

/* ---- flushing -------------------------------------------------------------------------------------------------------- */

/* What is pending goes into the buffer of fmemopen, as far as there is room, with a NUL.  -1: not all of it. */
static int flush_given(struct memory *m)
{
	size_t at = m->appends ? m->length : m->position, n = m->npending;
	int nul = n && m->pending[n - 1] != '\0';
	m->npending = 0;
	if (n == 0)
		return 0;
	if (at + n > m->room && m->position + (size_t)nul >= m->room) {
		errno = ENOSPC;
		return -1;
	}
	size_t kept = at + n > m->room ? m->room - at : n;
	memcpy(m->bytes + at, m->pending, kept);
	m->position = at + kept;
	if (m->position > m->length) {
		m->length = m->position;
		if (nul && (m->length < m->room || !m->appends))
			m->bytes[m->length < m->room ? m->length : m->room - 1] = '\0';
	}
	return kept == n ? 0 : -1;
}

static int flush(struct memory *m)
{
	if (m->kind == GROWING) {
		*m->text = m->bytes;
		*m->size = m->position;
	}
	int failed = m->kind == GIVEN ? flush_given(m) : 0;
	if (failed)
		m->file._flags |= _IO_ERR_SEEN;
	return failed;
}

int __bitspin_fflush(FILE *file)
{
	int failed = 0;
	if (file && !file->MEMORY)
		return 0;
	LOCKED;
	for (struct memory *m = streams; m; m = m->next)
		if (file ? m == memory_of(file) : m->kind == GIVEN) /* glibc leaves out those of open_memstream */
			failed |= flush(m);
	UNLOCKED;
	return failed ? EOF : 0;
}

static void give_text(struct memory *m)
{
	void *exact = realloc(m->bytes, (m->position + 1) * m->unit);
	m->bytes = exact ? exact : m->bytes;
	memset(m->bytes + m->position * m->unit, 0, m->unit);
	flush(m);
}

int __bitspin_memory_close(FILE *file)
{
	struct memory *m = memory_of(file), **at = &streams;
	int failed = 0;
	LOCKED;
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	if (m->kind == GROWING)
		give_text(m);
	else
		failed = flush(m);
	UNLOCKED;
	if (m->owned)
		free(m->bytes);
	free(m->pending);
	free(m);
	return failed ? EOF : 0;
}

/* ---- reading and writing --------------------------------------------------------------------------------------------- */

static int bad(struct memory *m)
{
	m->file._flags |= _IO_ERR_SEEN;
	errno = EBADF;
	return -1;
}

long __bitspin_memory_read(FILE *file, void *to, size_t size)
{
	struct memory *m = memory_of(file);
	long result = 0;
	if (m->kind == GROWING)
		__bitspin_refuse("reading from a stream of open_memstream is not modelled");
	LOCKED;
	if (m->kind == GIVEN && m->reads)
		flush(m);
	if (!m->reads) {
		result = bad(m);
	} else if (m->position < m->length) {
		size_t left = m->length - m->position, taken = size < left ? size : left;
		memcpy(to, m->bytes + m->position, taken);
		m->position += taken;
		result = (long)taken;
	}
	UNLOCKED;
	return result;
}

static int put_pending(struct memory *m, const void *copy, size_t count)
{
	enum { BUFFER = 4096 };
	if (m->npending + count > BUFFER)
		__bitspin_refuse("more than 4096 bytes are written to a stream of fmemopen before it is flushed");
	char *pending = realloc(m->pending, m->npending + count);
	if (!pending)
		return 0;
	memcpy(pending + m->npending, copy, count);
	m->pending = pending;
	m->npending += count;
	return 1;
}

static int put_here(struct memory *m, const void *copy, size_t count)
{
	if (!make_room(m, m->position + count))
		return 0;
	memcpy(m->bytes + m->position * m->unit, copy, count * m->unit);
	m->position += count;
	if (m->length < m->position)
		m->length = m->position;
	return 1;
}

/* `count`: in characters of the stream. */
size_t __bitspin_memory_write(FILE *file, const void *from, size_t count)
{
	struct memory *m = memory_of(file);
	if (count > 65536)
		__bitspin_refuse("more than 65536 characters are written at once to a stream in memory");
	char copy[count * m->unit + 1]; /* the caller's access, which may race, and is none of the section */
	if (count)
		memcpy(copy, from, count * m->unit);
	LOCKED;
	int done = !m->writes ? bad(m) + 1 : !count || (m->kind == GIVEN ? put_pending(m, copy, count) : put_here(m, copy, count));
	UNLOCKED;
	return done ? count : 0;
}

int __bitspin_is_wide_memory(FILE *file)
{
	return file->MEMORY && memory_of(file)->unit > 1;
}

/* ---- place ----------------------------------------------------------------------------------------------------------- */

/* The end of what open_memstream has made is where it is written, as in glibc. */
long __bitspin_memory_seek(FILE *file, long offset, int whence)
{
	struct memory *m = memory_of(file);
	long result = -EINVAL;
	LOCKED;
	if (m->kind == GIVEN)
		flush(m);
	size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR || m->kind == GROWING ? m->position : m->length;
	long place = (long)base + offset;
	int known = whence == SEEK_SET || whence == SEEK_CUR || whence == SEEK_END;
	if (known && place >= 0 && (m->kind != GIVEN || (size_t)place <= m->room)) {
		if (m->kind == TEMPORARY || make_room(m, m->kind == GROWING ? (size_t)place : 0))
			m->position = (size_t)place;
		result = place;
	}
	UNLOCKED;
	if (result < 0)
		errno = (int)-result;
	return result < 0 ? -1 : result;
}

long __bitspin_memory_tell(FILE *file)
{
	struct memory *m = memory_of(file);
	LOCKED;
	size_t place = m->npending && m->appends ? m->length : m->position;
	long result = (long)(place + m->npending);
	UNLOCKED;
	return result;
}

int __bitspin_memory_fileno(FILE *file)
{
	if (memory_of(file)->kind == TEMPORARY)
		__bitspin_refuse("the descriptor of a file of tmpfile is not modelled");
	errno = EBADF;
	return -1;
}

/* ---- buffers --------------------------------------------------------------------------------------------------------- */

static void keep_buffer(FILE *file)
{
	if (file->MEMORY && memory_of(file)->kind == GIVEN)
		__bitspin_refuse("the buffer of a stream of fmemopen is changed, which is not modelled");
}

int __bitspin_setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
	(void)buffer, (void)mode, (void)size;
	keep_buffer(file);
	return 0;
}

void __bitspin_setbuf(FILE *file, char *buffer)
{
	(void)buffer;
	keep_buffer(file);
}
