/* SPDX-License-Identifier: MIT
 *
 * A monitor that gives up its mutex while its invariant does not hold: by unlocking, or by waiting for a condition.
 *
 * RUN: check --invariant '{a == b} || held(monitor.mutex)' -DUNLOCKS
 * EXPECT: violated invariant
 * RUN: check --invariant '{a == b} || held(monitor.mutex)' -DWAITS
 * EXPECT: violated invariant
 * RUN: check --invariant '{a == b} || held(monitor.mutex)'
 * EXPECT: verified
 */
#include <pthread.h>

static struct { pthread_mutex_t mutex; pthread_cond_t condition; } monitor = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER
};
static volatile int a, b, ready;

static void *work(void *unused)
{
	pthread_mutex_lock(&monitor.mutex);
	a++;
#ifdef UNLOCKS
	pthread_mutex_unlock(&monitor.mutex); /* ERROR */
	pthread_mutex_lock(&monitor.mutex);
#endif
#ifdef WAITS
	while (!ready)
		pthread_cond_wait(&monitor.condition, &monitor.mutex); /* ERROR */
#endif
	b++;
	pthread_mutex_unlock(&monitor.mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&monitor.mutex);
	ready = 1;
	pthread_cond_signal(&monitor.condition);
	pthread_mutex_unlock(&monitor.mutex);
	pthread_join(thread, NULL);
	return 0;
}
