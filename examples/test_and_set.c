/* SPDX-License-Identifier: MIT
 *
 * A lock without a queue: whoever finds it free may set it, and a thread that is late each time never gets it.
 *
 * As a mutex, on which a thread sleeps until it is free: weak fairness does not help the late one, as it can go on only now
 * and then.  Strong fairness does: who can go on again and again does go on, and with a mutex that means, gets it.  With
 * -DSPIN threads try and try again.  Such a thread can always go on, and does, only to find the lock set: no fairness between
 * threads can help it.
 *
 *     bitspin check --ltl '[] (in(take, 1) -> <> in(critical, 1))' examples/test_and_set.c
 *
 * RUN: check --ltl '[] (in(take, 1) -> <> in(critical, 1))'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (in(take, 1) -> <> in(critical, 1))' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '[] (in(take, 1) -> <> in(critical, 1))' --fairness strong -DSPIN
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !(in(critical, 1) && in(critical, 2))' --ltl '[] <> (in(critical, 1) || in(critical, 2))'
 * EXPECT: verified
 * RUN: check --property starvation
 * EXPECT: violated ltl
 * RUN: check --property starvation --fairness strong
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int visits;

#ifdef SPIN
static atomic_bool taken;

static void take(void)
{
	while (atomic_exchange(&taken, 1))
		;
}

static void release(void)
{
	taken = 0;
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void take(void)
{
	pthread_mutex_lock(&mutex);
}

static void release(void)
{
	pthread_mutex_unlock(&mutex);
}
#endif

static void critical(void)
{
	visits = !visits;
}

static void *work(void *unused)
{
	for (;;) {
		take();
		critical();
		release();
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
