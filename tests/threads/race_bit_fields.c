/* SPDX-License-Identifier: MIT
 *
 * Adjacent bit-fields share their memory: a race, and one update can be lost.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --races ignore
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } shared;

static void *left(void *unused)
{
	shared.a = 1; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, left, NULL);
	shared.b = 2; /* ERROR */
	pthread_join(thread, NULL);
	assert(shared.a == 1 && shared.b == 2); /* ERROR */
	return 0;
}
