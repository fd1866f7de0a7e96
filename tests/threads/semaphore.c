/* SPDX-License-Identifier: MIT
 *
 * A bounded buffer with semaphores: correct; with the two waits the wrong way round it deadlocks; without the semaphore that
 * excludes it is a race.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DSWAPPED
 * EXPECT: violated deadlock
 * RUN: check -DOPEN
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { ITEMS = 3, SIZE = 2 };

static sem_t empty, full, access;
static int buffer[SIZE], in, out, count;

static void *produce(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
#ifdef SWAPPED
		sem_wait(&access); /* ERROR */
		sem_wait(&empty); /* ERROR */
#else
		sem_wait(&empty);
		sem_wait(&access);
#endif
		buffer[in] = i;
		in = (in + 1) % SIZE;
		count++; /* ERROR */
		sem_post(&access);
		sem_post(&full);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&empty, 0, SIZE);
	sem_init(&full, 0, 0);
#ifdef OPEN
	sem_init(&access, 0, 2);
#else
	sem_init(&access, 0, 1);
#endif
	pthread_create(&thread, NULL, produce, NULL);
	for (int i = 0; i < ITEMS; i++) {
#ifdef SWAPPED
		sem_wait(&access); /* ERROR */
		sem_wait(&full); /* ERROR */
#else
		sem_wait(&full);
		sem_wait(&access);
#endif
		assert(count > 0 && count <= SIZE); /* ERROR */
		assert(buffer[out] == i);
		out = (out + 1) % SIZE;
		count--; /* ERROR */
		sem_post(&access);
		sem_post(&empty);
	}
	pthread_join(thread, NULL);
	sem_destroy(&access);
	return 0;
}
