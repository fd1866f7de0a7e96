/* SPDX-License-Identifier: MIT
 *
 * What threads of the program talk to one another through: pipes, pairs of sockets, event counters, and the sets of epoll; and
 * descriptors that timers and signals are read from.
 *
 * A duct is a pair of ends, 2d and 2d + 1.  A pipe is read at the even end and written to at the odd one; a socket pair is both at
 * both; the others have the even end only.  What is written to an end waits in the buffer of its peer.  A descriptor names an end,
 * and so may others (dup).  The functions are to be called in an atomic section, which makes an operation one step; if the
 * thread has to wait, the section ends, and another begins when the wait is over.
 */
#ifndef BITSPIN_DUCTS_H
#define BITSPIN_DUCTS_H

#include "library.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>

enum { ENDS = 32, DUCT_BYTES = 4096 };

enum duct_kind {
#define DUCT(kind, name) kind,
#include "../runtime/state/duct.def"
#undef DUCT
	DUCT_KINDS
};

struct duct_end {
	int kind, refs, flags; /* enum duct_kind; descriptors and calls under way; O_NONBLOCK, EFD_SEMAPHORE */
	unsigned size;         /* bytes to be read */
	unsigned messages;     /* of a socket: writes since it was empty; of signals: has a set of epoll them? */
	int shut;              /* of a socket: SHUT_READS, SHUT_WRITES */
	uint64_t counter;      /* of an event counter; of a set of epoll: its number; of a timer: expirations; of signals: which */
};
enum { SHUT_READS = 1, SHUT_WRITES = 2 };
extern struct duct_end __bitspin_ends[ENDS];
extern unsigned __bitspin_ready[ENDS]; /* which of POLLIN and the others hold */

/* What a thread waits for: any of the bits of `mask` in *word. */
struct waited {
	const unsigned *word;
	unsigned mask;
};

/* Done by the VM: wait until one of them is there, then enter an atomic section.  False: the time is up (only if AWAIT_TIMED), and
 * the section is entered all the same; -1: so it is, and the wait is interrupted, perhaps by a request of cancellation: call
 * pthread_testcancel() when the section has been left.  All that makes one of them true writes to
 * `object`.  `how`: set of enum await.  `fd`: for people, as __bitspin_told() has it, or -1; -2: a signal. */
enum await {
	AWAIT_TIMED = 1,
	AWAIT_RESTARTS = 2, /* if a handler has run, it is interrupted, unless that was with SA_RESTART; */
	AWAIT_FAILS = 4,    /* ... it is in any case; */
	AWAIT_MASKED = 6,   /* ... and handlers run while it waits, not before it */
};
int __bitspin_await(const struct waited *list, size_t count, const void *object, int how, int fd);

/* For people: a descriptor that names an end, with the kind of that.  In an atomic section. */
enum { TOLD_KIND = 8 }; /* as in runtime/sync/await.c */
static inline int __bitspin_told_end(int fd, int end)
{
	return fd < 0 || end < 0 ? fd : fd | __bitspin_ends[end].kind << TOLD_KIND;
}

/* Done by the VM: tell in a story what a call has done with a descriptor, with so many bytes; of a pair, the other descriptor. */
enum told { TOLD_READ, TOLD_WRITE, TOLD_CLOSE, TOLD_MADE };
void __bitspin_told(int what, int fd, long bytes);

/* Is it a time that one can wait for, or is that EINVAL? */
int __bitspin_is_duration(const struct timespec *time);

/* Done by the VM: the program ends, killed by a signal. */
_Noreturn void __bitspin_killed(const char *why);

/* Wait, in the middle of an atomic section that is left meanwhile.  The end gets a reference, which the caller is to release.
 * False: a signal has interrupted it. */
int __bitspin_wait_for(int end, unsigned mask, int fd);

/* Read and write; they leave the section.  The result, or minus an error number. */
long __bitspin_duct_read(int end, int fd, void *to, size_t size, int flags);
long __bitspin_duct_write(int end, const void *from, size_t size, int flags);

/* The system orders the calls that use the same two ends.  In an atomic section. */
static inline void __bitspin_order(int end)
{
	__bitspin_order_after(&__bitspin_ends[end & ~1]);
	__bitspin_order_before(&__bitspin_ends[end & ~1]);
}

/* Something about these two ends has changed. */
void __bitspin_update(int end);
unsigned __bitspin_set_ready(int end); /* of a set of epoll */
void __bitspin_forget_end(int end);    /* it is closed: no set of epoll has it any more */

void __bitspin_release(int end);

/* timers.c: is the timer of this end set?  It may expire at any moment, so a thread that waits for it goes on, and asks then
 * whether it has expired: it has if it `must`, and otherwise that is a choice.  In an atomic section. */
int __bitspin_timer_is_set(int end);
int __bitspin_timer_expires(int end, int must);
void __bitspin_timer_forget(int end);

/* signalfd.c: signals that are read from a descriptor.  Which of POLLIN and the others hold for the calling thread, and for the
 * process; what a thread waits for that waits for signals, and the object that is written to when one comes; reading them is as
 * __bitspin_duct_read(). */
enum { SIGNAL_WORDS = 6 };
unsigned __bitspin_signals_ready(int end);
unsigned __bitspin_signals_of_process(int end);
void __bitspin_list_signals(struct waited list[SIGNAL_WORDS], uint64_t signals);
const void *__bitspin_signals_object(void);
long __bitspin_signals_read(int end, int fd, void *to, size_t size, int waits);
void __bitspin_signals_are_watched(int end); /* by a set of epoll */

/* pending.c, in an atomic section: the signal of a timer may come at any moment from now on, and `again` after that; or it does not
 * come any more, and the result says whether it was still to come.  `value`: of timer_create(); NULL for alarm() and setitimer(),
 * which have the last timer.  0: it is not to come; 1: it is; 2: it is, and has before.  How often has the timer expired unnoticed
 * since it last did? */
enum { TIMERS_WITH_ID = 8, SENDERS };
void __bitspin_timer_arms(int timer, int number, int again, const union sigval *value);
int __bitspin_timer_disarms(int timer);
int __bitspin_timer_armed(int timer);
int __bitspin_timer_overruns(int timer);
int __bitspin_timeout(void); /* done by the VM: may one with an interval expire once more, by --faults timeout? */

/* signal.c: in an atomic section, the mask of the thread for a wait, if it is not NULL, and back to what it was before. */
uint64_t __bitspin_mask_for(const sigset_t *mask);
void __bitspin_mask_back(const sigset_t *mask, uint64_t before);

/* signal.c: somebody has written where nobody can read: SIGPIPE. */
void __bitspin_broken_pipe(void);

/* A free duct, whose ends are then of these kinds and have one reference each; -1: there is none. */
int __bitspin_new_duct(int even, int odd, int flags);

/* Threads that wait for several ends at once: while there are any, what changes an end writes to the other word. */
extern int __bitspin_watchers, __bitspin_any;

/* files.c: descriptors of ends.  A new one, or -1 and errno; the end that one names, or -1. */
int __bitspin_name_end(int end, int least, int cloexec);
int __bitspin_end_of(int fd);
int __bitspin_is_open(int fd);

#endif
