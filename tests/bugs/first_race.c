/* SPDX-License-Identifier: MIT
 *
 * Two races on one path.  The search passed over the first, which it knew from another path, and the replay, which ends there, was
 * taken for a replay that fails: an internal error.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --reduction all,-histories
 * EXPECT: violated data-race
 * RUN: check --reduction none
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed

struct shared {
	volatile int data;
	atomic_int flag;
};

static struct shared *shared;

static void *publish(void *unused)
{
	shared->data = 7;
	atomic_store_explicit(&shared->flag, 1, RELAXED);
	return unused;
}

static void *read_late(void *unused)
{
	int found = 0;
	if (!atomic_compare_exchange_strong_explicit(&shared->flag, &found, 3, RELAXED, RELAXED)) /* ERROR */
		(void)(3 + shared->data);                                                         /* ERROR */
	return unused;
}

static void *write_flag(void *unused)
{
	int found = 0;
	if (atomic_compare_exchange_strong_explicit(&shared->flag, &found, 2, RELAXED, RELAXED))
		*(volatile int *)&shared->flag = 7; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t first, second, third;
	shared = calloc(1, sizeof *shared);
	pthread_create(&first, NULL, publish, NULL);
	pthread_create(&second, NULL, read_late, NULL);
	pthread_create(&third, NULL, write_flag, NULL);
	pthread_join(first, NULL);
	return 0;
}
