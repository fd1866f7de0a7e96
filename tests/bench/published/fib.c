/* SPDX-License-Identifier: MIT
 *
 * Two threads add each other's sums N times, each by two reads and a store.  The sums stay below a number of Fibonacci.  As
 * published, main looks at them once, at any time, and returns.  JOINS: it looks again when both threads have ended.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 7
#endif

static atomic_int left = 1, right = 1;

static void *add_right(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		left = left + right;
	return NULL;
}

static void *add_left(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		right = right + left;
	return NULL;
}

int main(void)
{
	int before = 1, bound = 1;
	for (int i = 0; i < 2 * N; i++) {
		int next = before + bound;
		before = bound;
		bound = next;
	}
	pthread_t one, other;
	pthread_create(&one, NULL, add_right, NULL);
	pthread_create(&other, NULL, add_left, NULL);
	assert(left <= bound && right <= bound);
#ifdef JOINS
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(left <= bound && right <= bound);
#endif
	return 0;
}
