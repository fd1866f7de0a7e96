/* SPDX-License-Identifier: MIT
 *
 * Threads that go on alone for long, as what they do has nothing to do with the others.  What goes wrong in the middle, at the end,
 * or where that closes a circle must be found, and told with all steps.  Two threads do ONE and TWO, main does MAIN while they run
 * and END when they have ended.  The verdicts are derived by hand.
 *
 * ALSO: --reduction persistent,sections
 *
 * One that goes to the end, and what it must not pass by:
 * RUN: check -DONE='R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1]))' -DEND='assert(n[0] == 9 && n[1] == 9)'
 * EXPECT: verified
 * RUN: check -DONE='R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1]))' -DEND='assert(n[0] == 9 && n[1] == 8)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0]); assert(n[0] != 5))' -DTWO='R(9, ADD(n[1]))'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(30, ADD(n[0]))' -DTWO='R(30, ADD(n[1]); assert(n[1] != 29))'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0]); assume(n[0] != 5)); assert(0)' -DTWO='R(9, ADD(n[1]))'
 * EXPECT: verified
 * RUN: check -DONE='R(9, ADD(n[0]); assume(n[0] != 5)); assert(0)' -DTWO='R(9, ADD(n[1])); assert(n[0] != 4)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0])); exit(0)' -DTWO='R(9, ADD(n[1])); assert(n[1] != 9)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0])); L(m)' -DTWO='R(9, ADD(n[1])); L(m)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='L(m); R(9, ADD(n[0])); L(o); X(o); X(m)' -DTWO='L(o); R(9, ADD(n[1])); L(m); X(m); X(o)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='R(9, ADD(n[0])); d = 1' -DTWO='R(9, ADD(n[1])); d = 2' -DEND='if (d > 5) abort()'
 * EXPECT: violated data-race
 * RUN: check -DONE='R(9, ADD(n[0])); L(m); d = 1; X(m)' -DTWO='R(9, ADD(n[1])); L(m); d = 2; X(m)' -DEND='assert(d == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0])); free(h)' -DTWO='R(9, ADD(n[1])); *h = 1'
 * EXPECT: violated data-race
 * RUN: check -DONE='R(3, L(m); d++; X(m)); ADD(n[0])' -DTWO='R(3, L(m); d++; X(m)); ADD(n[1])' -DEND='assert(n[0] + n[1] != 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(3, L(m); d++; X(m)); L(o)' -DTWO='ADD(n[0]); R(3, L(m); d++; X(m)); L(o)'
 * EXPECT: violated deadlock
 *
 * A search that goes another way, whose trails are its own:
 * RUN: check -DONE='R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1]); assert(n[1] != 5))' --search bfs
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0])); L(m)' -DTWO='R(9, ADD(n[1])); L(m)' --search dfs --cores 2
 * EXPECT: violated deadlock
 *
 * Circles: nobody is put off for ever.
 * RUN: check -DONE='for (;;) { ADD(n[0]); SUB(n[0]); }' -DTWO='R(9, ADD(n[1]))' -DMAIN='assert(n[1] != 9)'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (;;) { L(m); X(m); }' -DTWO='R(3, L(o); X(o)); assert(0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (;;) { L(m); X(m); }' -DTWO='for (;;) { L(o); X(o); }' -DMAIN='assert(0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (;;) { L(m); X(m); }' -DTWO='for (;;) { L(o); X(o); }'
 * EXPECT: verified
 * RUN: check -DONE='while (n[1] != 9) {}' -DTWO='R(9, ADD(n[1]))' -DEND='assert(0)'
 * EXPECT: violated assertion
 * RUN: check --waits ignore -DONE='while (n[1] != 10) {}' -DTWO='R(9, ADD(n[1]))' -DEND='assert(0)'
 * EXPECT: verified
 *
 * Threads that come and go, choices, and memory:
 * RUN: check -DONE='start(ADD_LATER); R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1])); assert(n[2] != 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, if (bitspin_nondet_bool()) ADD(n[0]))' -DTWO='R(2, ADD(n[1]))' -DEND='assert(n[0] != 7)'
 * EXPECT: violated assertion
 * RUN: check -DONE='R(3, free(malloc(8)); ADD(n[0]))' -DTWO='R(3, free(malloc(8)); ADD(n[1]))' -DEND='assert(n[0] + n[1] == 6)'
 * EXPECT: verified
 *
 * With what looks at states:
 * RUN: check -DONE='R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1]))' --invariant '{n[0] != 5}'
 * EXPECT: violated invariant
 * RUN: check -DONE='R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1]))' --ltl '[] {n[0] != 5}'
 * EXPECT: violated ltl
 * RUN: check -DONE='R(9, ADD(n[0]))' -DTWO='R(9, ADD(n[1]))' --ltl '<> {n[0] == 5}'
 * EXPECT: verified
 * RUN: check -DONE='R(3, ADD(n[0]))' -DTWO='R(3, ADD(n[1]))' -DEND='assert(n[0] != 3)' --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DONE='R(9, ADD(n[0])); assert(n[0] != 9)' -DTWO='R(9, ADD(n[1])); assert(n[1] != 9)' --all
 * EXPECT: violated assertion
 */
#include <bitspin.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef MAIN
#define MAIN
#endif
#ifndef END
#define END
#endif
#define R(times, what)                      \
	for (int i = 0; i < (times); i++) { \
		what;                       \
	}
#define ADD(x)    atomic_store(&x, x + 1)
#define SUB(x)    atomic_store(&x, x - 1)
#define L(m)      pthread_mutex_lock(&m)
#define X(m)      pthread_mutex_unlock(&m)
#define assume(x) bitspin_assume(x)

static atomic_int n[3];
int d; /* not static: an optimizer would leave out what is only written */
static int *h;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;

static void *later(void *unused)
{
	ADD(n[2]);
	return unused;
}

#define ADD_LATER later
static inline void start(void *(*function)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, NULL);
	pthread_detach(thread);
}

static void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

static void *two(void *unused)
{
	TWO; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	h = malloc(sizeof *h);
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	MAIN; /* ERROR */
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL); /* ERROR */
	END; /* ERROR */
	return 0;
}
