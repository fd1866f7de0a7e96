/* SPDX-License-Identifier: MIT
 *
 * Inputs as sets: the number of a term was cut to the width of the result of the call, which is one bit here.  So the second and
 * each later truth that was alive was uninitialized, or one of the others.
 *
 * RUN: check -O0 --profile svcomp --inputs sets
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs symbolic
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp --inputs sets -DSAME
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp --inputs sets -DTHREADS
 * EXPECT: verified
 */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static _Atomic int seen;

static void *visit(void *unused)
{
	while (__VERIFIER_nondet_bool())
		seen = 1;
	return unused;
}

int main(void)
{
#ifdef THREADS
	pthread_t thread;
	pthread_create(&thread, NULL, visit, NULL);
	visit(NULL);
	return 0;
#endif
	(void)visit;
	_Bool a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_bool();
#ifdef SAME
	c = a;
#endif
	if (a != c)
		reach_error(); /* ERROR */
	return b;
}
