/* SPDX-License-Identifier: MIT
 *
 * pthread_cond_wait lets go of the mutex and has it again when it returns.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int state;

static void *other(void *unused)
{
	pthread_mutex_lock(&mutex);
	assert(state == 1);
	state = 2;
	pthread_cond_signal(&go);
	state = 3;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, other, NULL);
	state = 1;
	while (state != 3) {
		pthread_cond_wait(&go, &mutex);
		assert(state == 3);
		assert(pthread_mutex_trylock(&mutex) == EBUSY);
	}
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
