/* SPDX-License-Identifier: MIT
 *
 * __VERIFIER_error and reach_error are violations without the profile as well.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check -DREACH
 * EXPECT: violated assertion
 */
extern void __VERIFIER_error(void);
extern void reach_error(void);

int main(void)
{
#ifdef REACH
	reach_error(); /* ERROR */
#else
	__VERIFIER_error(); /* ERROR */
#endif
	return 0;
}
