/* SPDX-License-Identifier: MIT
 *
 * pthread_attr_setstacksize and pthread_attr_setstack: a thread has the stack that its attributes say, 8 MB if they do not; the
 * next thread in its place has its own again.
 *
 * RUN: check -O0
 * EXPECT: verified
 * RUN: check -O0 -DSIZE=32768
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DSIZE=65536 -DBYTES=70000
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DSIZE=131072 -DBYTES=70000
 * EXPECT: verified
 * RUN: check -O0 -DSIZE=33554432 -DBYTES=20000000
 * EXPECT: verified
 * RUN: check -O0 -DBYTES=20000000
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DGIVEN -DSIZE=32768
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DGIVEN -DSIZE=262144
 * EXPECT: verified
 * RUN: check -O0 -DENDLESS -DSIZE=131072
 * EXPECT: violated stack-overflow
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef BYTES
#define BYTES 1
#endif

static int sum(int n) /* ERROR */
{
	volatile char some[100]; /* ERROR */
	some[0] = (char)n;
#ifdef ENDLESS
	return sum(n + 1) + some[0]; /* ERROR */
#endif
	return n == 0 ? some[0] : n + sum(n - 1); /* ERROR */
}

static void *work(void *unused) /* ERROR */
{
	volatile char much[BYTES]; /* ERROR */
	much[0] = 1;
	sum(300);
	return unused;
}

static void *usual(void *unused)
{
	volatile char much[4 << 20];
	much[0] = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	assert(pthread_attr_setstacksize(&attributes, 1000) == EINVAL);
#ifdef GIVEN
	void *stack = aligned_alloc(4096, SIZE);
	assert(pthread_attr_setstack(&attributes, stack, SIZE) == 0);
#elif defined(SIZE)
	assert(pthread_attr_setstacksize(&attributes, SIZE) == 0);
#endif
	pthread_create(&thread, &attributes, work, NULL);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, usual, NULL);
	pthread_join(thread, NULL);
	return 0;
}
