/* SPDX-License-Identifier: MIT
 *
 * Inputs that other threads look at, and formulas.  Each case has a value that only one region shows.
 *
 * RUN: check -O0 --profile svcomp -DCASE=1
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=2
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=3
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=4
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=5
 * EXPECT: violated assertion
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=6
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check -O0 --profile svcomp -DCASE=6
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=7
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=8
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=8 --invariant 'global != 77'
 * EXPECT: violated invariant
 * RUN: check -O0 --profile svcomp -DCASE=8 --invariant 'global < 77 || global > 76'
 * EXPECT: verified
 * RUN: check --inputs few -O0 --profile svcomp -DCASE=8 --invariant 'global + other != 77'
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check -O0 --profile svcomp -DCASE=8 --invariant 'global + other != 77'
 * EXPECT: violated invariant
 * RUN: check -O0 --profile svcomp -DCASE=8 --ltl '[] {global != 2147483647}'
 * EXPECT: violated ltl
 * RUN: check -O0 --profile svcomp -DCASE=8 --ltl '[] ({global == 77} -> <> {other == 5})'
 * EXPECT: violated ltl
 * RUN: check -O0 --profile svcomp -DCASE=8 --ltl '[] ({global == 77} -> <> {global > 70})'
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=9 --overflow
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --profile svcomp -DCASE=10 --overflow
 * EXPECT: violated signed-overflow
 * RUN: check -O0 --profile svcomp -DCASE=11 --overflow
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=12
 * EXPECT: violated uninitialized-read
 * RUN: check -O0 --profile svcomp -DCASE=13
 * EXPECT: verified
 * RUN: check -O0 --profile svcomp -DCASE=14
 * EXPECT: violated assertion
 * RUN: check -O0 --profile svcomp -DCASE=15
 * EXPECT: verified
 */
#include "inputs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int mine;

static void *body(void *argument);

/* 9 to 11: an overflow at one end of the type, at the other, and one that is never reached. */
int main(void)
{
	need_not_be_used();
	pthread_t t;
	pthread_create(&t, NULL, body, NULL);
#if CASE == 1 || CASE == 2
	pthread_mutex_lock(&lock);
	global = INT();
	pthread_mutex_unlock(&lock);
#elif CASE == 3 || CASE == 4
	atomic = INT();
#elif CASE == 5
	global = CHAR();
	atomic = 1;
#elif CASE == 6
	atomic = INT() + other;
#elif CASE == 7
	mine = INT();
	pthread_join(t, NULL);
	if (mine == 77)
		other = 1;
#elif CASE == 8
	global = INT(); /* ERROR */
#elif CASE == 9
	global = INT() + 1; /* ERROR */
#elif CASE == 10
	int x = INT();
	global = x - 1; /* ERROR */
#elif CASE == 11
	int x = INT();
	if (x < INT_MAX && x > INT_MIN)
		global = x + 1 == x - 1;
#elif CASE == 12
	int unset, x = INT();
	printf("%d\n", unset & x); /* ERROR */
#elif CASE == 13
	for (int i = 0; i < 3; i++) {
		global = INT();
		if (global == 77)
			break;
	}
#elif CASE == 14
	int hits = 0;
	for (int i = 0; i < 3; i++)
		hits += INT() == 77;
	if (hits == 3)
		error();
#elif CASE == 15
	int hits = 0;
	for (int i = 0; i < 3; i++)
		hits += INT() == 77;
	if (hits == 4)
		error();
#endif
	return 0;
}

static void *body(void *argument)
{
	(void)lock, (void)mine;
#if CASE == 1
	pthread_mutex_lock(&lock);
	if (global == 77)
		error();
	pthread_mutex_unlock(&lock);
#elif CASE == 2
	pthread_mutex_lock(&lock);
	if (global > 76 && global < 78)
		check(global == 77);
	pthread_mutex_unlock(&lock);
#elif CASE == 3
	if (atomic == 77 && atomic == 77)
		error();
#elif CASE == 4
	if (atomic == 77 && atomic == 76)
		error();
#elif CASE == 5
	if (atomic && global == -128)
		error();
#elif CASE == 6
	if (atomic == 77)
		error();
#elif CASE == 7
	if (mine)
		error();
#endif
	return argument;
}
