/* SPDX-License-Identifier: MIT
 *
 * Unlock of a mutex that is not held, or held by another thread.
 *
 * RUN: check
 * EXPECT: violated mutex-misuse
 * RUN: check -DTHREAD
 * EXPECT: violated mutex-misuse
 * ALSO: --races ignore
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_unlock(&mutex); /* ERROR */
	return unused;
}

int main(void)
{
#ifdef THREAD
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
#else
	work(NULL);
#endif
	return 0;
}
