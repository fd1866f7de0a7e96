/* SPDX-License-Identifier: MIT
 *
 * What another thread does and takes back at once can be seen in between, by calls that would otherwise go the other way:
 * a reduction that thinks them independent misses it.
 *
 * RUN: check -DKIND=0
 * EXPECT: violated assertion
 * RUN: check -DKIND=1
 * EXPECT: violated assertion
 * RUN: check -DKIND=2
 * EXPECT: violated assertion
 * RUN: check -DKIND=3
 * EXPECT: violated assertion
 * RUN: check -DKIND=4
 * EXPECT: violated assertion
 * RUN: check -DKIND=5
 * EXPECT: violated assertion
 * RUN: check -DKIND=6
 * EXPECT: violated assertion
 * RUN: check -DKIND=7
 * EXPECT: violated assertion
 * RUN: check -DKIND=8
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key, other;
static const struct timespec late = { 1, 0 };

static void *open_and_close(void *unused)
{
	switch (KIND) {
	case 0: case 1: case 2:
		sem_post(&semaphore);
		sem_trywait(&semaphore);
		break;
	case 3: case 4:
		pthread_rwlock_wrlock(&lock);
		pthread_rwlock_unlock(&lock);
		break;
	case 5:
		pthread_rwlock_rdlock(&lock);
		pthread_rwlock_unlock(&lock);
		break;
	case 6:
		pthread_spin_lock(&spin);
		pthread_spin_unlock(&spin);
		break;
	case 7:
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		break;
	case 8:
		pthread_key_create(&other, NULL);
		pthread_key_delete(other);
		break;
	}
	return unused;
}

/* 0 in most schedules. */
static int look(void)
{
	int value = 0;
	switch (KIND) {
	case 0: return sem_trywait(&semaphore) == 0;
	case 1: return sem_timedwait(&semaphore, &late) == 0;
	case 2: return sem_getvalue(&semaphore, &value) || value;
	case 3: return pthread_rwlock_tryrdlock(&lock);
	case 4: return pthread_rwlock_timedrdlock(&lock, &late);
	case 5: return pthread_rwlock_timedwrlock(&lock, &late);
	case 6: return pthread_spin_trylock(&spin);
	case 7: return pthread_mutex_timedlock(&mutex, &late);
	case 8: return pthread_key_create(&key, NULL) || key != 0;
	}
	return 0;
}

int main(void)
{
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	pthread_spin_init(&spin, 0);
	pthread_create(&thread, NULL, open_and_close, NULL);
	int seen = look();
	assert(!seen); /* ERROR */
	return 0; /* without a join: what was locked stays locked */
}
