/* SPDX-License-Identifier: MIT
 *
 * A thread that spins for ever on an atomic waits, and the search ends.
 *
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check --waits ignore
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int go;

static void *work(void *unused)
{
	while (!go) /* ERROR */
		sched_yield();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
