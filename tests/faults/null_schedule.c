/* SPDX-License-Identifier: MIT
 *
 * A pointer is NULL under one schedule only.
 *
 * RUN: check
 * EXPECT: violated null-dereference
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value = 5, *volatile pointer = &value;

static void *clear(void *unused)
{
	pthread_mutex_lock(&mutex);
	pointer = NULL;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, clear, NULL);
	pthread_mutex_lock(&mutex);
	int valid = pointer != NULL;
	pthread_mutex_unlock(&mutex);
	int result = 0;
	if (valid) {
		pthread_mutex_lock(&mutex);
		result = *pointer; /* ERROR */
		pthread_mutex_unlock(&mutex);
	}
	pthread_join(thread, NULL);
	return result == 7;
}
