/* SPDX-License-Identifier: MIT
 *
 * A hash set with a lock for each bucket.  Its size is right only if it is counted under all locks: a published
 * BlockingCollection counts without.
 *
 * RUN: --thread 'add(1); size()' --thread 'add(2); take(1)'
 * EXPECT: linearizable
 * RUN: --setup 'add(2)' --thread 'size()' --thread 'take(2); add(1)' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --thread 'add(1)' --thread 'add(1)' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <pthread.h>
#include <stdbool.h>

enum { BUCKETS = 2 };
static pthread_mutex_t locks[BUCKETS] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static bool there[BUCKETS][2];

static bool change(int key, bool to)
{
	int b = key % BUCKETS;
	pthread_mutex_lock(&locks[b]);
	bool was = there[b][key / BUCKETS];
#if BROKEN == 2
	pthread_mutex_unlock(&locks[b]);
	pthread_mutex_lock(&locks[b]);
#endif
	there[b][key / BUCKETS] = to;
	pthread_mutex_unlock(&locks[b]);
	return was != to;
}

bool add(int key)
{
	return change(key, true);
}

bool take(int key)
{
	return change(key, false);
}

int size(void)
{
	int n = 0;
#if BROKEN == 1 /* each bucket by itself; the one of key 1 last */
	for (int b = 0; b < BUCKETS; b++) {
		pthread_mutex_lock(&locks[b]);
		n += there[b][0] + there[b][1];
		pthread_mutex_unlock(&locks[b]);
	}
#else
	for (int b = 0; b < BUCKETS; b++)
		pthread_mutex_lock(&locks[b]);
	for (int b = 0; b < BUCKETS; b++)
		n += there[b][0] + there[b][1];
	for (int b = BUCKETS; b-- > 0;)
		pthread_mutex_unlock(&locks[b]);
#endif
	return n;
}
