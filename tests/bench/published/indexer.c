/* SPDX-License-Identifier: MIT
 *
 * The indexer of Flanagan and Godefroid (POPL 2005, figure 8), written anew with the parameters that are published: a table of 128
 * entries, THREADS threads that insert 4 messages each.  The first conflict is with 12 threads.
 *
 *     THREADS=13      SCTBench's indexer_ok; 12 to 15: most papers
 *     (default)       compare-and-swap is made of a mutex per entry
 *     ATOMIC          it is C11's
 *     NO_JOIN, DETACHED, POINTER: changes that people make: main does not wait; threads are detached; the number is passed by
 *                     pointer.  RACY: the pointer is to the counter of main's loop, as in SCTBench
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { SIZE = 128, MESSAGES = 4 };
#ifndef THREADS
#define THREADS 13
#endif

#ifdef ATOMIC
static atomic_int table[SIZE];
static int compare_and_swap(int at, int expected, int value)
{
	return atomic_compare_exchange_strong(&table[at], &expected, value);
}
#else
static int table[SIZE];
static pthread_mutex_t locks[SIZE];
static int compare_and_swap(int at, int expected, int value)
{
	pthread_mutex_lock(&locks[at]);
	int same = table[at] == expected;
	if (same)
		table[at] = value;
	pthread_mutex_unlock(&locks[at]);
	return same;
}
#endif

static void *work(void *argument)
{
#if defined POINTER || defined RACY
	int thread = *(int *)argument;
#else
	int thread = (int)(intptr_t)argument;
#endif
	for (int m = 1; m <= MESSAGES; m++) {
		int w = m * 11 + thread, h = w * 7 % SIZE;
		while (!compare_and_swap(h, 0, w))
			h = (h + 1) % SIZE;
		assert(h < SIZE);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
#ifndef ATOMIC
	for (int i = 0; i < SIZE; i++)
		pthread_mutex_init(&locks[i], NULL);
#endif
#ifdef POINTER
	static int numbers[THREADS];
#endif
	for (int i = 0; i < THREADS; i++) {
#ifdef POINTER
		numbers[i] = i;
		pthread_create(&threads[i], NULL, work, &numbers[i]);
#elif defined RACY
		pthread_create(&threads[i], NULL, work, &i);
#else
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
#endif
#ifdef DETACHED
		pthread_detach(threads[i]);
#endif
	}
#if !defined NO_JOIN && !defined DETACHED
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
#endif
	return 0;
}
