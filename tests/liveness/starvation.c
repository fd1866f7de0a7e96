/* SPDX-License-Identifier: MIT
 *
 * Starvation: a thread waits for a lock for ever while others run.  Between threads that come back for the lock it is a matter
 * of fairness; between threads that take it a number of times there is none.
 *
 * RUN: check --property starvation -DROUNDS=2
 * EXPECT: verified
 * RUN: check --property starvation
 * EXPECT: violated ltl
 * RUN: check --property starvation --fairness strong
 * EXPECT: verified
 * RUN: check --property starvation -DKEEPS --fairness strong
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int busy;

static void *work(void *keeps)
{
#ifdef ROUNDS
	for (int i = 0; i < ROUNDS; i++) {
#else
	for (;;) {
#endif
		pthread_mutex_lock(&mutex);
#ifdef KEEPS
		while (keeps)
			busy = !busy;
#endif
		pthread_mutex_unlock(&mutex);
	}
	return keeps;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, &thread);
	work(NULL);
	pthread_join(thread, NULL);
	return 0;
}
