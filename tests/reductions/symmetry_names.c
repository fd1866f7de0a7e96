/* SPDX-License-Identifier: MIT
 *
 * Threads that look alike, and that something tells apart: their identities, addresses of what they own, or handles.  Each
 * program goes wrong if states are one that differ by an exchange of the two threads.
 *
 * RUN: check -DIDENTITY=1
 * EXPECT: violated assertion
 * RUN: check -DIDENTITY=2
 * EXPECT: violated assertion
 * RUN: check -DIDENTITY=3
 * EXPECT: verified for one process id
 * RUN: check -DSTORED
 * EXPECT: verified
 * RUN: check --leaks --reduction symmetry -DKEPT
 * EXPECT: verified
 * RUN: check -DDISGUISED='(uintptr_t)&own * 3'
 * EXPECT: verified
 * RUN: check -DDISGUISED='0 - (uintptr_t)&own'
 * EXPECT: verified
 * RUN: check -DORDERED=1
 * EXPECT: violated assertion
 * RUN: check -DORDERED=2
 * EXPECT: violated assertion
 * RUN: check -DORDERED=1 -DCOMPUTED
 * EXPECT: violated assertion
 * RUN: check -DORDERED=2 -DCOMPUTED
 * EXPECT: violated assertion
 * RUN: check -DCREATES
 * EXPECT: verified
 * RUN: check -DCREATES='found == 1 && bitspin_choose(0, 1)'
 * EXPECT: verified
 * RUN: check -DCREATES='found == 1 && bitspin_choose(0, 1)' -DCOUNTED
 * EXPECT: violated assertion
 * RUN: check -DHANDLE=0
 * EXPECT: violated assertion
 * RUN: check -DHANDLE=1
 * EXPECT: violated assertion
 * RUN: check -DTWICE
 * EXPECT: violated thread-misuse
 */
#define _GNU_SOURCE
#include "bitspin.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef COMPUTED
#define BETWEEN ((int *)(shifted << 25))
#else
#define BETWEEN ((int *)UINT64_C(0x200000000000))
#endif

static atomic_int arrived, last, found;
static _Atomic(int *) first;
static atomic_uintptr_t number;
static pthread_mutex_t robust;
static volatile uint64_t shifted = 1 << 20;

static void *child(void *unused)
{
	last++;
	return unused;
}

static void *work(void *unused)
{
	int own = 0;
#ifdef CREATES
	int order = 0;
#else
	int order = arrived++;
#endif
	(void)own, (void)order;
#ifdef IDENTITY
	if (order == 1)
		last = gettid() - getpid(); /* whoever comes second */
#elif defined STORED
	if (order == 0)
		first = &own;
	if (first == &own)
		assert(order == 0);
#elif defined KEPT
	if (order == 0)
		first = malloc(sizeof *first); /* nobody reads it, but it is no leak */
	found++;
#elif defined DISGUISED
	uintptr_t disguised = DISGUISED;
	if (order == 0)
		number = disguised;
	if (number == disguised)
		assert(order == 0);
#elif defined ORDERED
	if (order == 1) /* an address between those of the two */
		last = &own < BETWEEN ? 1 : 2;
#elif defined HANDLE
	if (order == 0)
		pthread_mutex_lock(&robust); /* its slot is not free until somebody else has locked it */
#elif defined CREATES
	pthread_t thread;
	if (CREATES)
		pthread_create(&thread, NULL, child, NULL);
	last++;
	found++;
#endif
	return unused;
}

int main(void)
{
	pthread_t threads[3];
#ifdef HANDLE
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
#endif
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	pthread_join(threads[0], NULL);
#ifdef TWICE
	pthread_join(threads[0], NULL); /* ERROR */
#endif
	pthread_join(threads[1], NULL);
#ifdef IDENTITY
	assert(last != IDENTITY); /* ERROR */
#elif defined ORDERED
	assert(last != ORDERED); /* ERROR */
#elif defined HANDLE
	pthread_create(&threads[2], NULL, child, NULL);
	assert(threads[2] != threads[HANDLE]); /* that of the other one is used again */ /* ERROR */
	pthread_join(threads[2], NULL);
#elif defined COUNTED
	assert(last == 2); /* its child may have counted, too */ /* ERROR */
#elif defined CREATES
	assert(found == 2);
#endif
	(void)child;
}
