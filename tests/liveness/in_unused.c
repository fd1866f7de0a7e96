/* SPDX-License-Identifier: MIT
 *
 * in(...) of static functions that nobody calls, or that clang would put in the place of their calls.
 *
 * RUN: check -O0 --ltl '[] !in(unused)'
 * EXPECT: verified
 * RUN: check -O0 --ltl '[] !in(never, 0)' --ltl '<> in(small)'
 * EXPECT: verified
 * RUN: check -O0 --ltl '<> in(unused)'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !in(small)'
 * EXPECT: violated ltl
 */
static int x;

static void unused(void)
{
	x++;
}

static inline int never(int a)
{
	return a + 1;
}

static inline __attribute__((always_inline)) void leaf(void)
{
	x++;
}

static inline void small(void)
{
	leaf();
}

int main(void)
{
	(void)sizeof(&never);
	small();
	return 0;
}
