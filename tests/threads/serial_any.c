/* SPDX-License-Identifier: MIT
 *
 * Any thread at a barrier may be the one that gets PTHREAD_BARRIER_SERIAL_THREAD, whatever else orders the threads.
 *
 * RUN: check -DMAIN
 * EXPECT: violated assertion
 * RUN: check -DOTHER
 * EXPECT: violated assertion
 * RUN: check -DLATE
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t first;

static void *work(void *unused)
{
	sem_wait(&first); /* so it comes after main's post, but perhaps before main at the barrier */
	int result = pthread_barrier_wait(&barrier);
#ifdef OTHER
	assert(result == 0); /* ERROR */
#endif
#ifdef LATE
	assert(result == PTHREAD_BARRIER_SERIAL_THREAD); /* ERROR */
#endif
	(void)result;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&first, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	sem_post(&first);
	int result = pthread_barrier_wait(&barrier);
#ifdef MAIN
	assert(result == 0); /* ERROR */
#endif
	(void)result;
	pthread_join(thread, NULL);
	return 0;
}
