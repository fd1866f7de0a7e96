/* SPDX-License-Identifier: MIT
 *
 * The step that ends the program comes last (--reduction exits): main starts the threads ONE and TWO, does MAIN, and ends as END
 * says.  The verdicts are derived by hand.
 *
 * ALSO: --reduction exits
 *
 * A violation only after main has come to its return, only before, and in a thread that is started last:
 * RUN: check -DMAIN='gone = 1' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1' -DONE='assert(gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1' -DONE='seen = gone' -DTWO='assert(!seen)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1; gone = 2' -DONE='assert(gone != 3)'
 * EXPECT: verified
 * RUN: check -DMAIN='gone = 1; gone = 2' -DONE='if (gone == 1) assert(gone != 2)'
 * EXPECT: violated assertion
 * Somebody else ends the program, and main may be in the middle of something:
 * RUN: check -DONE='seen = 1; exit(0)' -DMAIN='assert(!seen)'
 * EXPECT: violated assertion
 * RUN: check -DONE='exit(seen)' -DTWO='seen = 1' -DMAIN='gone = 1; assert(!seen)'
 * EXPECT: violated assertion
 * RUN: check -DONE='exit(0)' -DMAIN='assert(0)'
 * EXPECT: violated assertion
 * RUN: check -DONE='exit(0)' -DMAIN='pthread_join(id[0], NULL); assert(0)'
 * EXPECT: verified
 * RUN: check -DONE='if (seen) exit(0)' -DTWO='seen = 1' -DMAIN='pthread_join(id[0], NULL); assert(!seen)'
 * EXPECT: violated assertion
 * RUN: check -DONE='if (seen == 0) exit(0)' -DTWO='seen = 1' -DMAIN='pthread_join(id[0], NULL); assert(seen)'
 * EXPECT: verified
 * RUN: check -DONE='exit(1)' -DTWO='exit(2)' -DMAIN='pthread_join(id[0], NULL); assert(0)'
 * EXPECT: verified
 *
 * Variables of main end with its return, not before, and not with exit(), which does not return:
 * RUN: check -DMAIN='int mine = 1; lent = &mine' -DHANDLER='gone = 1' -DONE='while (!gone) {} *lent = 2'
 * EXPECT: violated use-after-free
 * RUN: check -DMAIN='int mine = 1; lent = &mine' -DEND='exit(0)' -DONE='int *p = lent; if (p) *p = 2'
 * EXPECT: verified
 * RUN: check -DMAIN='int mine = 1; lent = &mine; pthread_join(id[0], NULL)' -DONE='if (lent) *lent = 2'
 * EXPECT: verified
 * RUN: check -DMAIN='int mine = 1; lent = &mine' -DEND='pthread_exit(NULL)' -DONE='pthread_join(own, NULL); *lent = 2'
 * EXPECT: violated use-after-free
 *
 * Handlers are ordinary code before the end.  They see what threads do, and threads see what they do.  The last thread runs them:
 * RUN: check -DHANDLER='gone = 1' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='assert(!seen)' -DONE='seen = 1'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='assert(gone)' -DMAIN='gone = 1' -DONE='seen = 1'
 * EXPECT: verified
 * RUN: check -DHANDLER='plain = 1' -DONE='plain = 2'
 * EXPECT: violated data-race
 * RUN: check -DHANDLER='pthread_join(id[0], NULL); plain = 1' -DONE='plain = 2'
 * EXPECT: verified
 * RUN: check -DHANDLER='assert(seen == 2)' -DONE='seen++' -DTWO='seen++' -DEND='pthread_exit(NULL)'
 * EXPECT: verified
 * RUN: check -DHANDLER='assert(seen != 2)' -DONE='seen++' -DTWO='seen++' -DEND='pthread_exit(NULL)'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='exit(3)' -DMAIN='gone = 1' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DQUICK='gone = 1' -DHANDLER='assert(0)' -DEND='quick_exit(0)' -DONE='seen = 1'
 * EXPECT: verified
 * RUN: check -DQUICK='gone = 1' -DEND='quick_exit(0)' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DHANDLER='assert(0)' -DEND='_exit(0)' -DMAIN='gone = 1' -DONE='seen = gone'
 * EXPECT: verified
 * RUN: check -DHANDLER='assert(0)' -DEND='_exit(0)' -DMAIN='gone = 1' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1' -DDESTRUCTOR='assert(!gone)' -DONE='pthread_setspecific(key, &seen)'
 * EXPECT: violated assertion
 *
 * Servers that never end, which wait, or go round; and what they do after main has come to its end:
 * RUN: check -DONE='pthread_detach(pthread_self()); for (;;) seen = !seen' -DMAIN='gone = 1'
 * EXPECT: verified
 * RUN: check -DONE='pthread_detach(pthread_self()); for (;;) assert(!gone)' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (!seen) {}' -DTWO='while (!seen) {}'
 * EXPECT: verified
 * RUN: check -DONE='while (!seen) {}' -DTWO='while (!seen) {}' -DEND='pthread_exit(NULL)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='while (!gone) {} assert(0)' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='for (;;) pause()' -DTWO='sem_wait(&sem)'
 * EXPECT: verified
 * RUN: check -DONE='for (;;) pthread_mutex_lock(&a), pthread_mutex_unlock(&a)' -DTWO='pthread_mutex_lock(&a); seen = 1; exit(0)'
 * EXPECT: verified
 *
 * Threads that are blocked when the program ends are no deadlock; a circle of them is, and so is a program that waits for them:
 * RUN: check -DONE='sem_wait(&sem)'
 * EXPECT: verified
 * RUN: check -DONE='sem_wait(&sem)' --deadlock total
 * EXPECT: verified
 * RUN: check -DONE='sem_wait(&sem)' -DMAIN='pthread_join(id[0], NULL)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='sem_wait(&sem)' -DEND='pthread_exit(NULL)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='sem_wait(&sem)' -DTWO='exit(0)' -DMAIN='pthread_join(id[0], NULL)'
 * EXPECT: verified
 * RUN: check -DMAIN='pthread_mutex_lock(&a)' -DONE='pthread_mutex_lock(&a); pthread_mutex_unlock(&a)'
 * EXPECT: verified
 * RUN: check -DMAIN='pthread_mutex_lock(&a)' -DONE='pthread_mutex_lock(&a); pthread_mutex_unlock(&a)' -DEND='pthread_exit(NULL)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='LOCK(&a); LOCK(&b)' -DTWO='LOCK(&b); LOCK(&a)'
 * EXPECT: violated deadlock
 * RUN: check -DONE='LOCK(&a); LOCK(&b)' -DTWO='LOCK(&b); LOCK(&a)' --deadlock total
 * EXPECT: verified
 * RUN: check -DMAIN='gone = 1; sem_post(&sem)' -DONE='sem_wait(&sem); assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DONE='WAIT' --faults spurious-wakeup:1
 * EXPECT: verified
 * RUN: check -DONE='WAIT' --faults spurious-wakeup:1 --deadlock total
 * EXPECT: verified
 * RUN: check -DONE='WAIT; assert(!gone)' -DMAIN='gone = 1' --faults spurious-wakeup:1
 * EXPECT: violated assertion
 * RUN: check -DONE='while (sem_timedwait(&sem, &late)) assert(!gone)' -DMAIN='gone = 1'
 * EXPECT: violated assertion
 * RUN: check -DONE='while (sem_timedwait(&sem, &late)) {}' -DMAIN='gone = 1'
 * EXPECT: verified
 *
 * Races with what main does last, and with nothing:
 * RUN: check -DMAIN='plain = 1' -DONE='plain = 2'
 * EXPECT: violated data-race
 * RUN: check -DONE='plain = 2' -DMAIN='gone = 1'
 * EXPECT: verified
 * RUN: check -DEND='return plain' -DONE='plain = 2'
 * EXPECT: violated data-race
 *
 * A thread that ends the program in the midst of an atomic section lets nobody see what it has done there:
 * RUN: check -DMAIN='bitspin_atomic_begin(); gone = 1; exit(0)' -DONE='assert(!gone)'
 * EXPECT: verified
 * RUN: check -DMAIN='bitspin_atomic_begin(); gone = 1; bitspin_atomic_end()' -DEND='exit(0)' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='bitspin_atomic_begin(); sem_wait(&sem); gone = 1; exit(0)' -DONE='sem_post(&sem); assert(!gone)'
 * EXPECT: verified
 *
 * An assumption that fails ends the path like the program, and so does abort() under the rules of SV-COMP:
 * RUN: check -DMAIN='gone = 1; bitspin_assume(0)' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1; bitspin_assume(seen == 0); assert(seen == 0)' -DONE='seen = 1'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='bitspin_assume(0)' -DONE='assert(!gone)'
 * EXPECT: verified
 * RUN: check -DMAIN='gone = 1; abort()' -DONE='if (gone) reach_error()' --profile svcomp
 * EXPECT: violated assertion
 * RUN: check -DMAIN='gone = 1; abort()' -DONE='seen = gone' --profile svcomp
 * EXPECT: verified
 * RUN: check -DMAIN='gone = 1; abort()' -DONE='seen = gone'
 * EXPECT: violated abort
 * RUN: check -DMAIN='gone = 1; bitspin_assume(0)' -DONE='sem_wait(&sem)'
 * EXPECT: verified
 *
 * Where it is off: what is looked at where the program ends.  The status is looked at before:
 * RUN: check -DMAIN='gone = 1' -DONE='box = malloc(4); box = NULL' --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DMAIN='box = malloc(4); box = NULL' -DONE='for (;;) seen = !seen' --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DMAIN='box = malloc(4); pthread_join(id[0], NULL)' -DONE='free(atomic_exchange(&box, NULL))' --leaks
 * EXPECT: verified
 * RUN: check -DMAIN='gone = 1' -DONE='seen = gone' --invariant 'seen == 0'
 * EXPECT: violated invariant
 * RUN: check -DMAIN='gone = 1' -DONE='for (;;) seen = !seen' --invariant '!terminated || {seen == 0}'
 * EXPECT: violated invariant
 * RUN: check -DMAIN='gone = 1' -DONE='for (;;) seen = !seen' --property termination
 * EXPECT: verified
 * RUN: check -DMAIN='int none; gone = 1' -DEND='return none' -DONE='seen = gone'
 * EXPECT: violated uninitialized-read
 * Its end is a step of main's, so that to be late is a preemption:
 * RUN: check -DMAIN='gone = 1; gone = 2' -DONE='assert(gone != 2)' --preemptions 1
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bitspin.h"

void reach_error(void);

#ifndef MAIN
#define MAIN (void)0
#endif
#ifndef END
#define END return 0
#endif
#ifndef DESTRUCTOR
#define DESTRUCTOR (void)0
#endif
#define LOCK pthread_mutex_lock
#define WAIT pthread_mutex_lock(&a); pthread_cond_wait(&signal, &a); pthread_mutex_unlock(&a)

atomic_int gone, seen; /* an optimiser must not know who writes them */
static volatile int plain;
static _Atomic(int *) lent;
static _Atomic(void *) box;
static pthread_mutex_t a, b;
static pthread_cond_t signal;
static pthread_key_t key;
static sem_t sem;
static pthread_t own, id[2];
static const struct timespec late = { 1, 0 };

static void destroy(void *value)
{
	(void)value;
	DESTRUCTOR; /* ERROR */
}

static void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

#ifdef TWO
static void *two(void *unused)
{
	TWO; /* ERROR */
	return unused;
}
#endif

#ifdef HANDLER
static void handler(void)
{
	HANDLER; /* ERROR */
}
#endif

#ifdef QUICK
static void quick(void)
{
	QUICK; /* ERROR */
}
#endif

int main(void) /* ERROR */
{
	own = pthread_self();
	sem_init(&sem, 0, 0);
	pthread_key_create(&key, destroy);
#ifdef HANDLER
	atexit(handler);
#endif
#ifdef QUICK
	at_quick_exit(quick);
#endif
	pthread_create(&id[0], NULL, one, NULL);
#ifdef TWO
	pthread_create(&id[1], NULL, two, NULL);
#endif
	MAIN; /* ERROR */
	END; /* ERROR */
} /* ERROR */
