/* SPDX-License-Identifier: MIT
 *
 * A thread that main does not wait for may, or may not, get its work done.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DJOIN
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

static void *work(void *unused)
{
#ifdef JOIN
	assert(0); /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	return 0;
}
