/* SPDX-License-Identifier: MIT
 *
 * What read-write locks, condition variables, barriers and pthread_once order, and what they do not.  The threads learn by relaxed
 * flags, which order nothing, that another has come so far; so only the operation at hand can order their accesses.
 *
 * Read-write locks: readers follow writers, writers follow both, readers do not follow readers.
 *
 * RUN: check -DREADERS
 * EXPECT: violated data-race
 * RUN: check -DREADERS -DINSIDE
 * EXPECT: violated data-race
 * RUN: check -DREADERS -DSECOND_WRITES
 * EXPECT: verified
 * RUN: check -DREADERS -DFIRST_WRITES
 * EXPECT: verified
 * RUN: check -DREADERS -DFIRST_WRITES -DSECOND_WRITES
 * EXPECT: verified
 * RUN: check -DREADERS -DTWO_FIRST
 * EXPECT: violated data-race
 * RUN: check -DREADERS -DTWO_FIRST -DSECOND_WRITES
 * EXPECT: verified
 *
 * Condition variables: a signal orders with whom it wakes, and with nobody else; a time-out orders nothing; the wait gives the
 * mutex back and takes it again.
 *
 * RUN: check --no-deadlock -DSIGNAL
 * EXPECT: verified
 * RUN: check --no-deadlock -DSIGNAL -DTIMES_OUT
 * EXPECT: violated data-race
 * RUN: check --no-deadlock -DSIGNAL -DNOBODY_WAITS
 * EXPECT: violated data-race
 * RUN: check --no-deadlock -DSIGNAL -DTWO_WAIT
 * EXPECT: violated data-race
 * RUN: check --no-deadlock -DSIGNAL -DTWO_WAIT -DBROADCAST
 * EXPECT: verified
 * RUN: check --no-deadlock -DGIVES_BACK
 * EXPECT: verified
 * RUN: check --no-deadlock -DGIVES_BACK -DOTHER_MUTEX
 * EXPECT: violated data-race
 * RUN: check --no-deadlock -DTAKES_AGAIN
 * EXPECT: verified
 *
 * Barriers: all that meet in a round follow each other; who meets in the next round follows nobody of this one.
 *
 * RUN: check --no-deadlock -DROUND
 * EXPECT: verified
 * RUN: check --no-deadlock -DROUND -DTHREE
 * EXPECT: verified
 * RUN: check --no-deadlock -DROUND -DNEXT
 * EXPECT: violated data-race
 * RUN: check --no-deadlock -DROUND -DNEXT -DHANDED_ON
 * EXPECT: verified
 *
 * Semaphores: who waits follows all who have posted before, not the last one only.
 *
 * RUN: check -DPOSTS
 * EXPECT: verified
 * RUN: check -DPOSTS -DNO_WAIT
 * EXPECT: violated data-race
 *
 * pthread_once: who calls it follows the initialisation, and not those who called it before in vain.
 *
 * RUN: check -DONCE
 * EXPECT: verified
 * RUN: check -DONCE -DNO_CALL
 * EXPECT: violated data-race
 * RUN: check -DONCE -DIN_VAIN
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static volatile int data; /* volatile: an optimiser drops what nobody reads */
static atomic_int flag, second_flag, waiting;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void tell(atomic_int *what)
{
	atomic_store_explicit(what, 1, memory_order_relaxed);
}

static int knows(atomic_int *what)
{
	return atomic_load_explicit(what, memory_order_relaxed);
}

#if defined READERS
static void lock_for(int writes)
{
	if (writes)
		pthread_rwlock_wrlock(&rwlock);
	else
		pthread_rwlock_rdlock(&rwlock);
}

static void *first(void *unused)
{
#ifdef FIRST_WRITES
	int writes = 1;
#else
	int writes = 0;
#endif
#ifdef INSIDE
	lock_for(writes);
	data = 1;
	tell(&flag);
	pthread_rwlock_unlock(&rwlock);
#else
	data = 1;
	lock_for(writes);
	pthread_rwlock_unlock(&rwlock);
	tell(&flag);
#endif
	return unused;
}

/* With TWO_FIRST a second reader that has nothing to tell gives the lock back after the first one. */
static void *bystander(void *unused)
{
	if (!knows(&flag))
		return unused;
	lock_for(0);
	pthread_rwlock_unlock(&rwlock);
	tell(&second_flag);
	return unused;
}

static void *second(void *unused)
{
#ifdef TWO_FIRST
	if (!knows(&second_flag))
		return unused;
#endif
	if (!knows(&flag))
		return unused;
#ifdef SECOND_WRITES
	lock_for(1);
#else
	lock_for(0);
#endif
	data = 2; /* ERROR */
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

#elif defined SIGNAL
/* Goes on when those that wait are asleep: they say so while they have the mutex. */
static void *first(void *unused)
{
#ifndef NOBODY_WAITS
	pthread_mutex_lock(&mutex);
	int asleep = knows(&waiting);
	pthread_mutex_unlock(&mutex);
	if (!asleep)
		return unused;
#endif
	data = 1;
#if defined BROADCAST
	pthread_cond_broadcast(&condition);
#elif !defined TIMES_OUT
	pthread_cond_signal(&condition);
#endif
	tell(&flag);
	return unused;
}

static void fall_asleep(void)
{
#ifdef TWO_WAIT
	if (knows(&second_flag))
		tell(&waiting);
	tell(&second_flag);
#else
	tell(&waiting);
#endif
}

static void *second(void *unused)
{
	int value = 0;
	pthread_mutex_lock(&mutex);
#if defined NOBODY_WAITS
	if (knows(&flag))
		value = data; /* ERROR */
#elif defined TIMES_OUT
	fall_asleep();
	if (pthread_cond_timedwait(&condition, &mutex, &(struct timespec){ 1, 0 }) != 0 && knows(&flag))
		value = data; /* ERROR */
#else
	fall_asleep();
	pthread_cond_wait(&condition, &mutex);
	value = data;
#endif
	pthread_mutex_unlock(&mutex);
	return value ? unused : NULL;
}

#ifdef TWO_WAIT
/* With one signal for two, it may read only if it is the one; it does if it is not. */
static void *bystander(void *unused)
{
	pthread_mutex_lock(&mutex);
	fall_asleep();
	int woken = pthread_cond_timedwait(&condition, &mutex, &(struct timespec){ 1, 0 }) == 0;
	pthread_mutex_unlock(&mutex);
#ifdef BROADCAST
	if (woken)
		return data ? unused : NULL;
#else
	if (!woken && knows(&flag))
		return data ? unused : NULL; /* ERROR */
#endif
	return unused;
}
#endif

#elif defined GIVES_BACK
static void *first(void *unused)
{
	pthread_mutex_lock(&mutex);
	data = 1;
	tell(&waiting);
	pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_t *m = &mutex;
#ifdef OTHER_MUTEX
	m = &other;
#endif
	if (!knows(&waiting))
		return unused;
	pthread_mutex_lock(m);
	data = 2; /* ERROR */
	pthread_mutex_unlock(m);
	return unused;
}

#elif defined TAKES_AGAIN
/* The thread that holds the mutex when the other is woken writes afterwards. */
static void *first(void *unused)
{
	pthread_mutex_lock(&mutex);
	tell(&waiting);
	pthread_cond_wait(&condition, &mutex);
	data = 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *second(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (knows(&waiting)) {
		pthread_cond_signal(&condition);
		data = 2;
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

#elif defined ROUND
static void *first(void *unused)
{
	data = 1;
	pthread_barrier_wait(&barrier);
	tell(&flag);
	return unused;
}

static void *second(void *unused)
{
	pthread_barrier_wait(&barrier);
	(void)knows(&flag); /* a relaxed load, so that what a barrier orders is not taken for granted */
#ifndef NEXT
	data = 2;
#endif
#ifdef HANDED_ON
	pthread_barrier_wait(&barrier);
#endif
	return unused;
}

#ifdef THREE
static void *bystander(void *unused)
{
	pthread_barrier_wait(&barrier);
	return unused;
}
#endif

#ifdef NEXT
static void *bystander(void *unused)
{
	if (!knows(&flag))
		return unused;
	pthread_barrier_wait(&barrier);
	data = 3; /* ERROR */
	return unused;
}
#ifndef HANDED_ON
static void *partner(void *unused)
{
	if (!knows(&flag))
		return unused;
	pthread_barrier_wait(&barrier);
	return unused;
}
#endif
#endif

#elif defined POSTS
static void *first(void *unused)
{
	data = 1;
	sem_post(&semaphore);
	tell(&flag);
	return unused;
}

static void *bystander(void *unused)
{
	if (!knows(&flag))
		return unused;
	sem_post(&semaphore);
	tell(&second_flag);
	return unused;
}

static void *second(void *unused)
{
	if (!knows(&second_flag))
		return unused;
#ifndef NO_WAIT
	sem_wait(&semaphore);
#endif
	data = 2; /* ERROR */
	return unused;
}

#elif defined ONCE
static void initialise(void)
{
#ifndef IN_VAIN
	data = 1;
#endif
}

static void *first(void *unused)
{
#ifdef IN_VAIN
	data = 1;
#endif
	pthread_once(&once, initialise);
	tell(&flag);
	return unused;
}

static void *second(void *unused)
{
	if (!knows(&flag))
		return unused;
#ifndef NO_CALL
	pthread_once(&once, initialise);
#endif
	data = 2; /* ERROR */
	return unused;
}
#endif

static void create(void *(*function)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, NULL);
	pthread_detach(thread);
}

int main(void)
{
	sem_init(&semaphore, 0, 0);
#ifdef THREE
	pthread_barrier_init(&barrier, NULL, 3);
#else
	pthread_barrier_init(&barrier, NULL, 2);
#endif
#ifdef IN_VAIN
	pthread_once(&once, initialise);
#endif
	create(first);
#if defined TWO_FIRST || defined TWO_WAIT || defined NEXT || defined THREE || defined POSTS
	create(bystander);
#endif
#if defined NEXT && !defined HANDED_ON
	create(partner);
#endif
	create(second);
	pthread_exit(NULL);
}
