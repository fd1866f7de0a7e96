/* SPDX-License-Identifier: MIT
 *
 * Endless recursion with a few bytes in memory in each frame, of which there are more before 8 MB are full than there are
 * numbers for variables (with more processes, each has fewer): older frames are forgotten then (runtime/memory/memory.c).  What
 * ends otherwise, or needs these frames, is unknown: recursion that is deep but ends, variables that all frames can reach.
 *
 * RUN: check -O0
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DIN_MEMORY=volatile
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DPASSED --threads 60
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DMISSED
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DIN_THREAD
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DIN_INITIALISER -DIN_MEMORY=volatile
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DDEEP
 * EXPECT: inconclusive: thread 0 has more than 12743 variables on its stack
 * RUN: check -O0 -DCHAIN
 * EXPECT: inconclusive: thread 0 has more than 12743 variables on its stack
 * RUN: check -O0 -DLEFT
 * EXPECT: inconclusive: thread 0 has more than 12743 variables on its stack
 * RUN: check -O0 -DLOCKS
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DFAILS
 * EXPECT: inconclusive: thread 0 has more than 12743 variables on its stack
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#ifndef IN_MEMORY
#define IN_MEMORY
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf out;

#if defined(PASSED)
static void fill(int *to, int n)
{
	*to = n;
}

static int endless(int n) /* ERROR */
{
	int here, there[3] = { n, n, n };
	fill(&here, there[n % 3] + 1); /* ERROR */
	return endless(here) + 1; /* ERROR */
}
#elif defined(MISSED)
static long factorial(volatile int n) /* ERROR */
{
	return n == 0 ? 1 : n * factorial(n - 1); /* ERROR */
}
#define endless(n) (int)factorial(-1)
#elif defined(DEEP)
static int endless(volatile int n)
{
	return n < 20000 ? endless(n + 1) + 1 : n;
}
#elif defined(CHAIN)
struct link {
	const struct link *before;
	int n;
};

static int walk(const struct link *before)
{
	struct link here = { before, before ? before->n + 1 : 0 };
	return walk(&here) + 1;
}
#define endless(n) walk(NULL)
#elif defined(LEFT)
static int endless(volatile int n)
{
	if (n == 30000)
		longjmp(out, 1);
	return endless(n + 1) + 1;
}
#elif defined(LOCKS)
static int endless(volatile int n) /* ERROR */
{
	if (n == 0) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	return endless(n + 1) + 1; /* ERROR */
}
#elif defined(FAILS)
static int endless(volatile int n)
{
	assert(n < 30000);
	return endless(n + 1) + 1;
}
#else
static int endless(IN_MEMORY int n) /* ERROR */
{
	return endless(n + 1) + 1; /* ERROR */
}
#endif

static void *work(void *unused)
{
	endless(0);
	return unused;
}

static void initialise(void)
{
	endless(0);
}

int main(void)
{
	pthread_t thread;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	if (setjmp(out))
		return 0;
#ifdef IN_THREAD
	pthread_attr_t small; /* for speed */
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 2 << 20);
	pthread_create(&thread, &small, work, NULL);
	pthread_join(thread, NULL);
#endif
#ifdef IN_INITIALISER
	pthread_create(&thread, NULL, work, NULL);
	pthread_once(&once, initialise);
#endif
	(void)thread;
	(void)once;
	return endless(0);
}
