/* SPDX-License-Identifier: MIT
 *
 * Detached threads: nothing is left of one when it has ended, whether it has been detached before or after.  Where nobody looks at
 * handles, its slot is not used again (sync/names.c).  The verdicts are derived by hand.
 *
 * ALSO: --reduction none
 *
 * BOTH: main creates and detaches ONE and TWO; NEXT: it waits in between.
 *
 * Threads that are detached by main, by attribute, by themselves and by each other, and go on when main has returned:
 * RUN: check -DMAIN='BOTH' -DONE='x = 1' -DTWO='assert(x == 0)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH' -DONE='assert(x == 0)' -DTWO='x = 1'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='NEXT' -DONE='assert(x == 0); sem_post(&s)' -DTWO='x = 1'
 * EXPECT: verified
 * RUN: check -DMAIN='START(a, one); START(b, two); GONE(b); GONE(a)' -DONE='x++' -DTWO='x++; assert(x != 1)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='LOOSE(a, one); LOOSE(b, two); gone = 1' -DONE='x = 1' -DTWO='if (x) assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='START(a, one); START(b, two); gone = 1' -DONE='OWN; assert(!gone)' -DTWO='OWN'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='START(b, two); START(a, one); gone = 1' -DONE='GONE(b); x = 1' -DTWO='assert(!x)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH' -DONE='x++' -DTWO='x++' -DLAST='assert(x != 2)' -DEND=LEAVE
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH' -DONE='x++' -DTWO='x++' -DLAST='assert(x == 2)' -DEND=LEAVE
 * EXPECT: verified
 * RUN: check -DBEFORE='START(b, two)' -DMAIN='START(a, one); GONE(a); JOIN(b); assert(x != 2)' -DONE='x = 2' -DTWO='x = 1'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH' -DONE='START(c, three); GONE(c)' -DTHREE='x = 3' -DTWO='assert(x != 3)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='START(a, one); GONE(a)' -DONE='START(b, two)' -DTWO='OWN; START(c, three)' -DTHREE='GONE(c); assert(0)'
 * EXPECT: violated assertion
 *
 * A thread that is detached twice, or joined and detached, is misused in each order, whether it has ended or not:
 * RUN: check -DMAIN='START(a, one); GONE(a); GONE(a)' -DONE='x = 1'
 * EXPECT: violated thread-misuse
 * RUN: check -DMAIN='START(a, one); GONE(a); JOIN(a)' -DONE='x = 1'
 * EXPECT: violated thread-misuse
 * RUN: check -DMAIN='LOOSE(a, one); JOIN(a)' -DONE='x = 1'
 * EXPECT: violated thread-misuse
 * RUN: check -DMAIN='START(a, one); JOIN(a)' -DONE='if (x) OWN' -DBEFORE='START(b, two)' -DTWO='x = 1'
 * EXPECT: violated thread-misuse
 * RUN: check -DMAIN='START(a, one); GONE(a)' -DONE='OWN'
 * EXPECT: violated thread-misuse
 * RUN: check -DMAIN='START(a, one); if (x) GONE(a)' -DONE='x = 1; OWN'
 * EXPECT: violated thread-misuse
 * RUN: check -DMAIN='START(a, one); START(b, two); JOIN(a)' -DONE='x = 1' -DTWO='if (x) GONE(a)'
 * EXPECT: violated thread-misuse
 * The handle of a thread that has ended is not that of the next one:
 * RUN: check -DMAIN='START(a, one); GONE(a); sem_wait(&s); START(b, two); JOIN(a)' -DONE='sem_post(&s)' -DTWO='x = 1'
 * EXPECT: violated thread-misuse
 *
 * Where somebody looks at handles, a new thread may have that of one that has ended:
 * RUN: check -DMAIN='BOTH; assert(!pthread_equal(a, b))' -DONE='x = 1' -DTWO='x = 2'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH; assert(a != b)' -DONE='x = 1' -DTWO='x = 2'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH' -DONE='me = pthread_self()' -DTWO='assert(me != pthread_self())'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH' -DONE='me = (unsigned long)gettid()' -DTWO='assert(me != (unsigned long)gettid())'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='LOOSE(a, one); memcpy(&b, &a, 8); LOOSE(a, two); assert(memcmp(&a, &b, 8))' -DONE='x = 1' -DTWO='x = 2'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='START(a, one); GONE(a); pthread_cancel(a)' -DONE='x = 1'
 * EXPECT: violated thread-misuse
 *
 * What a thread leaves: locks, memory, nothing to the next thread:
 * RUN: check -DMAIN='START(a, one); GONE(a); LOCK(&m)' -DONE='LOCK(&m)'
 * EXPECT: violated deadlock
 * RUN: check -DMAIN='NEXT' -DONE='LOCK(&m); sem_post(&s)' -DTWO='UNLOCK(&m)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DMAIN='BOTH' -DONE='mine++' -DTWO='assert(mine == 0)'
 * EXPECT: verified
 * RUN: check -DMAIN='BOTH' -DONE='pthread_setspecific(key, &x)' -DTWO='assert(!pthread_getspecific(key))'
 * EXPECT: verified
 * RUN: check -DMAIN='BOTH' -DONE='int i; lent = &i; i = 1' -DTWO='int i = 2, *p = lent; if (p) *p = 3; assert(i == 2)'
 * EXPECT: violated use-after-free
 * RUN: check -DMAIN='START(a, one); GONE(a)' -DONE='return malloc(4)' -DEND=LEAVE --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DMAIN='START(a, one); sem_wait(&s); GONE(a)' -DONE='sem_post(&s); return malloc(4)' -DEND=LEAVE --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DMAIN='BOTH' -DONE='plain = 1' -DTWO='plain = 2'
 * EXPECT: violated data-race
 * RUN: check -DMAIN='NEXT' -DONE='plain = 1; sem_post(&s)' -DTWO='plain = 2'
 * EXPECT: verified
 * RUN: check -DMAIN='NEXT' -DONE='sem_post(&s); plain = 1' -DTWO='plain = 2'
 * EXPECT: violated data-race
 *
 * Where there is no room for a slot of its own for each, that of a thread that has ended is used again.  Main comes to the third
 * creation only where ONE has been quick, and that thread has room only where another has ended:
 * RUN: check -DMAIN='BOTH; if (x) THIRD' -DONE='x = 1' -DTWO='plain = 2' -DTHREE='assert(0)' --threads 3
 * EXPECT: violated assertion
 * RUN: check -DMAIN='BOTH; if (x) THIRD' -DONE='x = 1; sem_wait(&s)' -DTWO='sem_wait(&s)' -DTHREE='assert(mine == 0)' --threads 3
 * EXPECT: inconclusive: more than 3 threads are alive at once, the most that the model allows
 * RUN: check -DMAIN='BOTH; if (x) THIRD' -DONE='x = 1' -DTWO='plain = 2' -DTHREE='assert(mine == 0)'
 * EXPECT: verified
 *
 * But not the slot of one that has ended with a lock, which the next thread in it would seem to hold:
 * RUN: check -DMAIN='BOTH; if (x) THIRD' -DONE='LOCK(&m); x = 1' -DTWO='sem_wait(&s)' -DTHREE='assert(0)' --threads 3
 * EXPECT: inconclusive: more than 3 threads are alive at once, the most that the model allows
 *
 * C11 has the same:
 * RUN: check -DMAIN='thrd_create(&t, c11, NULL); thrd_detach(t); gone = 1' -DONE='assert(!gone)'
 * EXPECT: violated assertion
 * RUN: check -DMAIN='thrd_create(&t, c11, NULL); thrd_detach(t); thrd_join(t, NULL)' -DONE='x = 1'
 * EXPECT: violated thread-misuse
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef TWO
#define TWO (void)0
#endif
#ifndef THREE
#define THREE (void)0
#endif
#ifndef END
#define END return 0
#endif
#define START(handle, function) pthread_create(&handle, NULL, function, NULL)
#define LOOSE(handle, function) pthread_create(&handle, &loose, function, NULL)
#define GONE pthread_detach
#define JOIN(handle) pthread_join(handle, NULL)
#define LEAVE pthread_exit(NULL)
#define BOTH START(a, one); GONE(a); START(b, two); GONE(b)
#define NEXT START(a, one); GONE(a); sem_wait(&s); START(b, two); GONE(b)
#define THIRD { START(c, three); GONE(c); }
#define OWN pthread_detach(pthread_self())
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock

static atomic_int x, gone;
static _Atomic unsigned long me;
static _Thread_local int mine;
static volatile int plain;
static _Atomic(int *) lent;
static pthread_mutex_t m;
static pthread_key_t key;
static sem_t s;
static pthread_t a, b, c;
static thrd_t t;

static void *three(void *unused)
{
	THREE; /* ERROR */
	return unused;
}

static void *two(void *unused)
{
	TWO; /* ERROR */
	return unused;
}

static void *one(void *unused)
{
	ONE; /* ERROR */
	return unused;
}

static int c11(void *unused)
{
	return one(unused) != NULL;
}

#ifdef LAST
static void last(void)
{
	LAST; /* ERROR */
}
#endif

int main(void) /* ERROR */
{
	pthread_attr_t loose;
	pthread_attr_init(&loose);
	pthread_attr_setdetachstate(&loose, PTHREAD_CREATE_DETACHED);
	sem_init(&s, 0, 0);
	pthread_key_create(&key, NULL);
#ifdef LAST
	atexit(last);
#endif
	(void)c11; (void)three; (void)two;
	BEFORE;
	MAIN; /* ERROR */
	END;
} /* ERROR */
