/* SPDX-License-Identifier: MIT
 *
 * A recursive mutex: as many unlocks as locks, and the others wait until the last.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int inside;

static void enter(int depth)
{
	assert(pthread_mutex_lock(&mutex) == 0);
	inside++;
	if (depth > 0)
		enter(depth - 1);
	inside--;
	assert(pthread_mutex_unlock(&mutex) == 0);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	assert(inside == 0);
	assert(pthread_mutex_trylock(&mutex) == 0);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	enter(2);
	pthread_join(thread, NULL);
	assert(pthread_mutex_destroy(&mutex) == 0);
	return 0;
}
