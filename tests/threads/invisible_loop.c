/* SPDX-License-Identifier: MIT
 *
 * An endless loop without any visible operation: the search ends all the same.
 *
 * RUN: check
 * EXPECT: verified
 */
#include <pthread.h>

static void *endless(void *unused)
{
	(void)unused;
	for (volatile int i = 0;; i = !i)
		;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, endless, NULL);
	return 0;
}
