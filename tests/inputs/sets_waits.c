/* SPDX-License-Identifier: MIT
 *
 * Endless waits on what is an input: for one of its values nobody ends the loop, and with sets nobody looks for that, as the
 * assumptions say.  And a program whose memory has an input while threads wait for one another.
 *
 * RUN: check --inputs sets
 * EXPECT: verified
 * RUN: check --inputs sets -DLOCKS
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DEXCLUDED
 * EXPECT: verified
 * RUN: check --inputs sets -DOTHERS
 * EXPECT: verified
 */
#include "bitspin.h"

int __VERIFIER_nondet_int(void);

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int input, ready;
static int copy;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

/* Lock both, in an order that depends on the input. */
static void lock_both(int turned)
{
	pthread_mutex_lock(turned ? &second : &first);
	pthread_mutex_lock(turned ? &first : &second); /* ERROR */
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
}

static void *work(void *unused)
{
#ifdef LOCKS
	lock_both(copy == 12345);
#elif defined OTHERS
	while (!ready)
		;
	assert(copy == input && copy - input == 0 && !(copy < input) && (copy & input) == copy);
#else
	while (input == 7)
		;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	copy = __VERIFIER_nondet_int();
	input = copy;
#ifdef EXCLUDED
	bitspin_assume(copy != 7);
#endif
	pthread_create(&thread, 0, work, 0);
#ifdef LOCKS
	lock_both(0);
#endif
	ready = 1;
	pthread_join(thread, 0);
	return 0;
}
