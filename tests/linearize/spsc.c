/* SPDX-License-Identifier: MIT
 *
 * A ring for one producer and one consumer.
 *
 * RUN: --thread 'put(1); put(2); put(3)' --thread 'get(out(int)); get(out(int))'
 * EXPECT: linearizable
 * RUN: --thread 'put(1)' --thread 'get(out(int))' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --setup 'put(1)' --setup 'put(2)' --thread 'put(3)' --thread 'get(out(int))' -DBROKEN=2
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 2 };
static atomic_int items[SIZE];
static atomic_uint puts, gets;

bool put(int value)
{
	unsigned at = puts;
	if (at - gets == SIZE)
		return false;
#if BROKEN == 1
	puts = at + 1;
	items[at % SIZE] = value;
#else
	items[at % SIZE] = value;
	puts = at + 1;
#endif
	return true;
}

bool get(int *value)
{
	unsigned at = gets;
	if (puts == at)
		return false;
#if BROKEN == 2
	gets = at + 1;
	*value = items[at % SIZE];
#else
	*value = items[at % SIZE];
	gets = at + 1;
#endif
	return true;
}
