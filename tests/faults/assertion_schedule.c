/* SPDX-License-Identifier: MIT
 *
 * An assertion that fails under one order of two threads only.
 *
 * RUN: check
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&mutex);
		steps++;
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	assert(steps != 2); /* ERROR */
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}
