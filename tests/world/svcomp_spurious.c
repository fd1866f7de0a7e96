/* SPDX-License-Identifier: MIT
 *
 * Waits end unasked under the SV-COMP profile, which reads POSIX; unless an option says that they do not.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check --profile svcomp
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --faults spurious-wakeup:0
 * EXPECT: verified
 * RUN: check --profile svcomp -DLOOP
 * EXPECT: verified
 */
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *argument)
{
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set, NULL);
	pthread_mutex_lock(&mutex);
#ifdef LOOP
	while (!ready)
#else
	if (!ready)
#endif
		pthread_cond_wait(&changed, &mutex);
	if (!ready)
		reach_error(); /* ERROR */
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
