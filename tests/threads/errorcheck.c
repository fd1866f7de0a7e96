/* SPDX-License-Identifier: MIT
 *
 * An error-checking mutex returns EDEADLK and EPERM where a normal one would hang or break.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *stranger(void *unused)
{
	assert(pthread_mutex_unlock(&mutex) == EPERM);
	assert(pthread_mutex_trylock(&mutex) == EBUSY);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&mutex, &attributes);
	assert(pthread_mutex_unlock(&mutex) == EPERM);
	assert(pthread_mutex_lock(&mutex) == 0);
	assert(pthread_mutex_lock(&mutex) == EDEADLK);
	pthread_t thread;
	pthread_create(&thread, NULL, stranger, NULL);
	pthread_join(thread, NULL);
	assert(pthread_mutex_unlock(&mutex) == 0);
	return 0;
}
