/* SPDX-License-Identifier: MIT
 *
 * Threads that wait for each other in a circle never go on, whatever other threads do: a deadlock, also if a bystander never
 * ends, or ends the program at once.  A wait that somebody can end (a deadline, a cancelled join) makes no circle.
 *
 * RUN: check -DTABLE
 * EXPECT: violated deadlock
 * RUN: check -DTABLE --deadlock circular
 * EXPECT: violated deadlock
 * RUN: check -DTABLE --deadlock total
 * EXPECT: verified
 * RUN: check -DTABLE --no-deadlock
 * EXPECT: verified
 * RUN: check -DTABLE -DEXITS
 * EXPECT: violated deadlock
 * RUN: check -DTABLE -DEXITS --deadlock total
 * EXPECT: verified
 * RUN: check -DTABLE -DLEFT
 * EXPECT: verified
 * RUN: check -DCROSS
 * EXPECT: violated deadlock
 * RUN: check -DCROSS -DEXITS
 * EXPECT: violated deadlock
 * RUN: check -DCROSS -DRECURSIVE
 * EXPECT: violated deadlock
 * RUN: check -DCROSS -DROBUST
 * EXPECT: violated deadlock
 * RUN: check -DCROSS -DTIMED
 * EXPECT: verified
 * RUN: check -DCROSS -DTIMED --faults timeout:0
 * EXPECT: verified
 * RUN: check -DCROSS -DTRIES
 * EXPECT: verified
 * RUN: check -DCROSS --property termination
 * EXPECT: violated deadlock
 * RUN: check -DJOIN
 * EXPECT: violated deadlock
 * RUN: check -DJOIN -DCANCELLED
 * EXPECT: verified
 * RUN: check -DJOIN -DCANCELLED -DDISABLED
 * EXPECT: violated deadlock
 * RUN: check -DJOIN -DTIMED
 * EXPECT: verified
 * RUN: check -DSELF
 * EXPECT: violated deadlock
 * RUN: check -DSELF -DRECURSIVE
 * EXPECT: verified
 * RUN: check -DSELF -DERRORCHECK
 * EXPECT: verified
 * RUN: check -DREADERS
 * EXPECT: violated deadlock
 * RUN: check -DREADERS -DTWO
 * EXPECT: violated deadlock
 * RUN: check -DREADERS -DREADS
 * EXPECT: verified
 * RUN: check -DSPIN
 * EXPECT: violated deadlock
 * RUN: check -DASLEEP
 * EXPECT: verified
 * RUN: check -DWOKEN
 * EXPECT: violated deadlock
 * RUN: check -DWOKEN -DEXITS
 * EXPECT: violated deadlock
 * RUN: check -DONCE
 * EXPECT: violated deadlock
 * RUN: check -DSEMAPHORES
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m, n, forks[3];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s, t;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t p, q;
static pthread_t first;
static const struct timespec late = { 1, 0 };

static void *philosopher(void *argument)
{
	int i = (int)(intptr_t)argument, left = i, right = (i + 1) % 3;
#ifdef LEFT
	if (right == 0)
		right = left, left = 0;
#endif
	pthread_mutex_lock(&forks[left]);
	pthread_mutex_lock(&forks[right]); /* ERROR */
	pthread_mutex_unlock(&forks[right]);
	pthread_mutex_unlock(&forks[left]);
	return NULL;
}

static void *cross(void *other)
{
	pthread_mutex_t *one = other ? &n : &m, *two = other ? &m : &n;
	pthread_mutex_lock(one);
#if defined(TIMED)
	if (pthread_mutex_timedlock(two, &late) == 0)
#elif defined(TRIES)
	if (pthread_mutex_trylock(two) == 0)
#else
	pthread_mutex_lock(two); /* ERROR */
#endif
		pthread_mutex_unlock(two);
	pthread_mutex_unlock(one);
	return NULL;
}

static void *locks(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *joins(void *unused)
{
	pthread_t thread;
#ifdef DISABLED
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	pthread_create(&thread, NULL, locks, NULL);
#ifdef TIMED
	pthread_timedjoin_np(thread, NULL, &late);
#else
	pthread_join(thread, NULL); /* ERROR */
#endif
	pthread_cleanup_pop(1);
	return unused;
}

static void *twice(void *unused)
{
	if (pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == 0) /* ERROR */
		pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&rwlock);
	pthread_mutex_lock(&m); /* ERROR */
	pthread_mutex_unlock(&m);
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *idle_reader(void *unused)
{
	pthread_rwlock_rdlock(&rwlock);
	for (;;)
		sched_yield();
	return unused;
}

static void *writer(void *unused)
{
	pthread_mutex_lock(&m);
#ifdef READS
	pthread_rwlock_rdlock(&rwlock);
#else
	pthread_rwlock_wrlock(&rwlock); /* ERROR */
#endif
	pthread_rwlock_unlock(&rwlock);
	pthread_mutex_unlock(&m);
	return unused;
}

static void *spins(void *other)
{
	pthread_spin_lock(other ? &s : &t);
	pthread_spin_lock(other ? &t : &s); /* ERROR */
	pthread_spin_unlock(&s);
	pthread_spin_unlock(&t);
	return NULL;
}

/* Sleeps with n. */
static void *sleeper(void *unused)
{
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m); /* ERROR */
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	return unused;
}

static void *wants_n(void *unused)
{
#ifdef WOKEN
	pthread_mutex_lock(&m);
#endif
	pthread_mutex_lock(&n); /* ERROR */
	pthread_mutex_unlock(&n);
#ifdef WOKEN
	pthread_mutex_unlock(&m);
#endif
	return unused;
}

static void initialise(void)
{
	pthread_mutex_lock(&m); /* ERROR */
	pthread_mutex_unlock(&m);
}

static void *initialises(void *holds)
{
	if (holds)
		pthread_mutex_lock(&m);
	pthread_once(&once, initialise);
	if (holds)
		pthread_mutex_unlock(&m);
	return NULL;
}

static void *waits(void *other)
{
	sem_wait(other ? &p : &q);
	sem_wait(other ? &q : &p);
	return NULL;
}

static void create(void *(*function)(void *), int number)
{
	pthread_t thread;
	pthread_create(number ? &thread : &first, NULL, function, (void *)(intptr_t)number);
}

static void set_up(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
#if defined(RECURSIVE)
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#elif defined(ERRORCHECK)
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
#elif defined(ROBUST)
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
	pthread_mutex_init(&m, &attributes);
	pthread_mutex_init(&n, &attributes);
	pthread_spin_init(&s, 0);
	pthread_spin_init(&t, 0);
	sem_init(&p, 0, 1);
	sem_init(&q, 0, 1);
}

int main(void)
{
	set_up();
#if defined(TABLE)
	for (int i = 0; i < 3; i++)
		create(philosopher, i);
#elif defined(CROSS)
	create(cross, 0);
	create(cross, 1);
#elif defined(JOIN)
	create(joins, 0);
#elif defined(SELF)
	create(twice, 0);
#elif defined(READERS)
	create(reader, 0);
	create(writer, 1);
#ifdef TWO
	create(idle_reader, 2);
#endif
#elif defined(SPIN)
	create(spins, 0);
	create(spins, 1);
#elif defined(ASLEEP) || defined(WOKEN)
	create(sleeper, 0);
	create(wants_n, 1);
#elif defined(ONCE)
	create(initialises, 0);
	create(initialises, 1);
#elif defined(SEMAPHORES)
	create(waits, 0);
	create(waits, 1);
#endif
#ifdef EXITS
#ifdef WOKEN
	pthread_cond_signal(&c);
#endif
	exit(0);
#endif
	for (;;) {
#if defined(ASLEEP) || defined(WOKEN)
		pthread_cond_signal(&c);
#elif defined(CANCELLED)
		if (!pthread_tryjoin_np(first, NULL))
			break;
		pthread_cancel(first);
#endif
		sched_yield();
	}
	return 0;
}
