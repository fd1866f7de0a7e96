/* SPDX-License-Identifier: MIT
 *
 * A thread whose wait has timed out is no longer there to be signalled, although it has not yet got its mutex back: the
 * signal goes to the other waiter, or is lost.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DLOST
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waits, tokens;

static void *impatient(void *unused)
{
	struct timespec soon = { 9, 0 };
	pthread_mutex_lock(&mutex);
	waits++;
	int result = pthread_cond_timedwait(&changed, &mutex, &soon);
	assert(result == 0 || result == ETIMEDOUT);
#ifndef LOST
	if (result == 0)
		pthread_cond_signal(&changed); /* hand on what was for the other */
#endif
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *patient(void *unused)
{
	pthread_mutex_lock(&mutex);
	waits++;
	while (tokens == 0)
		pthread_cond_wait(&changed, &mutex); /* ERROR */
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, impatient, NULL);
	pthread_create(&threads[1], NULL, patient, NULL);
	pthread_mutex_lock(&mutex);
	tokens = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL); /* ERROR */
	return 0;
}
