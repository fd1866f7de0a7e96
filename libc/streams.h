/* SPDX-License-Identifier: MIT
 *
 * What the files of libc/ that are about streams share.
 */
#ifndef BITSPIN_STREAMS_H
#define BITSPIN_STREAMS_H

#include "ducts.h"

/* Does the program use wide streams?  Filled in by the translator.  If not, no stream needs an orientation. */
extern const size_t __bitspin_wide_streams;

/* Does the program use streams in a way that shows that they have locks?  Filled in by the translator.  Then what is called on
 * one is put between these (streams.c), which take the lock and give it back. */
extern const size_t __bitspin_stream_locks;
void __bitspin_enter_stream(FILE *file);
void __bitspin_leave_stream(FILE *file);

/* The orientation of a stream: 1 wide, -1 bytes, 0 neither.  It gets `wanted`, unless it has one. */
int __bitspin_orient(FILE *file, int wanted);

/* Streams in memory (memstream.c): a field that others leave NULL. */
#define MEMORY _freeres_buf
long __bitspin_memory_read(FILE *file, void *to, size_t size);
size_t __bitspin_memory_write(FILE *file, const void *from, size_t count); /* count: in characters of the stream */
long __bitspin_memory_seek(FILE *file, long offset, int whence);
long __bitspin_memory_tell(FILE *file);
int __bitspin_memory_close(FILE *file);
int __bitspin_memory_fileno(FILE *file);
int __bitspin_is_wide_memory(FILE *file); /* of open_wmemstream */
int __bitspin_fflush(FILE *file);

/* May bytes be read from the stream and written to it? */
static inline int __bitspin_takes_bytes(FILE *file)
{
	return !__bitspin_wide_streams || __bitspin_orient(file, -1) < 0;
}

int __bitspin_is_output(FILE *file); /* standard output or error */

/* A byte, or EOF; and bytes, of which so many are written.  Whatever the orientation. */
int __bitspin_get(FILE *file);
size_t __bitspin_put(FILE *file, const void *bytes, size_t size);

/* Put a character back that is less than 65535; and take it again, -1: there is none. */
int __bitspin_push(FILE *file, int c);
int __bitspin_take_pushed(FILE *file);

void __bitspin_note_error(FILE *file); /* for ferror() */

/* As vsnprintf and vswprintf, but they return the length of the whole text, or -1 - length if the format fails there. */
int __bitspin_vformat(char *to, size_t room, const char *format, va_list list);
int __bitspin_vwformat(wchar_t *to, size_t room, const wchar_t *format, va_list list);

#endif
