/* SPDX-License-Identifier: MIT
 *
 * An atomic and a plain access to one variable are a race.
 *
 * RUN: check
 * EXPECT: violated data-race
 */
#include <pthread.h>

int shared;

static void *work(void *unused)
{
	__atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	shared = 5; /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
