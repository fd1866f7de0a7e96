/* SPDX-License-Identifier: MIT
 *
 * The cycle proviso for formulas.  Two threads pass a turn to each other for ever.  All that they touch is the turn, so they are a
 * persistent set in every state, and each of their steps leads to a state where they are one again.  If each of these states
 * offered the two threads alone, the search would go round between them and put off the third one for ever, with all that it
 * does to the flag.  (ALONE: each changes an integer of its own for ever, and is a set by itself.)
 *
 * By hand: the third thread can go on from the beginning until it has ended, whatever the others do.  So the flag can get each of
 * its values, and under weak fairness gets the last one; without fairness, it may stay 0.
 *
 * RUN: check --ltl '[] {flag == 0}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {flag != 2}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {flag != 2}' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {flag == 2}'
 * EXPECT: verified
 * RUN: check --ltl '<> {flag == 2}' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> [] {flag == 2}'
 * EXPECT: verified
 * RUN: check --ltl '[] ({flag == 1} -> {flag == 1} U {flag == 2})'
 * EXPECT: verified
 * RUN: check --ltl '[] {flag == 0}' -DALONE
 * EXPECT: violated ltl
 * RUN: check --ltl '[] {flag != 2}' -DALONE --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {flag == 2}' -DALONE
 * EXPECT: verified
 * RUN: check --ltl '[] {flag == 0}' --reduction none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {flag == 2}' --reduction none
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn, own[2], flag;

static void *player(void *argument)
{
	int mine = argument != NULL;
	for (;;) {
#ifdef ALONE
		own[mine] = !own[mine];
#else
		while (turn != mine)
			;
		turn = !mine;
#endif
	}
	return NULL;
}

static void *setter(void *argument)
{
	flag = 1;
	flag = 2;
	return argument;
}

int main(void)
{
	pthread_t players[2], other;
	pthread_create(&players[0], NULL, player, NULL);
	pthread_create(&players[1], NULL, player, &turn);
	pthread_create(&other, NULL, setter, NULL);
	pthread_join(players[0], NULL);
	return 0;
}
