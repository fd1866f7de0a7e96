/* SPDX-License-Identifier: MIT
 *
 * The program calls abort, under one schedule.
 *
 * RUN: check
 * EXPECT: violated abort
 * RUN: check --profile svcomp
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void *work(void *unused)
{
	done = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	if (done)
		abort(); /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
