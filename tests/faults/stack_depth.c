/* SPDX-License-Identifier: MIT
 *
 * Stacks of 8 MB: recursion without an end, with and without variables in memory, large variables, variable-length arrays of
 * a negative length, in a thread; and recursion that is deep but fits.
 *
 * RUN: check -O0 -DCASE=1
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DCASE=2
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DCASE=3
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DCASE=4
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DCASE=5
 * EXPECT: violated stack-overflow
 * RUN: check -O0 -DCASE=6
 * EXPECT: verified
 */
#include <pthread.h>
#include <stddef.h>

static long endless(long n) /* ERROR */
{
	return endless(n + 1) + 1; /* ERROR */
}

static long even(long n);

static long odd(long n) /* ERROR */
{
	volatile char spare[1000];
	spare[0] = (char)n;
	return even(n + 1) + spare[0]; /* ERROR */
}

static long even(long n) /* ERROR */
{
	return odd(n + 1) + 1; /* ERROR */
}

static int large(void) /* ERROR */
{
	volatile char all[9 << 20];
	all[5] = 1;
	return all[5];
}

static int variable(int n)
{
	volatile char some[n]; /* ERROR */
	some[0] = 1;
	return some[0];
}

static void *thread(void *unused)
{
	endless(0);
	return unused;
}

static long sum(long n)
{
	return n == 0 ? 0 : n + sum(n - 1);
}

static long sum_in_memory(int n, long *total)
{
	long here = n;
	if (n > 0)
		sum_in_memory(n - 1, &here);
	*total += here;
	return *total;
}

int main(void)
{
	volatile char much[4 << 20];
	volatile int minus = -1;
	long total = 0;
	pthread_t t;
	much[0] = 0;
	switch (CASE) {
	case 1: endless(0); break;
	case 2: odd(0); break;
	case 3: large(); break;
	case 4: variable(minus); break;
	case 5:
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		break;
	case 6:
		return sum(50000) != 50000l * 50001 / 2 || sum_in_memory(2000, &total) != 2000l * 2001 / 2;
	}
	return 0;
}
