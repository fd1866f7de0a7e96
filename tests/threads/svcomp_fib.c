/* SPDX-License-Identifier: MIT
 *
 * SV-COMP profile: fib_bench with two rounds; races are ignored.  Only at -O0: the optimiser may keep i and j in registers.
 *
 * RUN: check -O0 --profile svcomp -DBOUND=8
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DBOUND=7
 * EXPECT: violated assertion
 */
#include <pthread.h>

extern void abort(void);
void reach_error(void) {} /* ERROR */

int i = 1, j = 1;

void *t1(void *arg)
{
	for (int k = 0; k < 2; k++)
		i += j;
	return arg;
}

void *t2(void *arg)
{
	for (int k = 0; k < 2; k++)
		j += i;
	return arg;
}

int main(void)
{
	pthread_t id1, id2;
	pthread_create(&id1, NULL, t1, NULL);
	pthread_create(&id2, NULL, t2, NULL);
	if (i > BOUND || j > BOUND) {
	ERROR:
		reach_error(); /* ERROR */
		abort();
	}
	return 0;
}
