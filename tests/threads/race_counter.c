/* SPDX-License-Identifier: MIT
 *
 * Two threads count without a lock.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --races ignore
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *unused)
{
	counter++; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2); /* ERROR */
	return 0;
}
