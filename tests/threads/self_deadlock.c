/* SPDX-License-Identifier: MIT
 *
 * A normal mutex locked twice by one thread: a deadlock, not an error code.
 *
 * RUN: check
 * EXPECT: violated deadlock
 * RUN: check -DTHREAD
 * EXPECT: violated deadlock
 * ALSO: --races ignore
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex); /* ERROR */
	return unused;
}

int main(void)
{
#ifdef THREAD
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
#else
	work(NULL);
#endif
	return 0;
}
