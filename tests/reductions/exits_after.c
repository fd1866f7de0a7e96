/* SPDX-License-Identifier: MIT
 *
 * What is wrong where little but the end of the program is left: in the last run of all, before it, and in the end (exits.c).
 * Main starts the threads ONE, TWO and THREE, does MAIN, and ends as END says.  The verdicts are derived by hand.
 *
 * What is wrong in the last run itself, when main has long come to its end; and what is not:
 * RUN: check -DONE='x = 1' -DTWO='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1' -DTWO='assert(x != 2)'
 * EXPECT: verified
 * RUN: check -DONE='x++' -DTWO='x++' -DTHREE='assert(x != 2)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x++' -DTWO='x++' -DTHREE='assert(x != 3)'
 * EXPECT: verified
 * RUN: check -DALIKE='int n = ++x; assert(n != 3)'
 * EXPECT: violated assertion
 * RUN: check -DALIKE='int n = ++x; assert(n != 4)'
 * EXPECT: verified
 * RUN: check -DALIKE='LOCK(&a); plain++; UNLOCK(&a); assert(gone < 2)' -DMAIN='gone = 1; gone = 2'
 * EXPECT: violated assertion
 * RUN: check -DONE='if (bitspin_choose(0, 3) == 3) assert(!gone)' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='int n = bitspin_choose(0, 3); assert(n < 4)' -DMAIN='gone = 1'
 * EXPECT: verified
 * RUN: check -DONE='free(p)' -DTWO='free(p)' -DBEFORE='p = malloc(4)'
 * EXPECT: violated double-free
 * RUN: check -DONE='UNLOCK(&a)' -DTWO='LOCK(&b); UNLOCK(&b)'
 * EXPECT: violated mutex-misuse
 *
 * Others go on after the first of them has brought main to its end, or has come to an end itself:
 * RUN: check -DMAIN='sem_wait(&sem); gone = 1' -DONE='sem_post(&sem)' -DTWO='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='sem_wait(&sem); gone = 1' -DONE='sem_post(&sem)' -DTWO='while (!gone) {} x = 1' -DTHREE='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='pthread_join(id[0], NULL); gone = 1' -DONE='x = 1' -DTWO='assert(x == 0 || !gone)'
 * EXPECT: violated assertion
 * RUN: check -DONE='exit(0)' -DTWO='x = 1' -DTHREE='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='LOCK(&a); x = 1; exit(0)' -DTWO='LOCK(&a); assert(x == 0)'
 * EXPECT: verified
 * RUN: check -DONE='LOCK(&a); x = 1; exit(0)' -DTWO='LOCK(&a); UNLOCK(&a)' -DTHREE='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DBEFORE='LOCK(&a)' -DONE='LOCK(&a); assert(0)' -DTWO='x = 1'
 * EXPECT: verified
 * RUN: check -DBEFORE='LOCK(&a)' -DONE='LOCK(&a); assert(0)' -DTWO='x = 1' -DTHREE='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='LOCK(&a); x = 1; UNLOCK(&a)' -DONE='LOCK(&a); assert(x == 0); UNLOCK(&a)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1' -DONE='sem_wait(&sem); assert(!gone)' -DTWO='sem_post(&sem)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1' -DONE='sem_wait(&sem); assert(!gone)' -DTWO='x = 1'
 * EXPECT: verified
 * RUN: check -DTWO='pthread_join(id[0], NULL); assert(x == 0)' -DONE='x = 1'
 * EXPECT: violated assertion
 * RUN: check -DTWO='pthread_join(id[0], NULL); assert(x == 1)' -DONE='x = 1'
 * EXPECT: verified
 *
 * Several threads are before an end, of the program and of the path:
 * RUN: check -DMAIN='sem_wait(&sem)' -DONE='exit(1)' -DTWO='exit(2)' -DTHREE='x = 1'
 * EXPECT: verified
 * RUN: check -DMAIN='sem_wait(&sem)' -DONE='exit(1)' -DTWO='x = 2; exit(2)' -DTHREE='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='x = 1; exit(0)' -DONE='x = 2; bitspin_assume(0)' -DTWO='x = 3; _exit(0)'
 * EXPECT: verified
 * RUN: check -DMAIN='x = 1; exit(0)' -DONE='x = 2; bitspin_assume(0)' -DTWO='x = 3; _exit(0)' -DTHREE='assert(x != 2)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='quick_exit(0)' -DONE='x = 2; bitspin_assume(0)' -DTWO='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 2; exit(x)' -DTWO='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='abort()' -DMAIN='gone = 1'
 * EXPECT: violated abort
 * RUN: check -DONE='x = 1; abort()' -DTWO='x = 2; abort()' -DMAIN='gone = 1' --profile svcomp
 * EXPECT: verified
 * RUN: check -DONE='x = 1; abort()' -DTWO='if (x) reach_error()' -DMAIN='gone = 1' --profile svcomp
 * EXPECT: violated assertion
 *
 * Handlers and destructors in the last run, and what they find:
 * RUN: check -DHANDLER='assert(x != 2)' -DONE='x++' -DTWO='x++'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='assert(x != 3)' -DONE='x++' -DTWO='x++'
 * EXPECT: verified
 * RUN: check -DHANDLER='x = 3' -DONE='x = 1' -DTWO='assert(x != 3)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='sem_wait(&sem)' -DHANDLER='assert(x != 2)' -DONE='x++; if (x == 2) exit(0)' -DTWO='x++; if (x == 2) exit(0)'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='assert(0)' -DONE='x = 1; _exit(0)' -DMAIN='sem_wait(&sem)'
 * EXPECT: verified
 * RUN: check -DDESTRUCTOR='assert(!gone)' -DONE='pthread_setspecific(key, &x)' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 * RUN: check -DDESTRUCTOR='x = 1' -DONE='pthread_setspecific(key, &x)' -DTWO='assert(x == 0)'
 * EXPECT: violated assertion
 *
 * Deadlocks and circles that the last run closes; nobody minds threads that are blocked otherwise:
 * RUN: check -DONE='LOCK(&a); LOCK(&b)' -DTWO='LOCK(&b); LOCK(&a)' -DMAIN='gone = 1'
 * EXPECT: violated deadlock
 * RUN: check -DONE='LOCK(&a); LOCK(&b)' -DTWO='LOCK(&b); LOCK(&a)' -DMAIN='gone = 1' --no-deadlock
 * EXPECT: verified
 * RUN: check -DONE='LOCK(&a); LOCK(&b)' -DTWO='LOCK(&b); LOCK(&a)' -DEND='pthread_exit(NULL)' --deadlock total
 * EXPECT: violated deadlock
 * RUN: check -DONE='LOCK(&a); LOCK(&a)' -DMAIN='gone = 1'
 * EXPECT: violated deadlock
 * RUN: check -DONE='LOCK(&a)' -DTWO='LOCK(&a)' -DTHREE='exit(0)' -DMAIN='sem_wait(&sem)'
 * EXPECT: verified
 * RUN: check -DONE='LOCK(&a)' -DTWO='LOCK(&a)' -DTHREE='if (x) exit(0); x = 1' -DMAIN='sem_wait(&sem)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='sem_wait(&sem)' -DTWO='if (gone) exit(0); sem_wait(&sem)' -DMAIN='gone = 1; pthread_join(id[0], NULL)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='while (!x) {}' -DTWO='while (!x) {}' -DTHREE='LOCK(&a); UNLOCK(&a)' -DMAIN='gone = 1'
 * EXPECT: verified
 * RUN: check -DONE='for (;;) { LOCK(&a); assert(!gone || x < 2); UNLOCK(&a); }' -DTWO='x = 1; x = 2' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='pthread_detach(pthread_self()); for (;;) { sem_wait(&sem); x = 1; }' -DTWO='sem_post(&sem)' -DMAIN='gone = 1'
 * EXPECT: verified
 *
 * Races of the last access with what main did last, also where only records know of it; and none:
 * RUN: check -DMAIN='plain = 1' -DONE='LOCK(&a); plain = 2; UNLOCK(&a)'
 * EXPECT: violated data-race
 * RUN: check -DMAIN='LOCK(&a); plain = 1; UNLOCK(&a)' -DONE='LOCK(&a); plain = 2; UNLOCK(&a)'
 * EXPECT: verified
 * RUN: check -DMAIN='plain = 1; SET(relaxed)' -DONE='if (GET(relaxed)) plain = 2'
 * EXPECT: violated data-race
 * RUN: check -DMAIN='plain = 1; SET(release)' -DONE='if (GET(acquire)) plain = 2'
 * EXPECT: verified
 * RUN: check -DMAIN='SET(relaxed)' -DTWO='plain = 1; ADD(relaxed)' -DONE='if (GET(acquire) && x) plain = 2'
 * EXPECT: violated data-race
 * RUN: check -DHANDLER='plain = 1' -DONE='x = 1; plain = 2'
 * EXPECT: violated data-race
 *
 * Atomic sections in which the last thread is, or main:
 * RUN: check -DONE='bitspin_atomic_begin(); x = 1; exit(0)' -DTWO='assert(!x)'
 * EXPECT: verified
 * RUN: check -DONE='bitspin_atomic_begin(); sem_wait(&sem); x = 1; exit(0)' -DTWO='assert(!x)' -DMAIN='sem_post(&sem)'
 * EXPECT: verified
 * RUN: check -DONE='bitspin_atomic_begin(); x = 1; bitspin_atomic_end()' -DTWO='assert(!x)' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 *
 * Other searches and checks:
 * RUN: check -DONE='p = malloc(4); p = NULL' -DMAIN='gone = 1' --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DONE='x = 1' -DTWO='x = 2' --invariant 'x != 2'
 * EXPECT: violated invariant
 * RUN: check -DONE='x = 1' -DTWO='x = 2' --invariant '!terminated || {x != 2}'
 * EXPECT: violated invariant
 * RUN: check -DONE='x = 1' -DTWO='assert(x == 0)' --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -DONE='x = 1; gone = 1' -DTWO='if (GET(relaxed)) assert(x == 0)' --memory c11
 * EXPECT: violated assertion
 * RUN: check -DONE='atomic_store_explicit(&x, 1, memory_order_relaxed); assert(GET(relaxed) || 1)' -DMAIN='gone = 1' --memory tso
 * EXPECT: verified
 * RUN: check -DONE='x = 1' -DTWO='assert(x == 0)' --memory tso
 * EXPECT: violated assertion
 * RUN: check -DMAIN='int none; gone = 1' -DEND='return none' -DONE='x = gone'
 * EXPECT: violated uninitialized-read
 * RUN: check -DONE='x = bitspin_any_int(); assert(x != 77 || !gone)' -DMAIN='gone = 1' --inputs sets
 * EXPECT: violated assertion
 * RUN: check -DONE='WAIT; assert(!gone)' -DMAIN='gone = 1' --faults spurious-wakeup:1
 * EXPECT: violated assertion
 * RUN: check -DONE='int n = x; while (n-- > 0) {} assert(n == -1)' -DTWO='x = 3' --search bfs
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "bitspin.h"
#include "../thread.h"

void reach_error(void);

#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef MAIN
#define MAIN (void)0
#endif
#ifndef END
#define END return 0
#endif
#ifndef DESTRUCTOR
#define DESTRUCTOR (void)0
#endif
#define LOCK   pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
#define WAIT \
	pthread_mutex_lock(&a); \
	pthread_cond_wait(&signal, &a); \
	pthread_mutex_unlock(&a)
#define SET(order) atomic_store_explicit(&gone, 1, memory_order_##order)
#define GET(order) atomic_load_explicit(&gone, memory_order_##order)
#define ADD(order) atomic_fetch_add_explicit(&x, 1, memory_order_##order)

atomic_int gone, x;
static volatile int plain;
static void *volatile p;
static pthread_mutex_t a, b;
static pthread_cond_t signal;
static pthread_key_t key;
static sem_t sem;
static pthread_t id[3];

static void destroy(void *value)
{
	(void)value;
	DESTRUCTOR; /* ERROR */
}

#ifdef ONE
THREAD(one, ONE) /* ERROR */
#endif
#ifdef TWO
THREAD(two, TWO) /* ERROR */
#endif
#ifdef THREE
THREAD(three, THREE) /* ERROR */
#endif
#ifdef ALIKE
THREAD(alike, ALIKE) /* ERROR */
#endif

#ifdef HANDLER
static void handler(void)
{
	HANDLER; /* ERROR */
}
#endif

int main(void) /* ERROR */
{
	sem_init(&sem, 0, 0);
	pthread_key_create(&key, destroy);
	BEFORE; /* ERROR */
#ifdef HANDLER
	atexit(handler);
#endif
#ifdef ONE
	pthread_create(&id[0], NULL, one, NULL);
#endif
#ifdef TWO
	pthread_create(&id[1], NULL, two, NULL);
#endif
#ifdef THREE
	pthread_create(&id[2], NULL, three, NULL);
#endif
#ifdef ALIKE
	for (int i = 0; i < 3; i++)
		pthread_create(&id[i], NULL, alike, NULL);
#endif
	MAIN; /* ERROR */
	END;  /* ERROR */
} /* ERROR */
