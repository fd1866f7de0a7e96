/* SPDX-License-Identifier: MIT
 *
 * Indexer: each of THREADS threads stores four values in a shared hash table of 128 slots, one mutex a slot.
 *
 * The values are 11 * m + tid for m = 1..4, at hash 7 * value mod 128, with linear probing.  Up to 11 threads no
 * two values hash alike, so all the interleaving is in vain: reductions shine here.
 *
 *     bitspin check -DTHREADS=3 examples/indexer.c
 *
 * RUN: check -DTHREADS=2
 * EXPECT: verified
 * RUN: check -DTHREADS=3
 * EXPECT: verified
 * RUN: check -DTHREADS=5 --search dfs -O1
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif

#define SLOTS 128
#define VALUES 4

static int table[SLOTS]; /* 0: free */
static pthread_mutex_t locks[SLOTS];

static int value(int tid, int m)
{
	return 11 * m + tid;
}

/* Puts `w` into slot `h` if that is free. */
static int put(int h, int w)
{
	pthread_mutex_lock(&locks[h]);
	int is_free = table[h] == 0;
	if (is_free)
		table[h] = w;
	pthread_mutex_unlock(&locks[h]);
	return is_free;
}

static void *work(void *argument)
{
	int tid = (int)(intptr_t)argument;
	for (int m = 1; m <= VALUES; m++) {
		int w = value(tid, m);
		int h = 7 * w % SLOTS;
		while (!put(h, w))
			h = (h + 1) % SLOTS;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	int stored = 0;
	for (int h = 0; h < SLOTS; h++)
		stored += table[h] != 0;
	assert(stored == VALUES * THREADS);
	return 0;
}
