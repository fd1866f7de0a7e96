/* SPDX-License-Identifier: MIT
 *
 * SV-COMP profile: abort ends the path and is no error; an undefined function returns anything of its type.
 *
 * RUN: check --inputs few --profile svcomp
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what unknown returns
 * RUN: check -O0 --profile svcomp -DREACH
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DANY
 * EXPECT: violated assertion
 */
extern void abort(void);
extern void reach_error(void);
extern int unknown(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void assume_abort_if_not(int c)
{
	if (!c)
		abort();
}

int main(void)
{
	unsigned n = __VERIFIER_nondet_bool();
	assume_abort_if_not(n < 2);
#ifdef REACH
	if (n == 1)
		reach_error(); /* ERROR */
#endif
	if (n >= 2)
		reach_error(); /* ERROR */
	int a = unknown(), b = unknown();
#ifdef ANY
	if (a != b)
		reach_error(); /* ERROR */
#endif
	return a != b;
}
