/* SPDX-License-Identifier: MIT
 *
 * pthread_mutex_trylock never waits; both outcomes are seen.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DALWAYS
 * EXPECT: violated assertion
 * RUN: check -DNEVER
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	int result = pthread_mutex_trylock(&mutex);
	assert(result == 0 || result == EBUSY);
#ifdef ALWAYS
	assert(result == 0); /* ERROR */
#endif
#ifdef NEVER
	assert(result == EBUSY); /* ERROR */
#endif
	if (result == 0)
		pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
