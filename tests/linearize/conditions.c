/* SPDX-License-Identifier: MIT
 *
 * Registers that are right when calls come one by one, and late in three ways.
 *
 * A copy that only one reader at a time brings up to date: another one returns what the copy was.  A reader that holds `busy` makes
 * a later reader return the old value, although the write has returned: that is wrong in real time.  If another thread has
 * written, the order in each thread allows it.  Both reads may come after the write, with nothing under way in between.
 *
 * RUN: --thread 'refreshed()' --thread 'set(1)' --thread 'refreshed()'
 * EXPECT: violated not-linearizable
 * RUN: --thread 'refreshed()' --thread 'set(1)' --thread 'refreshed()' --condition sequential
 * EXPECT: sequentially consistent
 * RUN: --thread 'refreshed()' --thread 'set(1); refreshed()' --condition sequential
 * EXPECT: violated not-linearizable
 * RUN: --thread 'refreshed()' --thread 'set(1); refreshed()' --condition quiescent
 * EXPECT: violated not-linearizable
 *
 * A write that gives up where somebody reads: it is lost, also when all have returned.  The second read comes after that.
 *
 * RUN: --thread 'set_if_free(1)' --thread 'locked(); locked()'
 * EXPECT: violated not-linearizable
 * RUN: --thread 'set_if_free(1)' --thread 'locked(); locked()' --condition sequential
 * EXPECT: sequentially consistent
 * RUN: --thread 'set_if_free(1)' --thread 'locked(); locked()' --condition quiescent
 * EXPECT: violated not-linearizable
 *
 * Blocked for ever: the wait is for a value that another thread writes in two steps, and takes away.
 *
 * RUN: --thread 'await()' --thread 'set(1); set(0)' --condition sequential
 * EXPECT: sequentially consistent
 * RUN: --thread 'await()' --thread 'set(1)' --condition sequential -DDEAF
 * EXPECT: violated not-linearizable
 * RUN: --thread 'await()' --thread 'set(1)' --condition quiescent -DDEAF
 * EXPECT: violated not-linearizable
 */
#include <stdatomic.h>

static atomic_int value, copy, busy;

void set(int v)
{
	value = v;
}

int refreshed(void)
{
	if (!atomic_exchange(&busy, 1)) {
		copy = value;
		busy = 0;
	}
	return copy;
}

void set_if_free(int v)
{
	if (!atomic_exchange(&busy, 1)) {
		value = v;
		busy = 0;
	}
}

int locked(void)
{
	while (atomic_exchange(&busy, 1))
		;
	int v = value;
	busy = 0;
	return v;
}

void await(void)
{
#ifdef DEAF /* looks once, then waits for a change that nobody makes */
	if (!value)
		while (!copy)
			;
#else
	while (!value)
		;
#endif
}
