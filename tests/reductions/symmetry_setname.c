/* SPDX-License-Identifier: MIT
 *
 * A thread gives a name to the thread with handle 3, a number of the program.  Whether that thread exists tells which of the two
 * threads runs, so they cannot be exchanged: the search found a fault in an exchanged state, and no schedule led there.
 *
 * RUN: check
 * EXPECT: violated thread-misuse
 * RUN: check --reduction none
 * EXPECT: violated thread-misuse
 * RUN: check -DLATE
 * EXPECT: verified
 * RUN: check -DLATE --reduction none
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_barrier_t all;

static void *name(void *unused)
{
#ifdef LATE
	pthread_barrier_wait(&all);
#endif
	pthread_setname_np((pthread_t)3, "third"); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t first, second;
	pthread_barrier_init(&all, NULL, 3);
	pthread_create(&first, NULL, name, NULL);
	pthread_create(&second, NULL, name, NULL);
#ifdef LATE
	pthread_barrier_wait(&all);
#endif
	pthread_join(first, NULL);
#ifndef LATE
	pthread_join(second, NULL);
#endif
	return 0;
}
