/* SPDX-License-Identifier: MIT
 *
 * Readers share, writers do not; a lock for reading does not protect a write; two readers that both want to write wait for
 * one another.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DSHARED
 * EXPECT: violated assertion
 * RUN: check -DWRITE_AS_READER
 * EXPECT: violated data-race
 * RUN: check -DUPGRADE
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;
static atomic_int readers;

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	readers++;
	assert(a == b); /* ERROR */
#ifdef SHARED
	assert(readers == 1); /* ERROR */
#endif
#ifdef WRITE_AS_READER
	a++; /* ERROR */
	b++;
#endif
#ifdef UPGRADE
	pthread_rwlock_wrlock(&lock); /* ERROR */
#endif
	readers--;
	pthread_rwlock_unlock(&lock);
	return unused;
}

static void *writer(void *unused)
{
	pthread_rwlock_wrlock(&lock); /* ERROR */
	assert(readers == 0);
	a++;
	b++;
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	void *(*const work[])(void *) = { reader, reader, writer };
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL); /* ERROR */
	assert(a == b && a >= 1);
	assert(pthread_rwlock_destroy(&lock) == 0);
	return 0;
}
