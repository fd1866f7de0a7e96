/* SPDX-License-Identifier: MIT
 *
 * The part of the C library that is written in C: it is compiled to bitcode, linked with the checked program and
 * interpreted like it, so that callbacks, races and bounds need no code of their own.  What it keeps between calls lies in
 * globals, which are part of a program state; so they hold nothing that two equal histories could make different.
 *
 * Everything is a weak definition (see translator/read/load.c): the program's own function of the same name wins.
 */
#ifndef BITSPIN_LIBRARY_H
#define BITSPIN_LIBRARY_H

#include "../runtime/bitspin.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* What POSIX promises to be thread-safe: nobody runs in between.  No standard promises that such a call synchronises with another,
 * so it orders nothing; what happens inside races with nothing else that does.  So the caller's memory is accessed outside. */
#define LOCKED   __bitspin_section_begin()
#define UNLOCKED __bitspin_section_end()
void __bitspin_section_begin(void);
void __bitspin_section_end(void);

/* What the system, or a promise, does order: all that the thread has done happens before what another does from its
 * __bitspin_order_after() of the same object on.  In a section. */
void __bitspin_order_before(const volatile void *object);
void __bitspin_order_after(const volatile void *object);

/* calloc() and free() of the VM, whichever the program defines. */
void *__bitspin_map(size_t count, size_t size);
void __bitspin_unmap(void *memory);

/* Filled in by the translator. */
struct library_file {     /* a file of --fs, or standard input (number 0) */
	const char *name; /* without a leading slash */
	const unsigned char *bytes;
	size_t size;
};
/* A row of three words, as translator/read/library.c and runtime/externals/input.c write it. */
_Static_assert(offsetof(struct library_file, bytes) == 8 && offsetof(struct library_file, size) == 16 &&
		       sizeof(struct library_file) == 24,
	       "the translator writes rows of three words");
extern const struct library_file __bitspin_files[];
extern const size_t __bitspin_nfiles;
extern const char *const __bitspin_errors[]; /* texts of strerror(), by number */
extern const char *const __bitspin_error_names[];
extern const size_t __bitspin_nerrors;
extern const char *const __bitspin_signals[]; /* texts of strsignal(), by number */
extern const char *const __bitspin_signal_names[];
extern const size_t __bitspin_nsignals;
extern const char __bitspin_program[], __bitspin_program_short[]; /* argv[0], and its last part */
extern const char *const __bitspin_environment[]; /* NAME=VALUE, NULL at the end */

/* The clock (runtime/sync/clock.c), in nanoseconds since the start: a look at it, which may find that it has gone forward; what it
 * is now; it cannot be earlier than this.  Without a step it stands still, and nobody is to look. */
extern const size_t __bitspin_clock_step;
long __bitspin_clock_read(void);
long __bitspin_clock_passed(void);
void __bitspin_clock_reach(long then);
long __bitspin_start_of_clocks(void); /* what they showed at the start, in nanoseconds since 1970 (timers.c) */

/* The program looks at something of which one value is tried, or a few (runtime/state/untried.def); a name, or "". */
enum {
#define UNTRIED(name, text, verdict, note, advice) UNTRIED_##name,
#include "../runtime/state/untried.def"
#undef UNTRIED
};
void __bitspin_untried(int kind, const char *name);

/* Done by the VM. */
size_t __bitspin_write(int fd, const void *bytes, size_t size); /* to the program's output */
_Noreturn void __bitspin_refuse(const char *why);               /* the path ends, as inconclusive */

/* A FILE is laid out as glibc's, since its headers look into it when an optimiser inlines; the buffer is always empty.
 * The VM reads the descriptor (descriptor_of() in runtime/externals/print.c). */
#define PUSHED _cur_column /* back by ungetc(), plus one; 0: nothing */
_Static_assert(offsetof(FILE, _fileno) == 112 && sizeof((FILE){ 0 }._fileno) == 4, "the VM reads the descriptor there");

/* The lock of a stream (streams.c) lies where glibc keeps what is not needed here.  stdin, stdout and stderr, of which this gives
 * 0 to 2, have theirs elsewhere; -1: another stream. */
struct library_stream_lock {
	pthread_mutex_t mutex;
	volatile char used;
};
#define STREAM_LOCK(file) ((struct library_stream_lock *)&(file)->_IO_buf_base)
_Static_assert(offsetof(FILE, _IO_buf_base) + sizeof(struct library_stream_lock) <= offsetof(FILE, _fileno), "other fields");
int __bitspin_standard_stream(FILE *file);

/* streams.c: does the program give buffers to streams, or close standard ones, so that calls look whether these are there?  And the
 * program ends, and what is in its buffers is written; may be done only if there may be any. */
extern const size_t __bitspin_watched_streams;
void __bitspin_flush_buffers(void);

/* Descriptors (files.c): all but 0, 1 and 2 are files of --fs, read-only. */
int __bitspin_open(const char *path, int flags);
long __bitspin_read(int fd, void *to, size_t size);

#endif
