/* SPDX-License-Identifier: MIT
 *
 * The indexer of Flanagan and Godefroid (POPL 2005): a table of 128 entries, N threads that insert 4 messages each.  The first
 * conflict is with 12 threads.  Compare-and-swap is made of a mutex for each entry; ATOMIC: it is C11's.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 128, MESSAGES = 4 };
#ifndef N
#define N 13
#endif
#include "../pairs/threads.h"

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
	int thread = NUMBER(argument);
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
#ifndef ATOMIC
	for (int i = 0; i < SIZE; i++)
		pthread_mutex_init(&locks[i], NULL);
#endif
	return run(work);
}
