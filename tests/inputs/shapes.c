/* SPDX-License-Identifier: MIT
 *
 * How inputs are used in public programs, one shape each, as a survey of 112 such programs found them.  The verdicts are derived
 * by hand.  1: tested for zero; 2: only stored; 3: compared with constants; 4: a switch; 5: compared with a variable, which is the
 * number of threads; 6: ... after a remainder; 7: an index, within an assumption; 8: ... beyond it; 9: an index after a remainder;
 * 10: the size of an allocation; 11: how many rounds a loop has; 12: the smaller of two inputs, which are small; 13: the greatest
 * common divisor of two inputs; 14: a pointer, which may lead to a variable.
 *
 * RUN: check --profile svcomp -DCASE=1
 * EXPECT: verified
 * RUN: check --profile svcomp -DCASE=2
 * EXPECT: verified
 * RUN: check --profile svcomp -DCASE=3
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=4
 * EXPECT: verified
 * RUN: check --profile svcomp -DCASE=5
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=6
 * EXPECT: verified
 * RUN: check --profile svcomp -DCASE=7
 * EXPECT: verified
 * RUN: check --profile svcomp -DCASE=8
 * EXPECT: violated out-of-bounds
 * RUN: check --profile svcomp -DCASE=9
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=10
 * EXPECT: violated out-of-bounds
 * RUN: check --profile svcomp -DCASE=11
 * EXPECT: violated assertion
 * RUN: check --profile svcomp -DCASE=12
 * EXPECT: verified
 * RUN: check --profile svcomp --inputs sets -DCASE=13
 * EXPECT: inconclusive: an operation on two inputs asks for more of an input than --inputs sets can tell
 * RUN: check --profile svcomp -DCASE=14
 * EXPECT: violated assertion
 */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static _Atomic int started;
static int stored, table[10];

static void fail_if(int condition)
{
	if (condition)
		reach_error(); /* ERROR */
}

static void *work(void *unused)
{
	started++;
	return unused;
}

static void run_threads(int count)
{
	pthread_t threads[3];
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static unsigned divisor(unsigned a, unsigned b)
{
	return b ? divisor(b, a % b) : a;
}

int main(void)
{
	int n = CASE < 13 ? __VERIFIER_nondet_int() : 0;
	unsigned a, b;
	unsigned char *bytes;
	switch (CASE) {
	case 1: run_threads(n ? 1 : 2); break;
	case 2: stored = n; break;
	case 3: fail_if(n > 41 && n <= 42); break;
	case 4:
		switch (n) {
		case 7: stored = 1; break;
		case 70000: stored = 2; break;
		default: stored = 3;
		}
		fail_if(stored < 1 || stored > 3);
		break;
	case 5:
		run_threads(2);
		fail_if(n == started + 1000);
		break;
	case 6:
		run_threads(2);
		fail_if(n >= 0 && n % 3 > started);
		break;
	case 7:
		__VERIFIER_assume(0 <= n && n < 10);
		table[n] = n;
		fail_if(table[n] != n);
		break;
	case 8:
		__VERIFIER_assume(0 <= n && n <= 10);
		table[n] = n; /* ERROR */
		break;
	case 9:
		table[7] = 1;
		fail_if(table[(unsigned)n % 10]);
		break;
	case 10:
		__VERIFIER_assume(0 < n && n < 5);
		bytes = malloc((size_t)n);
		bytes[3] = 1; /* ERROR */
		free(bytes);
		break;
	case 11:
		__VERIFIER_assume(0 <= n && n < 20);
		for (int i = 0; i < n; i++)
			stored++;
		fail_if(stored == 19);
		break;
	case 12:
		a = __VERIFIER_nondet_uchar();
		b = __VERIFIER_nondet_uchar();
		fail_if((a < b ? a : b) > a);
		break;
	case 13:
		a = __VERIFIER_nondet_uint();
		b = __VERIFIER_nondet_uint();
		fail_if(a && b && divisor(a, b) > a);
		break;
	default: fail_if(__VERIFIER_nondet_pointer() == &stored);
	}
	return 0;
}
