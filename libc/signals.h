/* SPDX-License-Identifier: MIT
 *
 * Signals: what the files about them share, signal.c (actions, sending, waiting), pending.c (what is pending, and timers), sigset.c
 * (sets) and signalfd.c (descriptors).
 */
#ifndef BITSPIN_SIGNALS_H
#define BITSPIN_SIGNALS_H

#include "ducts.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

enum { MOST_SIGNALS = 64, MOST_THREADS = 256, SELF = -1, PROCESS = -2, TIMERS = -3 };
enum { MASK, PENDING };
enum { PROCESS_ID = 1000 }; /* getpid(), in time.c */

/* Done by the VM: the two words of a thread, by its number, of the calling one, of the process, or of timers; NULL if there is no
 * such thread. Get one of them, or set it: atomically, without being a scheduling point. */
uint64_t *__bitspin_signal_words(int thread);
uint64_t __bitspin_signal_get(int thread, int which);
void __bitspin_signal_set(int thread, int which, uint64_t value);

/* Who has sent a signal, and the value that came with it. */
struct origin {
	int code; /* si_code */
	union sigval value;
	int timer; /* that has sent it, plus one */
};

/* The mask of the process, which has none, is the set of signals that have a handler. */
#define HANDLED PROCESS, MASK

/* Done when the VM interrupts the calling thread.  What it waits for, as the VM has it; what becomes of the call it is in. */
typedef void interrupted(unsigned long wait, unsigned long address, unsigned long other, unsigned long outcomes,
			 unsigned long call);
interrupted __bitspin_interrupted;

/* Done by the VM: signals are to interrupt other threads by calls of this function; the check may have to begin again for that. */
void __bitspin_interrupts_others(interrupted *run);

static inline int fail(int error)
{
	errno = error;
	return -1;
}

static inline uint64_t bit(int number)
{
	return (uint64_t)1 << (number - 1);
}

static inline int is_signal(int number)
{
	return number >= 1 && number <= MOST_SIGNALS;
}

static inline uint64_t bits_of(const sigset_t *set)
{
	return set->__val[0];
}

static inline void put_bits(sigset_t *set, uint64_t bits)
{
	memset(set, 0, sizeof *set);
	set->__val[0] = bits;
}

/* What follows is in an atomic section.  A signal is pending; it is not asked whether anybody blocks it. */
void __bitspin_signal_post(int whose, int number, const struct origin *origin);

/* Of the signals in `set`, the least that is pending for the thread is pending no more, or a timer sends one; 0: there is none.  Or
 * any that is pending, if timers are to count or not. */
int __bitspin_signal_take(uint64_t set, struct origin *origin);
int __bitspin_signal_take_any(uint64_t set, int of_timers, struct origin *origin);

/* Signals that timers may send; they may be pending from now on if they are in the set; if there is one that the thread is open to,
 * it may be interrupted. */
uint64_t __bitspin_signals_armed(void);
void __bitspin_signals_may_pend(uint64_t set);
void __bitspin_armed_interrupt(uint64_t open);

/* What a handler is told. */
void __bitspin_signal_info(siginfo_t *info, int number, const struct origin *origin);

/* Has the program called signalfd()?  Then who watches such a descriptor is told of each signal. */
extern int __bitspin_signals_by_descriptor;

#endif
