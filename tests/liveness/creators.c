/* SPDX-License-Identifier: MIT
 *
 * Formulas name threads by number, and the number tells who created the thread: 1 and 2 are main's, 3 is created by 1, 4 and 5
 * by 2, whoever is first.
 *
 * RUN: check --ltl '[] (!in(left, 4) && !in(left, 5) && !in(right, 3))' --invariant '!in(left, 4) && !in(left, 5) && !in(right, 3)'
 * EXPECT: verified
 * RUN: check --ltl '<> in(left, 3)' --ltl '<> in(right, 4) && <> in(right, 5)' --ltl '<> (done(3) && done(4) && done(5))'
 * EXPECT: verified
 * RUN: check --ltl '[] (done(4) -> done(3))'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (done(3) -> done(4))'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] (done(5) -> in(right, 4) || done(4))'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> in(left, 4)'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> done(4)' --fairness none
 * EXPECT: verified
 * RUN: check --property starvation
 * EXPECT: verified
 */
#include <pthread.h>

static void *left(void *p)
{
	return p;
}

static void *right(void *p)
{
	return p;
}

static void *one(void *p)
{
	pthread_t id;
	pthread_create(&id, 0, left, 0);
	pthread_join(id, 0);
	return p;
}

static void *two(void *p)
{
	pthread_t ids[2];
	pthread_create(&ids[0], 0, right, 0);
	pthread_create(&ids[1], 0, right, 0);
	pthread_join(ids[0], 0);
	pthread_join(ids[1], 0);
	return p;
}

int main(void)
{
	pthread_t ids[2];
	pthread_create(&ids[0], 0, one, 0);
	pthread_create(&ids[1], 0, two, 0);
	pthread_join(ids[0], 0);
	pthread_join(ids[1], 0);
	return 0;
}
