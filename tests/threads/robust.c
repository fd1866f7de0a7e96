/* SPDX-License-Identifier: MIT
 *
 * A robust mutex outlives its owner; any other is lost with it.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DSTALLED
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int repaired;

static void *die(void *unused)
{
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD) /* ERROR */
		pthread_mutex_consistent(&mutex);
	return unused;
}

static void *use(void *unused)
{
	int result = pthread_mutex_lock(&mutex); /* ERROR */
	assert(result == 0 || result == EOWNERDEAD);
	if (result == EOWNERDEAD) {
		repaired++;
		assert(pthread_mutex_consistent(&mutex) == 0);
	}
	assert(pthread_mutex_unlock(&mutex) == 0);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
#ifndef STALLED
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
	pthread_mutex_init(&mutex, &attributes);
	pthread_create(&threads[0], NULL, die, NULL);
	pthread_create(&threads[1], NULL, use, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL); /* ERROR */
	use(NULL);
	assert(repaired == 1);
	return 0;
}
