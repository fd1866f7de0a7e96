/* SPDX-License-Identifier: MIT
 *
 * Operations with inputs of which a few values do not stand for all: all of them count, as sets.  LOST: for some an update can be
 * lost.
 *
 * RUN: --thread 'add()' --thread 'get(); get()'
 * EXPECT: linearizable: 2 threads, 3 operations
 * RUN: --thread 'add()' --thread 'add()' -DLOST
 * EXPECT: violated not-linearizable
 * RUN: --thread 'add()' --thread 'add()'
 * EXPECT: linearizable: 2 threads, 2 operations
 * RUN: --memory c11 --thread 'add()' --thread 'get(); get()'
 * EXPECT: linearizable under C11's memory model (RC11): 2 threads, 3 operations
 */
#include <stdatomic.h>
#include <bitspin.h>

static atomic_int cell;

int add(void)
{
	unsigned n = bitspin_any_unsigned();
#ifdef LOST
	if (n > 1000 && n % 7 == 3) {
		int old = atomic_load(&cell);
		atomic_store(&cell, old + 1);
		return old;
	}
#endif
	return n % 7 == 3 ? atomic_fetch_add(&cell, 1) : atomic_fetch_sub(&cell, -1);
}

int get(void)
{
	return atomic_load(&cell);
}
