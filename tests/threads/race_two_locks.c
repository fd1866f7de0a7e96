/* SPDX-License-Identifier: MIT
 *
 * Two different locks order nothing.
 *
 * RUN: check
 * EXPECT: violated data-race
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int shared;

static void *work(void *mutex)
{
	pthread_mutex_lock(mutex);
	shared++; /* ERROR */
	pthread_mutex_unlock(mutex);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, &a);
	work(&b);
	pthread_join(thread, NULL);
	return 0;
}
