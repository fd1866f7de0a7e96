/* SPDX-License-Identifier: MIT
 *
 * A weak compare-and-exchange may fail although the value is the expected one.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check --faults weak-cas:1
 * EXPECT: violated assertion
 * RUN: check --faults weak-cas:* -DLOOP
 * EXPECT: verified
 * RUN: check --faults weak-cas:3 -DLOOP
 * EXPECT: verified
 * RUN: check --faults weak-cas:* -DSTRONG
 * EXPECT: verified
 * RUN: check --faults weak-cas:1 -DTWO
 * EXPECT: verified
 * RUN: check --faults weak-cas:2 -DTWO
 * EXPECT: violated assertion
 * RUN: check --faults weak-cas:* -DLOCAL
 * EXPECT: violated assertion
 * RUN: check --faults weak-cas:* -DFOUND
 * EXPECT: verified
 * RUN: check --faults weak-cas:1 -DATOMIC
 * EXPECT: violated assertion
 */
#include "bitspin.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static _Bool add(atomic_int *to)
{
	int old = atomic_load(to);
#if defined STRONG
	return atomic_compare_exchange_strong(to, &old, old + 1);
#elif defined LOOP
	while (!atomic_compare_exchange_weak(to, &old, old + 1))
		;
	return 1;
#elif defined TWO
	return atomic_compare_exchange_weak(to, &old, old + 1) || atomic_compare_exchange_weak(to, &old, old + 1);
#elif defined FOUND
	int expected = old;
	if (!atomic_compare_exchange_weak(to, &expected, old + 1))
		assert(expected == old); /* what was found is the expected value all the same */
	return 1;
#elif defined ATOMIC
	bitspin_atomic_begin();
	_Bool done = atomic_compare_exchange_weak(to, &old, old + 1);
	bitspin_atomic_end();
	return done;
#else
	return atomic_compare_exchange_weak(to, &old, old + 1);
#endif
}

static void *work(void *argument)
{
	(void)argument;
#ifdef LOOP
	add(&count);
#endif
	return NULL;
}

int main(void)
{
	atomic_int own = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef LOCAL
	assert(add(&own)); /* ERROR */
#else
	assert(add(&count)); /* ERROR */
#endif
	pthread_join(thread, NULL);
#ifdef LOOP
	assert(count == 2);
#endif
	return own * 0;
}
