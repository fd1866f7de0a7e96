/* SPDX-License-Identifier: MIT
 *
 * Threads create threads; the grandchild's work is seen through two joins.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int total;

static void *work(void *argument)
{
	intptr_t depth = (intptr_t)argument;
	pthread_t child;
	if (depth > 0) {
		pthread_create(&child, NULL, work, (void *)(depth - 1));
		pthread_join(child, NULL);
	}
	total++;
	return NULL;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, NULL, work, (void *)2);
	pthread_join(a, NULL);
	assert(total == 3);
	return 0;
}
