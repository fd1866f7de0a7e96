/* SPDX-License-Identifier: MIT
 *
 * Signals: what the files about them share, signal.c (actions, sending, waiting), sigset.c (sets) and signalfd.c (descriptors).
 */
#ifndef BITSPIN_SIGNALS_H
#define BITSPIN_SIGNALS_H

#include "ducts.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

enum { MOST_SIGNALS = 64, SELF = -1, PROCESS = -2 };
enum { MASK, PENDING };
enum { PROCESS_ID = 1000 }; /* getpid(), in time.c */

/* Done by the VM: the two words of a thread, by its number, of the calling one, or of the process; NULL if there is no such
 * thread. Get one of them, or set it: atomically, without being a scheduling point. */
uint64_t *__bitspin_signal_words(int thread);
uint64_t __bitspin_signal_get(int thread, int which);
void __bitspin_signal_set(int thread, int which, uint64_t value);

/* Who has sent a signal, and the value that came with it. */
struct origin {
	int code; /* si_code */
	union sigval value;
};

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

/* Of the signals in `set`, the least that is pending for the thread is pending no more; 0: none is.  In an atomic section. */
int __bitspin_signal_take(uint64_t set, struct origin *origin);

/* What a handler is told. */
void __bitspin_signal_info(siginfo_t *info, int number, const struct origin *origin);

/* Has the program called signalfd()?  Then who watches such a descriptor is told of each signal. */
extern int __bitspin_signals_by_descriptor;

#endif
