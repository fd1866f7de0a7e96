/* SPDX-License-Identifier: MIT
 *
 * A manual reset event whose state is in one word, with a mark that somebody sleeps.  Line-Up found such an event wrong in a
 * library: the new value of a compare-and-exchange was made of the word as it was read before, and not of the one that was
 * compared.  So set() may remove the mark, and wake nobody.
 *
 * RUN: --setup 'start()' --thread 'set(); reset()' --thread 'await()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'await()' --thread 'set(); is_set()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'await()' --thread 'is_set()'
 * EXPECT: linearizable
 * RUN: --setup 'start()' --thread 'set()' --thread 'await()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'start()' --thread 'set()' --thread 'await()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SET = 1, SLEEPS = 2 };
static atomic_int word;
static sem_t wakeups;

void start(void)
{
	sem_init(&wakeups, 0, 0);
}

void set(void)
{
	int old = word;
#if BROKEN == 1 /* the typo */
	int now = word;
	while (!atomic_compare_exchange_strong(&word, &now, old | SET))
		;
#else
	while (!atomic_compare_exchange_strong(&word, &old, (old & ~SLEEPS) | SET))
		;
#endif
	if (old & SLEEPS)
		sem_post(&wakeups);
}

void reset(void)
{
	int old = word;
	while (!atomic_compare_exchange_strong(&word, &old, old & ~SET))
		;
}

bool is_set(void)
{
	return word & SET;
}

/* One thread awaits. */
void await(void)
{
	int old = word;
#if BROKEN == 2
	if (old & SET)
		return;
	word = old | SLEEPS;
#else
	while (!(old & SET))
		if (atomic_compare_exchange_strong(&word, &old, old | SLEEPS))
			break;
	if (old & SET)
		return;
#endif
	sem_wait(&wakeups);
}
