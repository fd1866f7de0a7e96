/* SPDX-License-Identifier: MIT
 *
 * A counter: under a lock, atomic, and with an update of two steps.
 *
 * RUN: --thread 'increment(); get()' --thread 'increment()'
 * EXPECT: linearizable
 * RUN: --thread 'add(); add()' --thread 'add()' --thread 'add()'
 * EXPECT: linearizable
 *
 * 72,072 orders of whole operations, which lead to few states.
 * RUN: --thread 'add(); get(); add(); get(); add()' --thread 'add(); get(); add(); get(); add()' --thread 'add(); get(); add()'
 * EXPECT: linearizable: 3 threads, 13 operations
 *
 * RUN: --thread 'increment()' --thread 'increment()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --thread 'add()' --thread 'add()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static atomic_int number;

int get(void)
{
	pthread_mutex_lock(&lock);
	int v = value;
	pthread_mutex_unlock(&lock);
	return v;
}

int increment(void)
{
#if BROKEN == 1
	int v = get() + 1;
	pthread_mutex_lock(&lock);
	value = v;
	pthread_mutex_unlock(&lock);
	return v;
#else
	pthread_mutex_lock(&lock);
	int v = ++value;
	pthread_mutex_unlock(&lock);
	return v;
#endif
}

int add(void)
{
#if BROKEN == 2
	int n = number + 1;
	number = n;
	return n;
#else
	return ++number;
#endif
}
