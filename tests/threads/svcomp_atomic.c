/* SPDX-License-Identifier: MIT
 *
 * SV-COMP profile: functions named __VERIFIER_atomic_* run without interruption.
 *
 * RUN: check --profile svcomp
 * EXPECT: verified
 * RUN: check --profile svcomp -DPLAIN
 * EXPECT: violated assertion
 */
#include <pthread.h>

extern void __VERIFIER_error(void);
#ifdef PLAIN
#define INCREMENT increment
#else
#define INCREMENT __VERIFIER_atomic_increment
#endif

int x;

void INCREMENT(void)
{
	int old = x;
	x = old + 1;
}

void *work(void *arg)
{
	INCREMENT();
	INCREMENT();
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	work(0);
	pthread_join(thread, 0);
	if (x != 4)
		__VERIFIER_error(); /* ERROR */
	return 0;
}
