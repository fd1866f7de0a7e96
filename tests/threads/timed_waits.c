/* SPDX-License-Identifier: MIT
 *
 * A wait with a deadline may end in either way, whatever the deadline, and never hangs.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DALWAYS=0
 * EXPECT: violated assertion
 * RUN: check -DALWAYS=ETIMEDOUT
 * EXPECT: violated assertion
 * RUN: check -DFOR_EVER
 * EXPECT: violated deadlock
 * RUN: check -DKIND=1 -DALWAYS=0
 * EXPECT: violated assertion
 * RUN: check -DKIND=1 -DALWAYS=ETIMEDOUT
 * EXPECT: violated assertion
 * RUN: check -DKIND=2 -DALWAYS=0
 * EXPECT: violated assertion
 * RUN: check -DKIND=2 -DALWAYS=ETIMEDOUT
 * EXPECT: violated assertion
 * RUN: check -DKIND=3 -DALWAYS=0
 * EXPECT: violated assertion
 * RUN: check -DKIND=3 -DALWAYS=ETIMEDOUT
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#ifndef KIND
#define KIND 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, busy = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static const struct timespec late = { 1L << 40, 0 };
static int ready;

static void *work(void *unused)
{
	pthread_mutex_lock(&busy);
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_mutex_unlock(&busy);
	sem_post(&semaphore);
#ifndef FOR_EVER
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

static int wait(void)
{
	int result = 0;
	switch (KIND) {
	case 0:
		pthread_mutex_lock(&mutex);
		while (!ready && result == 0)
#ifdef FOR_EVER
			result = pthread_cond_wait(&changed, &mutex); /* ERROR */
#else
			result = pthread_cond_timedwait(&changed, &mutex, &late);
#endif
		pthread_mutex_unlock(&mutex);
		break;
	case 1:
		result = pthread_mutex_timedlock(&busy, &late);
		if (result == 0)
			pthread_mutex_unlock(&busy);
		break;
	case 2:
		result = pthread_rwlock_timedrdlock(&lock, &late);
		if (result == 0)
			pthread_rwlock_unlock(&lock);
		break;
	case 3:
		result = sem_timedwait(&semaphore, &late) ? errno : 0;
		break;
	}
	return result;
}

int main(void)
{
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	int result = wait();
	assert(result == 0 || result == ETIMEDOUT);
#ifdef ALWAYS
	assert(result == ALWAYS); /* ERROR */
#endif
	pthread_join(thread, NULL);
	return 0;
}
