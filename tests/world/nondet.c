/* SPDX-License-Identifier: MIT
 *
 * --nondet says which values a choice has; the ends of the range are among them.
 *
 * RUN: check --nondet int=-100..100 --nondet uchar=250..255 --nondet double=3..4
 * EXPECT: verified
 * RUN: check -DEND=100 --nondet int=-100..100 --nondet uchar=250..255 --nondet double=3..4
 * EXPECT: violated assertion
 * RUN: check -DEND=-100 --nondet int=-100..100 --nondet uchar=250..255 --nondet double=3..4
 * EXPECT: violated assertion
 * RUN: check --profile svcomp --nondet int=-1..1 --nondet uchar=250..255 --nondet double=3..4
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 */
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
double __VERIFIER_nondet_double(void);
int bitspin_nondet_int(void);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	double d = __VERIFIER_nondet_double();
	assert(n >= -100 && n <= 100 && __VERIFIER_nondet_uchar() >= 250 && (d == 3 || d == 4));
#ifdef END
	assert(n != END); /* ERROR */
#endif
	return 0;
}
