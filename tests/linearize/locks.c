/* SPDX-License-Identifier: MIT
 *
 * Locks as data structures: lock() of a lock that is taken is stuck in one piece, and may wait for ever only then.
 *
 * RUN: --thread 'lock(); unlock()' --thread 'lock(); unlock()'
 * EXPECT: linearizable
 * RUN: --thread 'lock()' --thread 'lock()'
 * EXPECT: linearizable
 * RUN: --thread 'lock(); unlock()' --thread 'try_lock()'
 * EXPECT: linearizable
 * RUN: --thread 'lock()' --thread 'lock()' -DBROKEN=1
 * EXPECT: violated not-linearizable
 * RUN: --thread 'lock(); unlock()' --thread 'lock()' -DBROKEN=2
 * EXPECT: violated not-linearizable
 *
 * A ticket lock: who has taken a ticket and does not come yet keeps all others out.  That is not so where a try takes a ticket and
 * goes away.
 *
 * RUN: --thread 'ticket_lock(); ticket_unlock()' --thread 'ticket_lock()'
 * EXPECT: linearizable
 * RUN: --thread 'ticket_lock(); ticket_unlock()' --thread 'ticket_try(); ticket_lock()'
 * EXPECT: linearizable
 * RUN: --thread 'ticket_lock(); ticket_unlock()' --thread 'ticket_try(); ticket_lock()' -DBROKEN=3
 * EXPECT: violated not-linearizable
 * RUN: --thread 'ticket_lock(); ticket_unlock()' --thread 'got = ticket_try()' --finally 'assert(next - served == got)' -DBROKEN=3
 * EXPECT: violated assertion
 *
 * Two locks in two orders: in one piece, each thread can be stuck with its second lock, too.
 *
 * RUN: --thread 'take(0); take(1)' --thread 'take(1); take(0)'
 * EXPECT: linearizable
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int taken, next, served;
static bool got;
static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

bool try_lock(void)
{
	return !atomic_exchange(&taken, 1);
}

void lock(void)
{
#if BROKEN == 1 /* looks, then takes */
	while (taken)
		;
	taken = 1;
#elif BROKEN == 2 /* looks once */
	if (!try_lock())
		for (;;)
			if (next)
				return;
#else
	while (!try_lock())
		;
#endif
}

void unlock(void)
{
	taken = 0;
}

void ticket_lock(void)
{
	int mine = next++;
	while (served != mine)
		;
}

bool ticket_try(void)
{
#if BROKEN == 3
	int mine = next;
	if (served != mine)
		return false;
	return next++ == mine; /* if not, the ticket is nobody's */
#else
	int mine = served;
	return atomic_compare_exchange_strong(&next, &mine, mine + 1);
#endif
}

void ticket_unlock(void)
{
	served++;
}

void take(int which)
{
	pthread_mutex_lock(&locks[which]);
}
