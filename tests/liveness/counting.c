/* SPDX-License-Identifier: MIT
 *
 * A never claim that counts steps: x is 1 twice in a row.  It is so after each of the other thread's operations, which super-steps
 * pass over; such a claim is checked without them, so the verdict does not depend on --reduction.  Where x is 1 for one step
 * only (-DSHORT) it is not violated.
 *
 * RUN: check --never tests/liveness/counting.pml --fairness none
 * EXPECT: violated ltl
 * RUN: check --never tests/liveness/counting.pml --fairness none --reduction none
 * EXPECT: violated ltl
 * RUN: check --never tests/liveness/counting.pml --fairness none -DSHORT
 * EXPECT: verified
 * RUN: check --never tests/liveness/counting.pml --fairness none -DSHORT --reduction none
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *work(void *unused)
{
#ifndef SHORT
	x = 1;
	y = 1;
	x = 0;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
#ifdef SHORT
	x = 1;
	x = 0;
#endif
	return 0;
}
