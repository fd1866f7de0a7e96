/* SPDX-License-Identifier: MIT
 *
 * Formulas with inputs as sets.  The verdicts are derived by hand.
 *
 * An input is read once, and only a formula asks what it is.  Not every int is 5; each is above 5 for ever, or never is; and what
 * has been read stays.  A split is no step: y is 1 later, whatever is asked of x before.
 *
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '<> {x == 5}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '[] !{x == 5}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '<> [] {x > 5}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '<> [] {x > 5} || <> [] {x <= 5}'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '[] ({x == 5} -> <> {y && x == 5})'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '[] ({x == 5} -> [] {x == 5})'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DONCE --ltl '[] ({x == 5} -> [] {!y})'
 * EXPECT: violated ltl
 *
 * An input is read again in each round, so it may be anything again, the same for ever, or never the same.
 *
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DAGAIN --ltl '[] <> {x == 5}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DAGAIN --ltl '<> [] {x != 5}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DAGAIN --ltl '<> [] {x == 5} || <> [] {x != 5}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DAGAIN --ltl '[] ({x == 5} -> ({x == 5} W {x == 6}))'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DAGAIN --ltl '[] <> {x != 7}'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DAGAIN --ltl '[] {x != 7}'
 * EXPECT: verified
 *
 * A number goes up from an unknown start.  As a set, it is the same after a round; but each value comes again, one after the
 * other, and none stays.
 *
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DCOUNTER --ltl '[] <> {c == 77}'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DCOUNTER --ltl '<> [] {c != 77}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DCOUNTER --ltl '<> [] {c == 77}'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DCOUNTER --ltl '[] ({c == 3} -> ({c == 3} U {c == 4}))'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DCOUNTER --ltl '[] ({c == 3} -> ({c == 3} W {c == 5}))'
 * EXPECT: violated ltl
 *
 * It is 0 and 1 by turns, from either.
 *
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DPARITY --ltl '[] <> {x} && [] <> {!x}'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DPARITY --ltl '<> [] {x} || <> [] {!x}'
 * EXPECT: violated ltl
 *
 * A server answers each request but 12345.  Without fairness, it need not.
 *
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DSERVER --ltl '[] ({x == 9} -> <> {y == 9})'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DSERVER --ltl '[] ({x != 0} -> <> {y == x})'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DSERVER --ltl '[] ({x == 12345} -> <> {y == 12345})'
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DSERVER --ltl '[] ({x > 12345} -> <> {y > 12345})'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DSERVER --ltl '[] ({x > 12345} -> <> {y > 12345})' --fairness none
 * EXPECT: violated ltl
 *
 * Main asks for inputs for ever.  In each state with a split only main can go on; but the other thread can before it and after it,
 * so it does, if schedules are fair.
 *
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DFAIR --ltl '<> {y}'
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DFAIR --ltl '<> {y}' --fairness strong
 * EXPECT: verified
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DFAIR --ltl '<> {y}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -O0 --no-deadlock --races ignore --inputs sets -DFAIR --ltl '<> {y && go}'
 * EXPECT: violated ltl
 *
 * A few values show no violation: then all are tried.
 *
 * RUN: check -O0 --no-deadlock --profile svcomp -DONCE -DNONDET --ltl '[] !{x == 5000}'
 * EXPECT: violated ltl
 *
 * The sum of two inputs is too much for sets, and not for terms.
 *
 * RUN: check -O0 --no-deadlock --inputs sets -DSUM --ltl '[] {x != 5}'
 * EXPECT: inconclusive: an operation on two inputs asks for more of an input than --inputs sets can tell (--max-values 256)
 * RUN: check -O0 --no-deadlock --inputs symbolic -DSUM --ltl '[] {x != 5}'
 * EXPECT: violated ltl
 */
#include "bitspin.h"

#include <pthread.h>
#include <stdatomic.h>

int x, y;
atomic_int go;
unsigned char c;

#ifdef NONDET
int __VERIFIER_nondet_int(void);
#define bitspin_any_int __VERIFIER_nondet_int
#endif

static void *other(void *unused)
{
#ifdef SERVER
	while (1)
		if (go == 1) {
			if (x != 12345)
				y = x;
			go = 2;
		}
#endif
	y = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
#if defined ONCE
	x = bitspin_any_int();
	y = 1;
#elif defined SUM
	int first = bitspin_any_int(), second = bitspin_any_int();
	x = first + second;
#elif defined AGAIN
	while (1) {
		int v = bitspin_any_int();
		bitspin_assume(v != 7);
		x = v;
	}
#elif defined COUNTER
	c = (unsigned char)bitspin_any_int();
	while (1)
		c++;
#elif defined PARITY
	x = bitspin_any_int() & 1;
	while (1)
		x = 1 - x;
#elif defined SERVER
	pthread_create(&thread, NULL, other, NULL);
	int v = bitspin_any_int();
	bitspin_assume(v != 0);
	x = v;
	go = 1;
	pthread_join(thread, NULL);
#else
	pthread_create(&thread, NULL, other, NULL);
	while (1)
		if (bitspin_any_int() > 3)
			go = !go;
#endif
	(void)thread;
	(void)other;
	return 0;
}
