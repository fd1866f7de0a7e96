/* SPDX-License-Identifier: MIT
 *
 * A race on a local variable of main whose address went to the thread.
 *
 * RUN: check
 * EXPECT: violated data-race
 */
#include <pthread.h>

static void *work(void *local)
{
	*(int *)local = 1; /* ERROR */
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int local = 0;
	pthread_create(&thread, NULL, work, &local);
	local++; /* ERROR */
	pthread_join(thread, NULL);
	return local;
}
