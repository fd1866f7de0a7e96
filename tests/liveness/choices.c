/* SPDX-License-Identifier: MIT
 *
 * Formulas with an argument and standard input that are choices: these are steps of the run before main, in which nothing
 * else happens, and each of them begins a run of its own.
 *
 * RUN: check --arg 1=1..3 --ltl '<> {seen > 0}'
 * EXPECT: verified for empty standard input
 * RUN: check --arg 1=0..3 --ltl '<> {seen > 0}'
 * EXPECT: violated ltl
 * RUN: check --arg 1=1..3 --ltl '[] {seen < 3}'
 * EXPECT: violated ltl
 * RUN: check --arg 1=1..2 --ltl '[] {seen < 3}' --property termination --stdin-bytes 1=xy
 * EXPECT: verified
 * RUN: check --arg 1=1..2 --property termination --stdin-bytes 2=xy
 * EXPECT: violated ltl
 * RUN: check --arg 1=1..3 --ltl '{seen == 0} U in(main)'
 * EXPECT: verified for empty standard input
 */
#include <stdio.h>
#include <stdlib.h>

static volatile int seen;

int main(int argc, char **argv)
{
	if (argc > 1)
		seen = atoi(argv[1]);
	if (getchar() == 'y' && getchar() == 'x')
		for (;;)
			;
	return 0;
}
