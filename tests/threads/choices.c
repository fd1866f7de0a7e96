/* SPDX-License-Identifier: MIT
 *
 * bitspin.h: choose from a range, yield, assume, assert, atomic sections.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DALL
 * EXPECT: violated assertion
 * RUN: check -DSUM=10
 * EXPECT: violated assertion
 * RUN: check -DSUM=11
 * EXPECT: verified
 */
#include <bitspin.h>
#include <pthread.h>

#ifndef SUM
#define SUM 99
#endif

static int shared;

static void *work(void *unused)
{
	bitspin_atomic_begin();
	shared++;
	bitspin_atomic_end();
	bitspin_yield();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	work(0);
	pthread_join(thread, 0);
	bitspin_assert(shared == 2);
	int a = bitspin_choose(1, 5), b = bitspin_choose(1, 5);
	bitspin_assert(a >= 1 && a <= 5);
#ifdef ALL
	bitspin_assert(a != 5 || b != 1); /* ERROR */
#endif
	bitspin_assert(a + b != SUM); /* ERROR */
	bitspin_assume(a == b);
	bitspin_assert(a + b == 2 * a);
	return 0;
}
