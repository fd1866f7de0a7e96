/* SPDX-License-Identifier: MIT
 *
 * Semaphores: never initialised, destroyed while a thread waits, used when destroyed, closed though never opened,
 * initialised twice.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=2
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=3
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=4
 * EXPECT: violated mutex-misuse
 * RUN: check -DCASE=5
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *wait(void *unused)
{
	sem_wait(&semaphore); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	if (CASE == 1)
		sem_post(&semaphore); /* ERROR */
	sem_init(&semaphore, 0, 0);
	switch (CASE) {
	case 2:
		pthread_create(&thread, NULL, wait, NULL);
		sem_destroy(&semaphore); /* ERROR */
		break;
	case 3:
		sem_destroy(&semaphore);
		sem_post(&semaphore); /* ERROR */
		break;
	case 4:
		sem_close(&semaphore); /* ERROR */
		break;
	case 5:
		sem_init(&semaphore, 0, 1); /* ERROR */
		break;
	}
	return 0;
}
