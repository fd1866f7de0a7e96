/* SPDX-License-Identifier: MIT
 *
 * Loops that look like endless waits and are none: another loop writes what they read, under a mutex, or that is the mutex, or a
 * thread ends that is asked about.
 *
 * RUN: check -DUNDER_MUTEX
 * EXPECT: verified
 * RUN: check -DNESTED
 * EXPECT: verified
 * RUN: check -DPEEKS --races ignore
 * EXPECT: verified
 * RUN: check -DENDS
 * EXPECT: verified
 * ALSO: --reduction none
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined UNDER_MUTEX || defined NESTED || defined PEEKS

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int tick, tock;

/* Goes round between two states for ever. */
static void *work(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
#ifndef PEEKS
		tick ^= 1;
#endif
#ifdef NESTED
		tock = !tick;
#endif
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static int look(void)
{
#ifdef PEEKS
	return *(volatile int *)&mutex.__data.__lock;
#endif
	pthread_mutex_lock(&mutex);
#ifdef NESTED
	int seen = tock;
#else
	int seen = tick;
#endif
	pthread_mutex_unlock(&mutex);
	return seen;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	while (!look())
		;
	return 0;
}

#elif defined ENDS

static atomic_int flag;

static void *ends(void *unused)
{
	return unused;
}

static void *waits(void *unused)
{
	while (!flag)
		;
	return unused;
}

int main(void)
{
	pthread_t first, second;
	pthread_create(&first, NULL, ends, NULL);
	pthread_create(&second, NULL, waits, NULL);
	while (pthread_tryjoin_np(first, NULL) == EBUSY)
		;
	flag = 1;
	pthread_join(second, NULL);
	return 0;
}

#endif
