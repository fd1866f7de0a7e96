/* SPDX-License-Identifier: MIT
 *
 * The indexer, action for action as in Florian's thesis on SCALE (2010), appendix A.2: main is one of the THREADS threads, and the
 * handles of the others are global.  The mutexes need no initialisation.
 */
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 3
#endif

enum { SLOTS = 128, VALUES = 4 };

static int table[SLOTS]; /* 0: free */
static pthread_mutex_t locks[SLOTS];
static pthread_t others[THREADS];

static int put(int h, int w)
{
	pthread_mutex_lock(&locks[h]);
	int is_free = table[h] == 0;
	if (is_free)
		table[h] = w;
	pthread_mutex_unlock(&locks[h]);
	return is_free;
}

static void *work(void *number)
{
	for (int m = 1; m <= VALUES; m++) {
		int w = 11 * m + (int)(intptr_t)number, h = 7 * w % SLOTS;
		while (!put(h, w))
			h = (h + 1) % SLOTS;
	}
	return 0;
}

int main(void)
{
	for (int i = 0; i < THREADS - 1; i++)
		pthread_create(&others[i], 0, work, (void *)(intptr_t)i);
	work((void *)(intptr_t)(THREADS - 1));
	for (int i = 0; i < THREADS - 1; i++)
		pthread_join(others[i], 0);
	return 0;
}
