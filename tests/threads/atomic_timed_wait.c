/* SPDX-License-Identifier: MIT
 *
 * A thread that blocks inside an atomic section lets the others run, also when its wait has a deadline.
 *
 * RUN: check -DALWAYS=0
 * EXPECT: violated assertion
 * RUN: check -DALWAYS=-1
 * EXPECT: violated assertion
 */
#include "bitspin.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t semaphore;

static void *work(void *unused)
{
	sem_post(&semaphore);
	return unused;
}

int main(void)
{
	struct timespec late = { 1, 0 };
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	bitspin_atomic_begin();
	pthread_create(&thread, NULL, work, NULL);
	int result = sem_timedwait(&semaphore, &late);
	bitspin_atomic_end();
	assert(result == ALWAYS); /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
