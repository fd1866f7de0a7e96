/* SPDX-License-Identifier: MIT
 *
 * Formulas that hold because their trigger never happens say so.
 *
 * RUN: check --ltl '[] ({x == 5} -> <> {x == 6})'
 * EXPECT: verified (vacuous: {x == 5} is never true)
 * RUN: check --ltl '[] ({x == 2} -> <> {x == 3})'
 * EXPECT: verified
 * RUN: check --ltl '[] ({x == 1} && {x == 2} -> false)'
 * EXPECT: verified (vacuous: {x == 1} && {x == 2} is never true)
 * RUN: check --ltl '[] (in(unused) -> false)' -O0
 * EXPECT: verified (vacuous: in(unused) is never true)
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
