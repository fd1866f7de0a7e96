/* SPDX-License-Identifier: MIT
 *
 * Three philosophers, each of whom takes the left fork first.
 *
 * EXPECT: violated deadlock
 */
#include "padding.h"

enum { SEATS = 3 };
static pthread_mutex_t forks[SEATS];
static atomic_int meals;

static void *dine(void *argument)
{
	int seat = (int)(long)argument;
	pthread_mutex_lock(&forks[seat]);
	pthread_mutex_lock(&forks[(seat + 1) % SEATS]); /* ERROR: its neighbour may have it */
	atomic_fetch_add(&meals, 1);
	pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
	pthread_mutex_unlock(&forks[seat]);
	return 0;
}

int main(void)
{
	pthread_t threads[SEATS];
	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&forks[i], 0);
	for (long i = 0; i < SEATS; i++)
		pthread_create(&threads[i], 0, dine, (void *)i);
	pad();
	for (int i = 0; i < SEATS; i++)
		pthread_join(threads[i], 0);
	pad_end();
}
