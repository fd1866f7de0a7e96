/* SPDX-License-Identifier: MIT
 *
 * A path that an assumption cuts is no run of the program: that p never came there is no violation of <> p.  The paths that go
 * on count, and so does what happens for sure before a cut.
 *
 * RUN: check --ltl '<> {x == 2}'
 * EXPECT: verified
 * RUN: check --ltl '<> {x == 1}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] ({x == 1} -> <> {x == 2})' --property termination
 * EXPECT: verified
 * RUN: check --ltl '[] {x == 0}'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {x == 2}' -DLOOP
 * EXPECT: verified
 */
#include <stdatomic.h>
#include "bitspin.h"

static atomic_int x;

int main(void)
{
	int choice = bitspin_choose(0, 2);
	if (choice == 1)
		x = 1;
	bitspin_assume(choice != 0);
#ifdef LOOP
	while (choice == 1)
		bitspin_assume(x != 1);
#endif
	x = 2;
	return 0;
}
