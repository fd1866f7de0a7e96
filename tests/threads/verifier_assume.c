/* SPDX-License-Identifier: MIT
 *
 * __VERIFIER_assume cuts paths; nondet and choices are all tried; __VERIFIER_assert.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DTWO
 * EXPECT: violated assertion
 * RUN: check -DNONE
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	_Bool b = __VERIFIER_nondet_bool();
	__VERIFIER_assume(n > 0);
	__VERIFIER_assume(!b || n != 1);
	__VERIFIER_assert(n > 0);
#ifdef TWO
	__VERIFIER_assert(n != 2); /* ERROR */
#endif
#ifdef NONE
	__VERIFIER_assert(b); /* ERROR */
#endif
	__VERIFIER_assume(0);
	__VERIFIER_assert(0);
	return 0;
}
