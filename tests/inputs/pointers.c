/* SPDX-License-Identifier: MIT
 *
 * Inputs that are pointers: compared with null and with variables as integers are.  With the address of what malloc() has returned
 * they are not compared: the bug was that a number that had been any before was never that address.
 *
 * RUN: check -O0 --profile svcomp -DCASE=1
 * EXPECT: violated null-dereference
 * RUN: check -O0 --profile svcomp -DCASE=2
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=3
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=4
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=6
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=7
 * EXPECT: inconclusive: a comparison with an address asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs symbolic -DCASE=7
 * EXPECT: inconclusive: a comparison with an address asks for more of an input than --inputs symbolic can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=8
 * EXPECT: inconclusive: a comparison with an address asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --profile svcomp --inputs sets -DCASE=9
 * EXPECT: verified
 */
#include "inputs.h"

extern void *__VERIFIER_nondet_pointer(void);

static int *kept, g, h;

static void test(int *p)
{
#if CASE == 1
	if (p == NULL)
		*p = 1; /* ERROR */
#elif CASE == 2 /* asked twice */
	if (p == NULL)
		g = 1;
	check(g == (p == NULL));
#elif CASE == 3 /* it may lead to a variable */
	if (p == &g) {
		*p = 1;
		check(g == 0);
	}
#elif CASE == 4 /* ... and to no other then */
	if (p == &g) {
		*p = 1;
		check(g == 1 && p != &h);
	}
#elif CASE == 5 /* from memory */
	kept = p;
	check(!kept);
#elif CASE == 6 /* ... the same */
	kept = p;
	if (!kept)
		check(!p);
#elif CASE == 7 /* memory that comes later */
	int *q = malloc(sizeof *q);
	if (q && p == q)
		error();
	free(q);
#elif CASE == 8 /* ... and a number */
	long n = LONG();
	int *q = malloc(sizeof *q);
	if (q && n == (long)q)
		error();
	free(q);
#elif CASE == 9 /* what is an address by its base can be compared */
	int *q = malloc(4 * sizeof *q), i = INT();
	if (!q || i < 0 || i > 3)
		return;
	if (&q[i] == q + 2)
		check(i == 2);
	free(q);
#endif
}

int main(void)
{
	need_not_be_used();
	(void)kept, (void)g, (void)h;
	test(__VERIFIER_nondet_pointer());
	return 0;
}
