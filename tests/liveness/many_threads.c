/* SPDX-License-Identifier: MIT
 *
 * done(N) for threads with numbers around and beyond 63, each started by the one before.  Only threads that have been started
 * can have ended.
 *
 * RUN: check -DLAST=62 --fairness none --ltl '<> done(62)' --ltl '[] !done(63)' --ltl '[] (done(62) -> <> done(61))'
 * EXPECT: verified
 * RUN: check -DLAST=63 --fairness none --ltl '<> done(63)' --ltl '[] !done(64)' --ltl '!done(63) U {reached == 63}'
 * EXPECT: verified
 * RUN: check -DLAST=64 --fairness none --ltl '[] !done(65)' --ltl '[] (done(63) -> {reached >= 63})' --ltl '<> done(64)'
 * EXPECT: verified
 * RUN: check -DLAST=64 --fairness none --ltl '[] !done(64)'
 * EXPECT: violated ltl
 * RUN: check -DLAST=100 --fairness none --ltl '<> done(100)' --ltl '[] (done(64) -> {reached >= 64})' --ltl '[] !done(128)'
 * EXPECT: verified
 * RUN: check -DLAST=100 --fairness none --ltl '[] !done(99)'
 * EXPECT: violated ltl
 * RUN: check -DLAST=66 --invariant 'done(66) -> {reached == 66}' --invariant '!done(67)'
 * EXPECT: verified
 * RUN: check -DLAST=66 --invariant '!(done(65) && {reached < 65})'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int reached;

static void *start_next(void *unused)
{
	pthread_t next;
	if (reached == LAST)
		return unused;
	reached++;
	pthread_create(&next, NULL, start_next, NULL);
	pthread_join(next, NULL);
	return unused;
}

int main(void)
{
	start_next(NULL);
	return 0;
}
