/* SPDX-License-Identifier: MIT
 *
 * Endless waits with inputs as sets: for which values does each thread that is left wait for ever?  The verdicts are
 * derived by hand. 1: for 7, nobody ends the loop; 2: 7 is excluded.  3: the loop copies the same input into shared
 * memory; 4: another one each time, so something goes on changing.  5: another thread adds 1 to a number that may be any,
 * which is any number again: it changes. 6: a register becomes another one once.  7: the wait asks twice.  8: under a
 * mutex.  9: what is compared is not known, and does not change; another thread that is blocked has an input, too, so
 * terms change their numbers.  10: as 9, and main changes it.  11: a thread that is blocked for ever by a mutex.  12: a
 * wait on a set of few values, which a loop changes in a circle: nobody sees that, as it is private.  13: the same, in
 * shared memory.  14: two wait for each other's inputs.  15: a fence of two inputs, of which one is good for every value
 * of the other.  16: each round, an input is asked for; that may end the loop. LOCKS: a deadlock of mutexes that are taken
 * in an order that depends on an input.
 *
 * RUN: check --inputs sets -DCASE=1
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=2
 * EXPECT: verified
 * RUN: check -O0 --inputs sets -DCASE=3
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=4
 * EXPECT: verified
 * RUN: check --inputs sets -DCASE=5
 * EXPECT: verified
 * RUN: check -O0 --inputs sets -DCASE=6
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=7
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=8
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=9
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=10
 * EXPECT: verified
 * RUN: check --inputs sets -DCASE=11
 * EXPECT: violated deadlock
 * RUN: check -O0 --inputs sets -DCASE=12
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=13
 * EXPECT: verified
 * RUN: check --inputs sets -DCASE=14
 * EXPECT: violated deadlock
 * RUN: check --inputs sets -DCASE=15
 * EXPECT: verified
 * RUN: check --inputs sets -DCASE=16
 * EXPECT: verified
 * RUN: check --inputs sets -DCASE=17
 * EXPECT: verified
 * RUN: check --inputs sets -DCASE=0
 * EXPECT: violated deadlock
 */
#include "bitspin.h"

int __VERIFIER_nondet_int(void);

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int input, ready, shared, second_input;
static int copy;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

/* Lock both, in an order that depends on the input. */
static void lock_both(int turned)
{
	pthread_mutex_lock(turned ? &second : &first);
	pthread_mutex_lock(turned ? &first : &second); /* ERROR */
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
}

static void waits_more(void);

static void *work(void *unused)
{
	int number = copy, few = copy & 3;
	switch (CASE) {
	case 0: lock_both(copy == 12345); break;
	case 1:
	case 2:
		while (input == 7) /* ERROR */
			;
		break;
	case 3:
		do
			shared = copy; /* ERROR */
		while (!ready);        /* ERROR */
		break;
	case 4:
		do
			shared = __VERIFIER_nondet_int();
		while (!ready);
		break;
	case 5:
		do
			shared = shared + 1;
		while (!ready);
		break;
	case 6:
		do
			few |= 1;
		while (!ready); /* ERROR */
		break;
	case 7:
		while (input > 100 && input % 3 == 1) /* ERROR */
			;
		break;
	case 8:
		do {
			pthread_mutex_lock(&first);
			number = copy; /* ERROR */
			pthread_mutex_unlock(&first);
		} while (number == -5);
		break;
	default: waits_more();
	}
	return unused;
}

static void waits_more(void)
{
	int number = copy, few = copy & 3, seen;
	switch (CASE) {
	case 9:
		do
			number = input * 2;           /* ERROR */
		while (!ready && number == copy * 2); /* ERROR */
		break;
	case 10:
		do
			seen = second_input * 2;
		while (number + 1 == input + 1 && seen == second_input * 2);
		break;
	case 11:
		pthread_mutex_lock(&first); /* ERROR */
		pthread_mutex_unlock(&first);
		break;
	case 12:
		do
			few = (few + 1) & 3;
		while (!ready || few == 5); /* ERROR */
		break;
	case 13:
		shared = few;
		do
			shared = (shared + 1) & 3;
		while (!ready || shared == 5);
		break;
	case 14:
		while (input != second_input / 2) /* ERROR */
			;
		break;
	case 15:
		while (input == 3 && second_input != 4)
			if (second_input < 4)
				second_input++;
			else
				second_input--;
		break;
	case 16:
		while (__VERIFIER_nondet_int() != 5)
			;
		break;
	default:
		while (!ready)
			;
		assert(copy == input && copy - input == 0 && !(copy < input) && (copy & input) == copy);
	}
}

/* Have an input in a register, and rest. */
static void *rest(void *unused)
{
	int mine = __VERIFIER_nondet_int();
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	return mine == 12 ? unused : 0;
}

int main(void)
{
	pthread_t thread, other;
	copy = __VERIFIER_nondet_int();
	input = shared = copy;
	if (CASE == 2)
		bitspin_assume(copy != 7);
	if (CASE == 9 || CASE == 10 || CASE == 14 || CASE == 15)
		second_input = __VERIFIER_nondet_int();
	if (CASE == 5)
		shared = __VERIFIER_nondet_int();
	if (CASE == 6 || (CASE >= 10 && CASE <= 15 && CASE != 11))
		bitspin_assume(copy >= 0 && copy <= 5);
	if (CASE == 14 || CASE == 15) {
		bitspin_assume(second_input >= 0 && second_input <= 11);
	}
	if (CASE == 11 && copy % 100 == 99)
		pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	if (CASE == 0 || CASE == 8)
		pthread_mutex_unlock(&second);
	if (CASE != 9)
		pthread_create(&other, 0, rest, 0);
	pthread_create(&thread, 0, work, 0);
	if (CASE == 9)
		pthread_create(&other, 0, rest, 0);
	if (CASE == 0)
		lock_both(0);
	ready = CASE == 2 || CASE == 10 || CASE == 17;
	if (CASE == 10)
		input = input + 1;
	pthread_join(thread, 0); /* ERROR */
	if (CASE != 0 && CASE != 8)
		pthread_mutex_unlock(&second);
	pthread_join(other, 0);
	return 0;
}
