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
 * EXPECT: verified
 * RUN: check -DSTORED
 * EXPECT: verified
 * RUN: check -DCOMPUTED
 * EXPECT: verified
 * RUN: check -DORDERED=1
 * EXPECT: violated assertion
 * RUN: check -DORDERED=2
 * EXPECT: violated assertion
 * RUN: check -DCREATES
 * EXPECT: verified
 * RUN: check -DTWICE
 * EXPECT: violated thread-misuse
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static atomic_int arrived, last, found;
static _Atomic(int *) first;
static atomic_uintptr_t number;

static void *child(void *unused)
{
	return unused;
}

static void *work(void *unused)
{
	int own = 0, *expected = NULL;
	int order = arrived++;
	(void)own, (void)expected;
#ifdef IDENTITY
	if (order == 1)
		last = gettid() - getpid(); /* whoever comes second */
#elif defined STORED
	if (order == 0)
		first = &own;
	if (first == &own)
		assert(order == 0);
#elif defined COMPUTED
	uintptr_t disguised = (uintptr_t)&own * 3;
	if (order == 0)
		number = disguised;
	if (number == disguised)
		assert(order == 0);
#elif defined ORDERED
	if (order == 1) /* an address between those of the two */
		last = &own < (int *)UINT64_C(0x200000000000) ? 1 : 2;
#elif defined CREATES
	pthread_t thread;
	pthread_create(&thread, NULL, child, NULL);
	found++;
#else
	(void)order;
#endif
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	pthread_join(threads[0], NULL);
#ifdef TWICE
	pthread_join(threads[0], NULL);
#else
	pthread_join(threads[1], NULL);
#endif
#ifdef IDENTITY
	assert(last != IDENTITY);
#elif defined ORDERED
	assert(last != ORDERED);
#elif defined CREATES
	assert(found == 2);
#endif
	(void)child;
}
