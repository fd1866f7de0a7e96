/* SPDX-License-Identifier: MIT
 *
 * Values that nobody reads any more (--reduction unread): main starts the threads ONE, TWO and THREE when x = y = c = 0, joins
 * them, and then does LAST.  Often only one order of the stores shows the violation, and the search has been through the other one
 * first.  The verdicts are derived by hand.
 *
 * ALSO: --reduction unread,supersteps
 * ALSO: --reduction unread,persistent
 * ALSO: --reduction all,-symmetry
 * ALSO: --reduction none
 *
 * The last of several stores is read, or one in the middle, or that of another thread:
 * RUN: check -DONE='x = 1' -DTWO='x = 2' -DLAST='assert(x == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1' -DTWO='x = 2' -DLAST='assert(x == 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1' -DTWO='x = 2' -DLAST='assert(x == 1 || x == 2)'
 * EXPECT: verified
 * RUN: check -DONE='x = 1; x = 0' -DTWO='if (x == 1) y = 1' -DLAST='assert(!y)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1; x = 2' -DTWO='x = 3' -DLAST='assert(x != 1)'
 * EXPECT: verified
 * RUN: check -DONE='x = 1; x = 2' -DTWO='x = 3' -DLAST='assert(x != 3)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1' -DTWO='x = 2' -DTHREE='x = 3; assert(x != 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1' -DTWO='if (x == 1) y = 1; x = 2' -DTHREE='if (y) x = 3; x = 4' -DLAST='assert(x != 2 || !c)'
 * EXPECT: verified
 * RUN: check -DONE='x = 1' -DTWO='if (x == 1) y = 1; x = 2' -DTHREE='if (y) c = 1; x = 4' -DLAST='assert(x != 2 || !c)'
 * EXPECT: violated assertion
 *
 * Stores to two variables in opposite orders: each may be last on one, both on the other only in one way.
 * RUN: check -DONE='x = 1; y = 1' -DTWO='y = 2; x = 2' -DLAST='assert(!(x == 1 && y == 2))'
 * EXPECT: verified
 * RUN: check -DONE='x = 1; y = 1' -DTWO='y = 2; x = 2' -DLAST='assert(!(x == 2 && y == 1))'
 * EXPECT: violated assertion
 *
 * What is written and read at once, or by parts, or perhaps not written at all:
 * RUN: check -DONE='c++' -DTWO='c++' -DTHREE='c = 0' -DLAST='assert(c != 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='c++' -DTWO='c++' -DTHREE='c = 0' -DLAST='assert(c <= 2)'
 * EXPECT: verified
 * RUN: check -DONE='c = 10' -DTWO='c = 20' -DTHREE='c++' -DLAST='assert(c != 11)'
 * EXPECT: violated assertion
 * RUN: check -DONE='c = 10' -DTWO='c = 20' -DTHREE='c++' -DLAST='assert(c != 21)'
 * EXPECT: violated assertion
 * RUN: check -DONE='c = 10' -DTWO='c = 20' -DTHREE='c++' -DLAST='assert(c == 10 || c == 20 || c == 11 || c == 21)'
 * EXPECT: verified
 * RUN: check -DONE='x = 5' -DTWO='x = 6' -DTHREE='EXCHANGE(x, 7, 9)' -DLAST='assert(x != 5)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 5' -DTWO='x = 6' -DTHREE='EXCHANGE(x, 7, 9)' -DLAST='assert(x != 6)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 3' -DTWO='y = atomic_exchange(&x, 4)' -DLAST='assert(y == 3)'
 * EXPECT: violated assertion
 * RUN: check -DONE='EXCHANGE(x, 7, 9)' -DTWO='x = 1' -DTHREE='x = 7' -DLAST='assert(x != 9)'
 * EXPECT: violated assertion
 * RUN: check -DONE='EXCHANGE(x, 7, 9)' -DTWO='x = 1' -DTHREE='x = 7' -DLAST='assert(x == 1 || x == 7 || x == 9)'
 * EXPECT: verified
 * RUN: check -DONE='x = 7; x = 8' -DTWO='EXCHANGE(x, 7, 9)' -DTHREE='EXCHANGE(x, 8, 5)' -DLAST='assert(x != 8)'
 * EXPECT: violated assertion
 * RUN: check -DONE='w = 0x01010101u' -DTWO='BYTE(w, 1) = 2' -DLAST='assert(w == 0x01010201u || w == 0x01010101u)'
 * EXPECT: verified
 * RUN: check -DONE='w = 0x01010101u' -DTWO='BYTE(w, 1) = 2' -DLAST='assert(w != 0x01010201u)'
 * EXPECT: violated assertion
 * RUN: check -DONE='BYTE(w, 0) = 1; BYTE(w, 1) = 1' -DTWO='BYTE(w, 0) = 2; BYTE(w, 1) = 2' -DLAST='assert(w != 0x0102u)'
 * EXPECT: violated assertion
 *
 * Pointers say what is read or written:
 * RUN: check -DONE='p = &y' -DTWO='*p = 5' -DLAST='assert(x != 5)'
 * EXPECT: violated assertion
 * RUN: check -DONE='p = &y' -DTWO='*p = 5' -DLAST='assert(x == 5 || y == 5)'
 * EXPECT: verified
 * RUN: check -DONE='x = 1' -DTWO='x = 2; y = 3' -DTHREE='p = &y' -DLAST='assert(*p != 1)'
 * EXPECT: verified
 * RUN: check -DONE='x = 1; p = &y' -DTWO='x = 2; y = 3; p = &x' -DLAST='assert(*p != 1)'
 * EXPECT: violated assertion
 * RUN: check -DONE='q = malloc(4)' -DTWO='if (q) x = 1; q = NULL' -DTHREE='int *i = malloc(4); *i = x; y = *i' -DLAST='assert(!y)'
 * EXPECT: violated assertion
 *
 * Loops, in which states lead to each other:
 * RUN: check -DONE='while (!y) {} assert(x != 2)' -DTWO='x = 1; y = 1' -DTHREE='x = 2'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (!y) {} assert(x)' -DTWO='x = 1; y = 1' -DTHREE='x = 2'
 * EXPECT: verified
 * RUN: check -DONE='while (!y) c = x; assert(c != 2 || x == 2)' -DTWO='x = 1; y = 1' -DTHREE='x = 2'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (!y) x = 1; assert(x != 3)' -DTWO='x = 2; y = 1' -DTHREE='x = 3'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (x == 1) {}' -DTWO='x = 2' -DTHREE='x = 1'
 * EXPECT: violated deadlock
 * RUN: check -DONE='while (x == 1) y = 1' -DTWO='x = 2; y = 2' -DTHREE='x = 1'
 * EXPECT: violated deadlock
 * RUN: check -DONE='while (x == 1) {}' -DTWO='x = 1' -DTHREE='x = 1; x = 2; x = 3; while (x == 1) x = 2'
 * EXPECT: violated deadlock
 *
 * Locks, whose bytes others wait for:
 * RUN: check -DONE='if (x == 1) LOCK' -DTWO='x = 1; x = 2' -DTHREE='LOCK; UNLOCK'
 * EXPECT: violated deadlock
 * RUN: check -DONE='if (x == 3) LOCK' -DTWO='x = 1; x = 2' -DTHREE='LOCK; UNLOCK'
 * EXPECT: verified
 * RUN: check -DONE='LOCK; plain = 1; UNLOCK' -DTWO='LOCK; plain = 2; UNLOCK' -DLAST='assert(plain == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='LOCK; plain = 1; plain = 3; UNLOCK' -DTWO='LOCK; plain = 2; UNLOCK' -DLAST='assert(plain != 1)'
 * EXPECT: verified
 * RUN: check -DONE='if (x == 1) plain = 1' -DTWO='x = 1; x = 2; plain = 2'
 * EXPECT: violated data-race
 *
 * Who reads only when the program ends, and memory that is copied:
 * RUN: check -DHANDLER='assert(x != 1)' -DONE='x = 1' -DTWO='x = 2'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='assert(x != 0)' -DONE='x = 1' -DTWO='x = 2'
 * EXPECT: verified
 * RUN: check -DONE='LOCK; plain = 1; UNLOCK' -DTWO='LOCK; plain = 2; UNLOCK' -DLAST='memcpy(&other, &plain, 4); assert(other == 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='LOCK; memcpy(&plain, &other, 4); UNLOCK' -DTWO='LOCK; other = 2; UNLOCK' -DLAST='assert(plain == 2)'
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef ONE
#define ONE
#endif
#ifndef TWO
#define TWO
#endif
#ifndef THREE
#define THREE
#endif
#ifndef LAST
#define LAST
#endif
#ifndef HANDLER
#define HANDLER
#endif
#define EXCHANGE(variable, old, new) \
	int expected = old; \
	atomic_compare_exchange_strong(&variable, &expected, new)
#define BYTE(word, number) ((atomic_uchar *)&word)[number]
#define LOCK               pthread_mutex_lock(&mutex)
#define UNLOCK             pthread_mutex_unlock(&mutex)

static atomic_int x, y, c;
static atomic_uint w;
static _Atomic(atomic_int *) p = &x;
static _Atomic(int *) q;
static int plain, other;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void at_end(void)
{
	HANDLER; /* ERROR */
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

static void *three(void *unused)
{
	THREE; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	atexit(at_end);
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, two, NULL);
	pthread_create(&threads[2], NULL, three, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	(void)plain, (void)other;
	LAST; /* ERROR */
	return 0;
}
