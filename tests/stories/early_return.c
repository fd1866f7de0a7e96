/* SPDX-License-Identifier: MIT
 *
 * A worker returns early and keeps the semaphore: the next one waits for ever.
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t free_slots;
static int jobs = 1;

static void *work(void *unused)
{
	sem_wait(&free_slots);
	if (jobs == 0)
		return unused; /* without sem_post */
	jobs--;
	sem_post(&free_slots);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&free_slots, 0, 1);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}
