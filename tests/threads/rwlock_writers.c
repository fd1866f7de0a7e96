/* SPDX-License-Identifier: MIT
 *
 * Read-write locks that prefer writers: a waiting writer keeps new readers out, also a thread that reads already (glibc's
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; the other PREFER_WRITER kind does not).  Where a writer is only about to call,
 * readers still come in (CASE 8 and 9).
 *
 * RUN: check -DCASE=1
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=1
 * EXPECT: violated deadlock
 * RUN: check -DCASE=2
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=2
 * EXPECT: verified
 * RUN: check -DCASE=3
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=3
 * EXPECT: verified
 * RUN: check -DCASE=4
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=4
 * EXPECT: violated deadlock
 * RUN: check -DCASE=5
 * EXPECT: violated assertion
 * RUN: check --reduction none -DCASE=5
 * EXPECT: violated assertion
 * RUN: check -DCASE=6
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=6
 * EXPECT: verified
 * RUN: check -DCASE=7
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=7
 * EXPECT: verified
 * RUN: check -DCASE=8
 * EXPECT: violated assertion
 * RUN: check --reduction none -DCASE=8
 * EXPECT: violated assertion
 * RUN: check -DCASE=9
 * EXPECT: violated assertion
 * RUN: check --reduction none -DCASE=9
 * EXPECT: violated assertion
 * RUN: check -DCASE=10
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=10
 * EXPECT: verified
 * RUN: check -DCASE=11
 * EXPECT: verified
 * RUN: check --reduction none -DCASE=11
 * EXPECT: verified
 * RUN: check -DCASE=12
 * EXPECT: violated deadlock
 * RUN: check --reduction none -DCASE=12
 * EXPECT: violated deadlock
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#if CASE == 3
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NP
#else
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;
static atomic_int near;

/* The second lock of a thread that reads. */
static void again(void)
{
	struct timespec then = { 1, 0 };
	int got = 1;
	switch (CASE) {
	/* clang-format off */
	case 2: break;
	case 5: got = pthread_rwlock_tryrdlock(&lock); assert(got == 0); break; /* ERROR */
	case 6: got = pthread_rwlock_timedrdlock(&lock, &then); assert(got == 0 || got == ETIMEDOUT); break;
	case 8: got = near ? pthread_rwlock_tryrdlock(&lock) : 1; assert(got != EBUSY); break; /* ERROR */
	case 9: got = near ? pthread_rwlock_tryrdlock(&lock) : 1; assert(got == 1 || got == EBUSY); break; /* ERROR */
	case 10: got = pthread_rwlock_trywrlock(&lock); assert(got == EBUSY); break;
	case 11: pthread_rwlock_unlock(&lock); pthread_rwlock_rdlock(&lock); break;
	case 12: pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); break; /* ERROR */
	default: got = pthread_rwlock_rdlock(&lock); /* ERROR */
	/* clang-format on */
	}
	if (CASE != 10 && got == 0)
		pthread_rwlock_unlock(&lock);
}

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	int seen = data;
	again();
	assert(CASE == 11 || data == seen);
	pthread_rwlock_unlock(&lock);
	return unused;
}

/* Has the mutex, and reads under it. */
static void *both(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_rwlock_rdlock(&lock); /* ERROR */
	pthread_rwlock_unlock(&lock);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *writer(void *unused)
{
	struct timespec then = { 1, 0 };
	near = 1;
	int got = CASE == 7 ? pthread_rwlock_timedwrlock(&lock, &then) : pthread_rwlock_wrlock(&lock); /* ERROR */
	if (got == 0) {
		data++;
		pthread_rwlock_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_rwlockattr_t attributes;
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, KIND);
	if (CASE != 4)
		pthread_rwlock_init(&lock, &attributes);
	pthread_create(&threads[0], NULL, reader, NULL);
	pthread_create(&threads[1], NULL, writer, NULL);
	pthread_create(&threads[2], NULL, CASE == 12 ? both : CASE == 2 ? writer : reader, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(CASE == 7 || data == (CASE == 2 ? 2 : 1));
	return 0;
}
