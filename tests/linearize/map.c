/* SPDX-License-Identifier: MIT
 *
 * A map under a read-write lock.
 *
 * RUN: --thread 'set(1, 5); get(1)' --thread 'set(1, 6)' --thread 'move(1, 0)'
 * EXPECT: linearizable
 * RUN: --setup 'set(1, 5)' --thread 'move(1, 0)' --thread 'get(1); get(0)' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'set(1, 5)' --thread 'move(1, 0)' --thread 'move(1, 2)' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int values[3];

static void write_lock(void)
{
#if BROKEN == 2
	pthread_rwlock_rdlock(&lock);
#else
	pthread_rwlock_wrlock(&lock);
#endif
}

int set(int key, int value)
{
	write_lock();
	int old = values[key];
	values[key] = value;
	pthread_rwlock_unlock(&lock);
	return old;
}

int get(int key)
{
	pthread_rwlock_rdlock(&lock);
	int value = values[key];
	pthread_rwlock_unlock(&lock);
	return value;
}

/* Move what is at one key to another one. */
int move(int from, int to)
{
#if BROKEN == 1
	int value = set(from, 0);
	set(to, value);
#else
	write_lock();
	int value = values[from];
	values[from] = 0;
	values[to] = value;
	pthread_rwlock_unlock(&lock);
#endif
	return value;
}
