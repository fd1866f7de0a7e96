/* SPDX-License-Identifier: MIT
 *
 * A thread that ends while it holds a mutex leaves the others waiting.
 *
 * RUN: check
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&mutex); /* ERROR */
	return 0;
}
