/* SPDX-License-Identifier: MIT
 *
 * Sets of several threads that are offered together, while others of their own rest.  ONE, TWO and THREE meet, first at the lock m;
 * FOUR and FIVE meet each other elsewhere, at o.  Where the runs of a set are transactions, they go on through sections of m, and
 * nobody outside may look at what these do.  The verdicts are derived by hand.
 *
 * ALSO: --reduction persistent,supersteps
 * ALSO: --reduction persistent,supersteps,transactions
 * ALSO: --reduction all,-sections
 * ALSO: --search bfs
 *
 * They do keep away.  All orders of the three, and those of the two, are there:
 * RUN: check -DLAST='assert(order != 321)'
 * EXPECT: violated assertion
 * RUN: check -DLAST='assert(order != 231)'
 * EXPECT: violated assertion
 * RUN: check -DLAST='assert(order != 123)'
 * EXPECT: violated assertion
 * RUN: check -DLAST='assert(order != 213 || pair != 54)'
 * EXPECT: violated assertion
 * RUN: check -DLAST='assert(order != 312 || pair != 45)'
 * EXPECT: violated assertion
 * RUN: check -DLAST='assert(order >= 123 && order <= 321 && (pair == 45 || pair == 54))'
 * EXPECT: verified
 *
 * FOUR looks, or waits, in the middle of a section, where a step of the set is not its last:
 * RUN: check -DIN_ONE='S(a, 1); S(a, 0)' -DFOUR='LOOK(a)'
 * EXPECT: violated assertion
 * RUN: check -DIN_THREE='S(a, 1); S(a, 0)' -DFIVE='LOOK(a)'
 * EXPECT: violated assertion
 * RUN: check -DIN_ONE='S(a, 1); S(a, 0)' -DFOUR='L(o); LOOK(a); X(o)' -DFIVE='L(o); X(o)'
 * EXPECT: violated assertion
 * RUN: check -DIN_ONE='IF_FIRST(a)' -DFOUR='ADD(1); LOOK(a)' -DFIVE='ADD(2)' -DLAST='assert(seen < 9)'
 * EXPECT: violated assertion
 * RUN: check -DIN_ONE='IF_FIRST(a)' -DFOUR='ADD(1); LOOK(b)' -DFIVE='ADD(2)' -DLAST='assert(seen < 9)'
 * EXPECT: verified
 * RUN: check -DIN_ONE='S(a, 1); S(a, 0)' -DFOUR='L(m); LOOK(a); X(m)'
 * EXPECT: verified
 * RUN: check -DIN_TWO='S(a, 1); S(a, 0)' -DFOUR='S(b, 1)' -DFIVE='if (b) LOOK(a)'
 * EXPECT: violated assertion
 * RUN: check -DIN_ONE='S(a, 1); S(a, 0)' -DFOUR='if (pthread_mutex_trylock(&m)) LOOK(a); else X(m)'
 * EXPECT: violated assertion
 * RUN: check -DIN_ONE='S(a, 1); S(a, 0)' -DFOUR='if (pthread_mutex_trylock(&m) == 0) { LOOK(a); X(m); }'
 * EXPECT: verified
 * RUN: check -DIN_ONE='x = 1' -DFOUR='x = 2'
 * EXPECT: violated data-race
 * RUN: check -DIN_ONE='x = 1' -DFOUR='L(m); x = 2; X(m)'
 * EXPECT: verified
 *
 * A section asks for what FOUR has, or lets FOUR go on:
 * RUN: check -DIN_ONE='L(o); X(o)' -DFOUR='L(o); L(m); X(m); X(o)'
 * EXPECT: violated deadlock
 * RUN: check -DIN_ONE='L(o); X(o)' -DIN_TWO='L(o); X(o)' -DFOUR='L(o); S(a, 1); X(o)'
 * EXPECT: verified
 * RUN: check -DIN_ONE='sem_post(&sem); S(a, 1); S(a, 0)' -DFOUR='sem_wait(&sem); LOOK(a)'
 * EXPECT: violated assertion
 * RUN: check -DIN_ONE='S(a, 1); S(a, 0); sem_post(&sem)' -DFOUR='sem_wait(&sem); LOOK(a)'
 * EXPECT: verified
 * RUN: check -DIN_ONE='S(a, 1); S(b, 1)' -DFOUR='while (b == 0) {} assert(a == 1)'
 * EXPECT: verified
 * RUN: check -DIN_ONE='S(b, 1); S(a, 1)' -DFOUR='while (b == 0) {} assert(a == 1)'
 * EXPECT: violated assertion
 *
 * Threads that meet at no lock:
 * RUN: check -DONE='T(atomic_fetch_add(&c, 1))' -DTWO='T(atomic_fetch_add(&c, 2))' -DTHREE='T(c)' -DLAST='assert(seen != 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='T(atomic_fetch_add(&c, 1))' -DTWO='T(atomic_fetch_add(&c, 2))' -DTHREE='T(c)' -DLAST='assert(seen <= 4)'
 * EXPECT: violated assertion
 * RUN: check -DONE='T(atomic_fetch_add(&c, 1))' -DTWO='T(atomic_fetch_add(&c, 2))' -DTHREE='T(c)' -DLAST='assert(seen <= 5)'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../thread.h"

#ifndef IN_ONE
#define IN_ONE
#endif
#ifndef IN_TWO
#define IN_TWO
#endif
#ifndef IN_THREE
#define IN_THREE
#endif
#ifndef ONE
#define ONE L(m); IN_ONE; order = 10 * order + 1; X(m)
#endif
#ifndef TWO
#define TWO L(m); IN_TWO; order = 10 * order + 2; X(m)
#endif
#ifndef THREE
#define THREE L(m); IN_THREE; order = 10 * order + 3; X(m)
#endif
#ifndef FOUR
#define FOUR L(o); pair = 10 * pair + 4; X(o)
#endif
#ifndef FIVE
#define FIVE L(o); pair = 10 * pair + 5; X(o)
#endif
#ifndef LAST
#define LAST
#endif
#define S(x, value) atomic_store(&(x), value)
#define L(m)        pthread_mutex_lock(&m)
#define X(m)        pthread_mutex_unlock(&m)
#define LOOK(x)     assert(x != 1)
#define T(value)    atomic_fetch_add(&seen, value)
#define ADD(value)  T(atomic_fetch_add(&c, value))
#define IF_FIRST(x) \
	if (order == 0) { \
		S(x, 1); \
		S(x, 0); \
	}

static atomic_int a, b, c, seen;
static int order, pair;
int x; /* not static: an optimizer would leave out what is only written */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;
static sem_t sem;

THREAD(one, ONE) /* ERROR */
THREAD(two, TWO)
THREAD(three, THREE)
THREAD(four, FOUR) /* ERROR */
THREAD(five, FIVE) /* ERROR */

int main(void)
{
	static void *(*const functions[])(void *) = { one, two, three, four, five };
	pthread_t threads[5];
	sem_init(&sem, 0, 0);
	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	LAST; /* ERROR */
	return 0;
}
