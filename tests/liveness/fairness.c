/* SPDX-License-Identifier: MIT
 *
 * What each fairness promises.  Thread 1 is enabled all the time: weak fairness lets it move.  With -DNOW_AND_THEN it waits for
 * a lock that is free now and then: only strong fairness does.  With -DMISSES it always moves, but sees the wrong values only:
 * no fairness between threads helps.
 *
 * RUN: check --ltl '<> {moved}'
 * EXPECT: verified
 * RUN: check --ltl '<> {moved}' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> {moved}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DNOW_AND_THEN --ltl '<> {moved}'
 * EXPECT: violated ltl
 * RUN: check -DNOW_AND_THEN --ltl '<> {moved}' --fairness strong
 * EXPECT: verified
 * RUN: check -DMISSES --ltl '<> {moved}' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DNOW_AND_THEN --ltl '[] {!moved || moved == 1}' --fairness none
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int moved, phase;

static void *work(void *unused)
{
#ifdef NOW_AND_THEN
	pthread_mutex_lock(&mutex);
#endif
#ifdef MISSES
	while (phase != 2)
		;
#endif
	moved = 1;
#ifdef NOW_AND_THEN
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	(void)mutex;
#ifdef NOW_AND_THEN
	pthread_mutex_lock(&mutex);
#endif
	pthread_create(&thread, NULL, work, NULL);
	for (;;) {
		phase = (phase + 1) % 3;
#ifdef NOW_AND_THEN
		pthread_mutex_unlock(&mutex);
		pthread_mutex_lock(&mutex);
#endif
	}
	return 0;
}
