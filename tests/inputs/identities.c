/* SPDX-License-Identifier: MIT
 *
 * Identities of arithmetic over inputs of 32 bits, which bits alone do not show: a second solver knows them.  Some only look like
 * identities.  The verdicts are derived by hand.
 *
 * RUN: check -O0 --inputs symbolic -DHOLDS='x * (y + z) == x * y + x * z'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='(x + y) * (x - y) == x * x - y * y'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='x * x * x - 1 == (x - 1) * (x * x + x + 1)'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='(x + y) * (x + y) == x * x + 2 * x * y + y * y'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='(x << 3) * y == x * (y << 3)'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='(x + y) * z - y * z == x * z'
 * EXPECT: verified
 *
 * Where a sum wraps around, or one of the products is not the other one: false.
 * RUN: check -O0 --inputs symbolic -DHOLDS='(x + y) * (x - y) == x * x - y * y + (z == 77777)'
 * EXPECT: violated assertion
 * RUN: check -O0 --inputs symbolic -DHOLDS='x * (y + z) == x * y + x * z + (x == 12345) * y'
 * EXPECT: violated assertion
 * RUN: check -O0 --inputs symbolic -DHOLDS='x * x != y * y || x == y || x == -y'
 * EXPECT: violated assertion
 * RUN: check -O0 --inputs symbolic -DHOLDS='(x + y) / 2 == x / 2 + y / 2 + (x & y & 1)'
 * EXPECT: violated assertion
 *
 * What is too hard stays so, and is never taken for impossible: whether a number has factors.
 * RUN: check -O0 --inputs symbolic -DHOLDS='y == 0 || x / y * y + x % y == x'
 * EXPECT: verified
 * RUN: check --inputs symbolic -DHOLDS='y + 1 < 2 || z + (unsigned)((int)x % (int)y) + y * (unsigned)((int)x / (int)y) == x + z'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='x / 7 * 7 + x % 7 == x && (unsigned)((int)x / -7 * -7 + (int)x % -7) == x'
 * EXPECT: verified
 * RUN: check -O0 --inputs symbolic -DHOLDS='y == 0 || y > 100 || x > 1000 || x / y * y + x % (y + 1) == x'
 * EXPECT: violated assertion
 * RUN: check -O0 --inputs symbolic -DHOLDS='(int)y <= 0 || (int)x >= 0 || (int)x / (int)y * (int)y + (int)(x % y) == (int)x'
 * EXPECT: violated assertion
 * RUN: check -O0 --inputs symbolic --solver-budget 20 -DHOLDS='(unsigned long)x * y != 999999866000004473ul'
 * EXPECT: inconclusive: a condition asks too hard a question of the solver (--solver-budget 20)
 */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
	unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
	(void)z;
	assert(HOLDS); /* ERROR */
	return 0;
}
