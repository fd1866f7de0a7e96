/* SPDX-License-Identifier: MIT
 *
 * The value of a semaphore is taken for the number of a free slot: two threads find the same one.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#define SLOTS 2
static sem_t free_slots;
static int used[SLOTS];
static void *user(void *p)
{
	int value;
	sem_wait(&free_slots);
	sem_getvalue(&free_slots, &value);
	int slot = value % SLOTS;
	assert(!__atomic_exchange_n(&used[slot], 1, __ATOMIC_SEQ_CST));
	__atomic_store_n(&used[slot], 0, __ATOMIC_SEQ_CST);
	sem_post(&free_slots);
	return p;
}
int main(void)
{
	pthread_t t[3];
	sem_init(&free_slots, 0, SLOTS);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, user, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	sem_destroy(&free_slots);
	return 0;
}
