/* SPDX-License-Identifier: MIT
 *
 * Runs that end or get stuck stay in their last state for ever.
 *
 * RUN: check --ltl '<> [] {x == 1}' --ltl '[] <> {x == 1}'
 * EXPECT: verified
 * RUN: check --ltl '[] <> {x == 0}'
 * EXPECT: violated ltl
 * RUN: check -DSTUCK --no-deadlock --ltl '<> [] {x == 1}' --ltl '[] !terminated'
 * EXPECT: verified
 * RUN: check -DSTUCK --no-deadlock --ltl '<> {x == 2}'
 * EXPECT: violated ltl
 * RUN: check -DSTUCK --ltl '<> [] {x == 1}'
 * EXPECT: violated deadlock
 * RUN: check -DEXIT --ltl '<> {x == 1}' --ltl '[] <> terminated'
 * EXPECT: verified
 * RUN: check -DEXIT --ltl '<> {x == 2}'
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

int main(void)
{
	x = 1;
#ifdef EXIT
	exit(0);
#endif
#ifdef STUCK
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex); /* ERROR */
	x = 2;
#endif
	(void)mutex;
	return 0;
}
