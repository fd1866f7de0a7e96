/* SPDX-License-Identifier: MIT
 *
 * A deadline of NULL never comes, in pthread_timedjoin_np() and pthread_clockjoin_np().
 *
 * RUN: check '-DJOIN=pthread_timedjoin_np(thread, &result, NULL)'
 * EXPECT: verified
 * RUN: check '-DJOIN=pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, NULL)'
 * EXPECT: verified
 * RUN: check '-DJOIN=pthread_timedjoin_np(thread, &result, &then)'
 * EXPECT: violated assertion
 * The thread waits for main, which waits for it.
 * RUN: check -DWAITS '-DJOIN=pthread_timedjoin_np(thread, &result, NULL)'
 * EXPECT: violated deadlock
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static sem_t end;

static void *work(void *unused)
{
	(void)unused;
#ifdef WAITS
	sem_wait(&end);
#endif
	return (void *)(intptr_t)42;
}

int main(void)
{
	pthread_t thread;
	void *result = NULL;
	struct timespec then = { 1, 0 };
	(void)then;
	sem_init(&end, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	int error = JOIN; /* ERROR */
	assert(error == 0); /* ERROR */
	assert(result == (void *)(intptr_t)42);
	sem_post(&end);
	assert(sysconf(_SC_THREAD_STACK_MIN) == 16384 && sysconf(_SC_MONOTONIC_CLOCK) > 0);
	return 0;
}
