/* SPDX-License-Identifier: MIT
 *
 * A bounded buffer that blocks.  get() of an empty buffer is stuck in one piece: so it may wait for ever, where nobody puts.
 *
 * RUN: --thread 'put(1); put(2)' --thread 'get(); get()'
 * EXPECT: linearizable
 * RUN: --thread 'put(1)' --thread 'get()' --thread 'get()'
 * EXPECT: linearizable
 * RUN: --thread 'get()'
 * EXPECT: linearizable
 * RUN: --thread 'put(1); put(2); put(3)' --thread 'get()'
 * EXPECT: linearizable
 * RUN: --thread 'put(1)' --thread 'get()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 *
 * Both sleep, and nobody is told of the item.  Each would get it in one piece: that the other one has it is no excuse.
 * RUN: --thread 'put(1)' --thread 'get()' --thread 'get()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --thread 'put(1); get()' --thread 'get()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 * RUN: --setup 'put(0)' --thread 'put(1)' --thread 'get()' -DBROKEN=4
 * EXPECT: violated not-linearizable
 *
 * Wakes one, which may wait for something else: with two threads, at most one sleeps when the other one signals.
 * RUN: --setup 'put(0)' --thread 'put(1)' --thread 'put(2)' --thread 'get()' --thread 'get()' -DBROKEN=3
 * EXPECT: violated not-linearizable
 */
#include <pthread.h>

enum { ROOM = 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[ROOM + 1], count;

static void wake(void)
{
#if BROKEN == 3 /* may wake one that waits for something else */
	pthread_cond_signal(&changed);
#else
	pthread_cond_broadcast(&changed);
#endif
}

void put(int value)
{
	pthread_mutex_lock(&lock);
	while (count == ROOM)
		pthread_cond_wait(&changed, &lock);
	items[count++] = value;
#if BROKEN != 1 /* nobody is told */
	wake();
#endif
	pthread_mutex_unlock(&lock);
}

int get(void)
{
	int value = -1;
	pthread_mutex_lock(&lock);
#if BROKEN == 2 /* what was there may be gone */
	if (count == 0)
		pthread_cond_wait(&changed, &lock);
#else
	while (count == 0)
		pthread_cond_wait(&changed, &lock);
#endif
	if (count)
		value = items[--count];
#if BROKEN != 4 /* nobody is told of the room */
	wake();
#endif
	pthread_mutex_unlock(&lock);
	return value;
}
