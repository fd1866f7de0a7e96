/* SPDX-License-Identifier: MIT
 *
 * Threads created and joined in a loop reuse what the dead ones left.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static int total;

static void *work(void *unused)
{
	total++;
	return unused;
}

int main(void)
{
	for (int i = 0; i < 30; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
	assert(total == 30);
	return 0;
}
