/* SPDX-License-Identifier: MIT
 *
 * An attempt to lock that fails tells that somebody has the lock, and orders nothing.  One that succeeds orders like a lock.
 *
 * RUN: check -DMUTEX_TRY
 * EXPECT: violated data-race
 * RUN: check -DMUTEX_TIMED
 * EXPECT: violated data-race
 * RUN: check -DSEM_TRY
 * EXPECT: violated data-race
 * RUN: check -DSEM_TIMED
 * EXPECT: violated data-race
 * RUN: check -DSEM_VALUE
 * EXPECT: violated data-race
 * RUN: check -DRWLOCK_TRY_READ
 * EXPECT: violated data-race
 * RUN: check -DRWLOCK_TRY_WRITE
 * EXPECT: violated data-race
 * RUN: check -DSPIN_TRY
 * EXPECT: violated data-race
 * RUN: check -DMUTEX_TRY -DTAKEN_AGAIN
 * EXPECT: violated data-race
 * RUN: check -DSEM_TRY -DTAKEN_AGAIN
 * EXPECT: violated data-race
 * RUN: check -DRWLOCK_TRY_WRITE -DTAKEN_AGAIN
 * EXPECT: violated data-race
 * RUN: check -DSPIN_TRY -DTAKEN_AGAIN
 * EXPECT: violated data-race
 * RUN: check -DMUTEX_TRY -DGIVEN_BACK
 * EXPECT: verified
 * RUN: check -DSEM_TRY -DGIVEN_BACK
 * EXPECT: verified
 * RUN: check -DRWLOCK_TRY_READ -DGIVEN_BACK
 * EXPECT: verified
 * RUN: check -DRWLOCK_TRY_WRITE -DGIVEN_BACK
 * EXPECT: verified
 * RUN: check -DSPIN_TRY -DGIVEN_BACK
 * EXPECT: verified
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static int data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static atomic_int started;

static void take(void)
{
#if defined MUTEX_TRY || defined MUTEX_TIMED
	pthread_mutex_lock(&mutex);
#elif defined SPIN_TRY
	pthread_spin_lock(&spin);
#elif defined RWLOCK_TRY_READ || defined RWLOCK_TRY_WRITE
	pthread_rwlock_wrlock(&rwlock);
#else
	sem_wait(&semaphore);
#endif
}

static void give(void)
{
#if defined MUTEX_TRY || defined MUTEX_TIMED
	pthread_mutex_unlock(&mutex);
#elif defined SPIN_TRY
	pthread_spin_unlock(&spin);
#elif defined RWLOCK_TRY_READ || defined RWLOCK_TRY_WRITE
	pthread_rwlock_unlock(&rwlock);
#else
	sem_post(&semaphore);
#endif
}

static int attempt(void) /* 1: it has been taken */
{
#ifdef MUTEX_TRY
	return pthread_mutex_trylock(&mutex) == 0;
#elif defined MUTEX_TIMED
	return pthread_mutex_timedlock(&mutex, &(struct timespec){ 0 }) == 0;
#elif defined SEM_TRY
	return sem_trywait(&semaphore) == 0;
#elif defined SEM_TIMED
	return sem_timedwait(&semaphore, &(struct timespec){ 0 }) == 0;
#elif defined SEM_VALUE
	int value;
	sem_getvalue(&semaphore, &value);
	return value != 0;
#elif defined RWLOCK_TRY_READ
	return pthread_rwlock_tryrdlock(&rwlock) == 0;
#elif defined RWLOCK_TRY_WRITE
	return pthread_rwlock_trywrlock(&rwlock) == 0;
#elif defined SPIN_TRY
	return pthread_spin_trylock(&spin) == 0;
#endif
}

static void *run(void *unused)
{
	(void)unused;
#ifdef GIVEN_BACK
	take();
	atomic_store_explicit(&started, 1, memory_order_relaxed);
	data = 1;
	give();
#else
	data = 1;
	take();
#ifdef TAKEN_AGAIN /* who takes it in between would know of the write; who fails to does not */
	give();
	take();
	atomic_store_explicit(&started, 1, memory_order_relaxed);
#endif
	(void)give;
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_spin_init(&spin, 0);
	sem_init(&semaphore, 0, 1);
	pthread_create(&thread, NULL, run, NULL);
#ifdef GIVEN_BACK
	if (!atomic_load_explicit(&started, memory_order_relaxed))
		return 0;
	if (attempt())
		return data - 1;
	return 0;
#else
#ifdef TAKEN_AGAIN
	if (!atomic_load_explicit(&started, memory_order_relaxed))
		return 0;
#endif
	(void)started;
	if (attempt())
		return 0;
	return data - 1; /* ERROR */
#endif
}
