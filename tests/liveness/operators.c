/* SPDX-License-Identifier: MIT
 *
 * Every operator, over a run whose values are known: x is 0, 1, 2, 3 in turn, while y is 1 from x == 1 on; both stay as they
 * are when the program has ended, as a run that ends stays in its last state.
 *
 * RUN: check --ltl '{x == 0}'
 * EXPECT: verified
 * RUN: check --ltl '{x == 1}'
 * EXPECT: violated ltl
 * RUN: check --ltl '!{x == 1} && not {x == 2}'
 * EXPECT: verified
 * RUN: check --ltl '[] {x <= 3}' --ltl 'G {x <= 3}' --ltl 'always {x <= 3}'
 * EXPECT: verified
 * RUN: check --ltl '[] {x <= 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {x == 2}' --ltl 'F {x == 2}' --ltl 'eventually {x == 2}'
 * EXPECT: verified
 * RUN: check --ltl '<> {x == 4}'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] {x == 3}' --ltl '[] <> {x == 3}'
 * EXPECT: verified
 * RUN: check --ltl '<> [] {x == 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] <> {x == 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '{x == 0} U {x == 1}' --ltl '{x < 2} until {y == 1}'
 * EXPECT: verified
 * RUN: check --ltl '{x == 0} U {x == 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '{x <= 3} U {x == 4}'
 * EXPECT: violated ltl
 * RUN: check --ltl '{x <= 3} W {x == 4}' --ltl '{x == 0} weakuntil {x == 1}'
 * EXPECT: verified
 * RUN: check --ltl '{x == 0} W {x == 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '{x == 3} V {x <= 3}' --ltl '{x == 3} R {x <= 3}' --ltl '{x == 4} release {x <= 3}'
 * EXPECT: verified
 * RUN: check --ltl '{x == 3} V {x <= 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({x == 1} -> <> {x == 2})' --ltl '[] ({x == 2} implies {y == 1})'
 * EXPECT: verified
 * RUN: check --ltl '[] ({x == 2} -> <> {x == 1})'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({x >= 1} <-> {y == 1})' --races ignore
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({y == 1} -> {x >= 1})' --ltl '<> ({x == 3} <-> {y == 1})' --ltl '[] ({x > 9} equivalent {y > 9})'
 * EXPECT: verified
 * RUN: check --ltl '[] ({x == 0} || {x >= 1} && {x <= 3})' --ltl '[] ({x == 0} or {x >= 1} and {x <= 3})'
 * EXPECT: verified
 * RUN: check --ltl 'true U false'
 * EXPECT: violated ltl
 */
#include <stdatomic.h>

static atomic_int x, y;

int main(void)
{
	x = 1;
	y = 1;
	x = 2;
	x = 3;
	return 0;
}
