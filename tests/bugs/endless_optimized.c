/* SPDX-License-Identifier: MIT
 *
 * A loop that never ends and does nothing: the optimiser may take it for one that ends, and made an unreachable place of it.
 *
 * RUN: check -O0
 * EXPECT: verified
 * RUN: check -O1
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>

static void *spin(void *argument)
{
	int limit = *(int *)argument;
	for (unsigned char i = 0; i < limit; i += 32)
		;
	assert(0);
	return argument;
}

int main(void)
{
	int limit = 258;
	pthread_t thread;
	pthread_create(&thread, NULL, spin, &limit);
	pthread_join(thread, NULL);
	return 0;
}
