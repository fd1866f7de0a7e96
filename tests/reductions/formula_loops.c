/* SPDX-License-Identifier: MIT
 *
 * Loops that no proposition sees, run through for ever or for some rounds: no cycle may be lost, and nothing that a later round
 * shows.
 *
 * RUN: check --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {x == 1}' --fairness weak
 * EXPECT: verified
 * RUN: check --ltl '<> done(1)' --fairness strong
 * EXPECT: verified
 * RUN: check --ltl '<> terminated' --fairness strong
 * EXPECT: violated ltl
 * RUN: check -DROUNDS=4 --ltl '<> terminated' --ltl '[] ({x == 1} -> <> ({x == 2} || done(1)))' --fairness none
 * EXPECT: verified
 * RUN: check -DROUNDS=4 --ltl '<> ({x == 1} && done(1))' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DROUNDS=4 --ltl '[] !({x == 1} && done(1))' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DROUNDS=4 --ltl '[] ({x == 2} -> <> {x == 1})' --fairness strong
 * EXPECT: violated ltl
 *
 * The loop shows something in each third round.
 *
 * RUN: check -DFLICKERS --ltl '[] <> {x == 2} && [] <> {x == 3}' --ltl '[] ({x == 1} -> <> {x == 2})' --fairness none
 * EXPECT: verified
 * RUN: check -DFLICKERS --ltl '<> [] !{x == 2}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DFLICKERS --ltl '<> {x == 1}' --fairness none
 * EXPECT: violated ltl
 * RUN: check -DFLICKERS --ltl '<> [] {x == 3} || <> [] !{x == 1}' --fairness none
 * EXPECT: verified
 * RUN: check -DFLICKERS --ltl '<> [] {x == 3}' --fairness weak
 * EXPECT: violated ltl
 *
 * A thread that waits for a lock is let in by whoever goes round: under strong fairness only.
 *
 * RUN: check -DONE_LOCK --ltl '<> {x == 1}' --fairness weak
 * EXPECT: violated ltl
 * RUN: check -DONE_LOCK --ltl '<> {x == 1}' --fairness strong
 * EXPECT: verified
 * RUN: check -DONE_LOCK -DROUNDS=4 --ltl '<> {x == 1}' --fairness none
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

enum { RING = 3 };

static pthread_mutex_t locks[RING] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static atomic_int x;

static void *thread(void *argument)
{
#ifdef ONE_LOCK
	pthread_mutex_lock(&locks[1]);
#endif
	x = 1;
#ifdef ONE_LOCK
	pthread_mutex_unlock(&locks[1]);
#endif
	return argument;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, NULL, thread, NULL);
#ifdef ROUNDS
	for (int round = 0; round < ROUNDS * RING; round++) {
		int i = round % RING;
#else
	for (int i = 0;; i = (i + 1) % RING) {
#endif
		pthread_mutex_lock(&locks[i]);
#ifdef FLICKERS
		if (i == RING - 1) {
			x = 2;
			x = 3;
		}
#endif
		pthread_mutex_unlock(&locks[i]);
	}
	x = 2;
	pthread_join(id, NULL);
	return 0;
}
