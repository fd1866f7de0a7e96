/* SPDX-License-Identifier: MIT
 *
 * What the calls of mutexes, read-write locks, spin locks and barriers return, their errors and time-outs included.
 *
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <time.h>

static const struct timespec past = { 1, 0 }, bad = { 1, -1 };

static void *elsewhere(void *(*f)(void *), void *argument)
{
	pthread_t thread;
	void *result;
	assert(pthread_create(&thread, NULL, f, argument) == 0);
	assert(pthread_join(thread, &result) == 0);
	return result;
}

static void *try_mutex(void *m)
{
	assert(pthread_mutex_trylock(m) == EBUSY);
	assert(pthread_mutex_timedlock(m, &past) == ETIMEDOUT);
	assert(pthread_mutex_timedlock(m, &bad) == EINVAL);
	assert(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	return NULL;
}

static void mutexes(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
	assert(pthread_mutex_timedlock(&m, &past) == 0);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
	elsewhere(try_mutex, &m);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_consistent(&m) == EINVAL);
	assert(pthread_mutex_destroy(&m) == 0);
	assert(pthread_mutex_unlock(&recursive) == EPERM);
	assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_trylock(&recursive) == 0);
	assert(pthread_mutex_timedlock(&recursive, &past) == 0);
	elsewhere(try_mutex, &recursive);
	assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
	elsewhere(try_mutex, &recursive);
	assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == EPERM);
	assert(pthread_mutex_unlock(&checked) == EPERM);
	assert(pthread_mutex_lock(&checked) == 0 && pthread_mutex_lock(&checked) == EDEADLK);
	assert(pthread_mutex_timedlock(&checked, &past) == EDEADLK && pthread_mutex_trylock(&checked) == EBUSY);
	assert(pthread_mutex_unlock(&checked) == 0);
	assert(pthread_mutex_lock(&adaptive) == 0 && pthread_mutex_trylock(&adaptive) == EBUSY);
	assert(pthread_mutex_unlock(&adaptive) == 0);
}

static void *lock_and_end(void *m)
{
	return pthread_mutex_lock(m) ? m : NULL;
}

static void robust_mutexes(void)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	assert(pthread_mutex_init(&m, &a) == 0);
	assert(pthread_mutex_unlock(&m) == EPERM);
	assert(elsewhere(lock_and_end, &m) == NULL);
	assert(pthread_mutex_lock(&m) == EOWNERDEAD);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	assert(pthread_mutex_consistent(&m) == 0);
	assert(pthread_mutex_consistent_np(&m) == EINVAL);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
	assert(elsewhere(lock_and_end, &m) == NULL);
	assert(pthread_mutex_trylock(&m) == EOWNERDEAD);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
	assert(pthread_mutex_trylock(&m) == ENOTRECOVERABLE);
	assert(pthread_mutex_destroy(&m) == 0);
}

static void *try_against_reader(void *l)
{
	assert(pthread_rwlock_trywrlock(l) == EBUSY);
	assert(pthread_rwlock_timedwrlock(l, &past) == ETIMEDOUT);
	assert(pthread_rwlock_timedwrlock(l, &bad) == EINVAL);
	assert(pthread_rwlock_clockwrlock(l, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	assert(pthread_rwlock_tryrdlock(l) == 0 && pthread_rwlock_unlock(l) == 0);
	assert(pthread_rwlock_timedrdlock(l, &past) == 0 && pthread_rwlock_unlock(l) == 0);
	return NULL;
}

static void *try_against_writer(void *l)
{
	assert(pthread_rwlock_trywrlock(l) == EBUSY && pthread_rwlock_tryrdlock(l) == EBUSY);
	assert(pthread_rwlock_timedrdlock(l, &past) == ETIMEDOUT);
	assert(pthread_rwlock_clockrdlock(l, CLOCK_REALTIME, &past) == ETIMEDOUT);
	return NULL;
}

static void rwlocks(void)
{
	static pthread_rwlock_t fixed = PTHREAD_RWLOCK_INITIALIZER;
	pthread_rwlock_t l;
	assert(pthread_rwlock_init(&l, NULL) == 0);
	assert(pthread_rwlock_rdlock(&l) == 0 && pthread_rwlock_rdlock(&l) == 0);
	elsewhere(try_against_reader, &l);
	assert(pthread_rwlock_trywrlock(&l) == EBUSY);
	assert(pthread_rwlock_unlock(&l) == 0);
	elsewhere(try_against_reader, &l);
	assert(pthread_rwlock_unlock(&l) == 0);
	assert(pthread_rwlock_wrlock(&l) == 0);
	assert(pthread_rwlock_wrlock(&l) == EDEADLK && pthread_rwlock_rdlock(&l) == EDEADLK);
	assert(pthread_rwlock_tryrdlock(&l) == EBUSY && pthread_rwlock_trywrlock(&l) == EBUSY);
	elsewhere(try_against_writer, &l);
	assert(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_destroy(&l) == 0);
	assert(pthread_rwlock_trywrlock(&fixed) == 0 && pthread_rwlock_unlock(&fixed) == 0);
	assert(pthread_rwlock_timedwrlock(&fixed, &past) == 0 && pthread_rwlock_unlock(&fixed) == 0);
}

static void *try_spin(void *s)
{
	assert(pthread_spin_trylock(s) == EBUSY);
	return NULL;
}

static void spin_locks(void)
{
	pthread_spinlock_t s;
	assert(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE) == 0);
	assert(pthread_spin_lock(&s) == 0 && pthread_spin_trylock(&s) == EBUSY);
	elsewhere(try_spin, (void *)&s);
	assert(pthread_spin_unlock(&s) == 0 && pthread_spin_trylock(&s) == 0 && pthread_spin_unlock(&s) == 0);
	assert(pthread_spin_destroy(&s) == 0);
}

static void barriers(void)
{
	pthread_barrier_t b;
	assert(pthread_barrier_init(&b, NULL, 0) == EINVAL);
	assert(pthread_barrier_init(&b, NULL, (unsigned)INT_MAX + 1) == EINVAL);
	assert(pthread_barrier_init(&b, NULL, 1) == 0);
	for (int i = 0; i < 3; i++)
		assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
	assert(pthread_barrier_destroy(&b) == 0);
}

static void conditions(void)
{
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	assert(pthread_cond_signal(&c) == 0 && pthread_cond_broadcast(&c) == 0);
	pthread_mutex_lock(&m);
	assert(pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT);
	assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	assert(pthread_cond_timedwait(&c, &m, &bad) == EINVAL);
	assert(pthread_mutex_trylock(&m) == EBUSY);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_cond_timedwait(&c, &checked, &past) == EPERM);
	assert(pthread_cond_destroy(&c) == 0);
	assert(pthread_cond_init(&c, NULL) == 0 && pthread_cond_destroy(&c) == 0);
}

int main(void)
{
	mutexes();
	robust_mutexes();
	rwlocks();
	spin_locks();
	barriers();
	conditions();
	return 0;
}
