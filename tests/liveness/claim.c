/* SPDX-License-Identifier: MIT
 *
 * Never claims by hand, and formulas from a file (never.pml, never_by_hand.pml, formulas.ltl beside this file).
 *
 * RUN: check --never tests/liveness/never.pml
 * EXPECT: violated ltl
 * RUN: check --never tests/liveness/never.pml -DRIGHT
 * EXPECT: verified
 * RUN: check --never tests/liveness/never_by_hand.pml --fairness none -DRIGHT
 * EXPECT: violated ltl
 * RUN: check --ltl-file tests/liveness/formulas.ltl -DRIGHT
 * EXPECT: verified
 * RUN: check --ltl-file tests/liveness/formulas.ltl
 * EXPECT: violated ltl
 * RUN: check --ltl-file tests/liveness/formulas.ltl --prop 'answered=answers > 3' -DRIGHT --ltl '<> answered' --property progress
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int requests, answers;

static void *server(void *unused)
{
	while (requests == 0)
		;
#ifdef RIGHT
	answers++;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, server, NULL);
	requests++;
	pthread_join(thread, NULL);
	return 0;
}
