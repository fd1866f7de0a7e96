/* SPDX-License-Identifier: MIT
 *
 * A budget of time-outs: with N of them each wait with a deadline times out at most N times on any path, all threads
 * together; a timed wait that nobody ends is a deadlock when none is left.  A bad deadline is an error in any case, and a
 * cancelled wait ends without one.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check --faults timeout:*
 * EXPECT: violated assertion
 * RUN: check --faults timeout:1
 * EXPECT: verified
 * RUN: check --faults timeout:2
 * EXPECT: violated assertion
 * RUN: check --faults timeout:0
 * EXPECT: verified
 * RUN: check --faults timeout:2,malloc:1 -DMOST=2
 * EXPECT: verified
 * RUN: check --faults malloc:1
 * EXPECT: violated assertion
 * RUN: check -DKIND=1 --faults timeout:1
 * EXPECT: verified
 * RUN: check -DKIND=1 --faults timeout:2
 * EXPECT: violated assertion
 * RUN: check -DKIND=2 --faults timeout:1
 * EXPECT: verified
 * RUN: check -DKIND=2 --faults timeout:2
 * EXPECT: violated assertion
 * RUN: check -DKIND=3 --faults timeout:1
 * EXPECT: verified
 * RUN: check -DKIND=3 --faults timeout:2
 * EXPECT: violated assertion
 * RUN: check -DKIND=4 --faults timeout:1
 * EXPECT: verified
 * RUN: check -DKIND=4 --faults timeout:2
 * EXPECT: violated assertion
 * RUN: check -DKIND=5 --faults timeout:1
 * EXPECT: verified
 * RUN: check -DKIND=5 --faults timeout:2
 * EXPECT: violated assertion
 * RUN: check -DKIND=0 -DFOREVER
 * EXPECT: verified
 * RUN: check -DKIND=0 -DFOREVER --faults timeout:0
 * EXPECT: violated deadlock
 * RUN: check -DKIND=1 -DFOREVER --faults timeout:1
 * EXPECT: violated deadlock
 * RUN: check -DKIND=2 -DFOREVER --faults timeout:1
 * EXPECT: violated deadlock
 * RUN: check -DKIND=3 -DFOREVER --faults timeout:0
 * EXPECT: violated deadlock
 * RUN: check -DKIND=4 -DFOREVER --faults timeout:1
 * EXPECT: violated deadlock
 * RUN: check -DKIND=5 -DFOREVER --faults timeout:1
 * EXPECT: violated deadlock
 * RUN: check -DKIND=3 -DFOREVER --faults timeout:2
 * EXPECT: verified
 * RUN: check -DBAD_DEADLINE --faults timeout:0
 * EXPECT: verified
 * RUN: check -DCANCELLED --faults timeout:0
 * EXPECT: verified
 * RUN: check -DCANCELLED --faults timeout:0 --races ignore
 * EXPECT: verified
 * RUN: check -DKIND=1 --faults timeout:1,spurious-wakeup:1
 * EXPECT: verified
 * RUN: check -DKIND=1 -DFOREVER --faults timeout:1,spurious-wakeup:*
 * EXPECT: violated deadlock
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

#ifndef KIND
#define KIND 0
#endif
#ifndef MOST
#define MOST 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static mtx_t mutex;
static pthread_t idle;
static atomic_int timed_out;
static int ready;
static struct timespec deadline = { 1, 0 };

/* Each waits for what `give` gives, and says whether it has come. */
static int wait_once(void)
{
	int error = 0;
	switch (KIND) {
	case 0:
		error = pthread_mutex_timedlock(&lock, &deadline); /* ERROR */
		if (!error)
			pthread_mutex_unlock(&lock);
		break;
	case 1:
		pthread_mutex_lock(&own);
		while (!ready && !error) /* ERROR */
			error = pthread_cond_clockwait(&condition, &own, CLOCK_MONOTONIC, &deadline); /* ERROR */
		pthread_mutex_unlock(&own);
		break;
	case 2:
		error = pthread_rwlock_timedwrlock(&rwlock, &deadline); /* ERROR */
		if (!error)
			pthread_rwlock_unlock(&rwlock);
		break;
	case 3:
		error = sem_timedwait(&semaphore, &deadline) ? errno : 0; /* ERROR */
		if (!error)
			sem_post(&semaphore);
		break;
	case 4:
		error = mtx_timedlock(&mutex, &deadline); /* ERROR */
		if (!error)
			mtx_unlock(&mutex);
		error = error == thrd_timedout ? ETIMEDOUT : error;
		break;
	case 5:
		error = pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &deadline); /* ERROR */
		if (!error)
			pthread_rwlock_unlock(&rwlock);
		break;
	}
	assert(error == 0 || error == ETIMEDOUT);
	return error == 0;
}

static void take(void)
{
	pthread_mutex_lock(&lock);
	pthread_rwlock_wrlock(&rwlock);
	mtx_lock(&mutex);
}

static void give(void)
{
	pthread_mutex_unlock(&lock);
	pthread_rwlock_unlock(&rwlock);
	mtx_unlock(&mutex);
	sem_post(&semaphore);
	pthread_mutex_lock(&own);
	ready = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&own);
}

static void *work(void *unused)
{
	free(malloc(1));
	if (!wait_once())
		timed_out++;
	return unused;
}

#if !defined(BAD_DEADLINE) && !defined(CANCELLED)
int main(void)
{
	pthread_t threads[2];
	sem_init(&semaphore, 0, 0);
	mtx_init(&mutex, mtx_timed);
	take();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
#ifndef FOREVER
	give();
#endif
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL); /* ERROR */
#ifndef FOREVER
	assert(timed_out <= MOST); /* ERROR */
#else
	assert(timed_out == 2);
#endif
	return 0;
}
#endif

#ifdef BAD_DEADLINE
int main(void)
{
	struct timespec bad = { 1, 1000000000 };
	sem_init(&semaphore, 0, 0);
	take();
	assert(sem_timedwait(&semaphore, &bad) == -1 && errno == EINVAL);
	assert(pthread_rwlock_timedrdlock(&rwlock, &bad) == EDEADLK);
	pthread_mutex_lock(&own);
	assert(pthread_cond_timedwait(&condition, &own, &bad) == EINVAL);
	pthread_mutex_unlock(&own);
	assert(pthread_mutex_timedlock(&own, &bad) == 0);
	return 0;
}
#endif

#ifdef CANCELLED
static void release(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&own);
}

static void *sleeper(void *unused)
{
	pthread_mutex_lock(&own);
	pthread_cleanup_push(release, NULL);
	while (!ready)
		pthread_cond_timedwait(&condition, &own, &deadline);
	pthread_cleanup_pop(1);
	return unused;
}

int main(void)
{
	void *result;
	pthread_create(&idle, NULL, sleeper, NULL);
	pthread_cancel(idle);
	assert(pthread_timedjoin_np(idle, &result, &deadline) == 0 && result == PTHREAD_CANCELED);
	pthread_mutex_lock(&own);
	return 0;
}
#endif
