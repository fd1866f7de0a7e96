/* SPDX-License-Identifier: MIT
 *
 * Formulas that hold because their trigger never happens say so.
 *
 * RUN: check --ltl '[] ({x == 5} -> <> {x == 6})'
 * EXPECT: verified (vacuously: its premise {x == 5} never occurs)
 * RUN: check --ltl '[] ({x == 2} -> <> {x == 3})'
 * EXPECT: verified
 * RUN: check --ltl '[] ({x == 1} && {x == 2} -> false)'
 * EXPECT: verified (vacuously: its premise {x == 1} && {x == 2} never occurs)
 * RUN: check --ltl '[] (in(unused) -> false)' -O0
 * EXPECT: verified (vacuously: its premise in(unused) never occurs)
 */
#include <stdatomic.h>

static atomic_int x;

void unused(void)
{
	x = 9;
}

int main(void)
{
	x = 1;
	x = 2;
	x = 3;
	return 0;
}
