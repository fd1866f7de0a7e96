/* SPDX-License-Identifier: MIT
 *
 * A property that looks at x first does not read y while x is 0.  A write to x makes it read y; so that write depends on writes
 * to y, though nobody reads y yet.  Super-steps once took them for independent and passed the state over in which both are 1.
 * Likewise within one step: after a write to x the plain write to y counts, and the thread rests before it (-DONE).
 *
 * RUN: check --invariant '!(x == 1 && y == 1)'
 * EXPECT: violated invariant
 * RUN: check --ltl '[] !{x == 1 && y == 1}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !{y == 1 && x == 1}'
 * EXPECT: violated ltl
 * RUN: check -DONE --ltl '<> {z == 1 && w == 0}' --ltl '<> {w == 0 && z == 1}'
 * EXPECT: verified
 * RUN: check -DONE --ltl '[] !{x == 2 && w == 0}'
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int z, w;

static void *work(void *unused)
{
#ifdef ONE
	z = 1;
	w = 1;
	w = 0;
	x = 2;
	w = 1;
#else
	(void)z, (void)w;
	x = 1;
	x = 0;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifndef ONE
	y = 1; /* ERROR */
	y = 0;
#else
	(void)y;
#endif
	pthread_join(thread, NULL);
	return 0;
}
