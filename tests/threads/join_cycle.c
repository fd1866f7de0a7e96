/* SPDX-License-Identifier: MIT
 *
 * Two threads that join each other wait for ever.
 *
 * RUN: check
 * EXPECT: violated deadlock
 */
#include <pthread.h>

static pthread_t a, b;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *join_a(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_t other = a;
	pthread_mutex_unlock(&mutex);
	pthread_join(other, NULL); /* ERROR */
	return unused;
}

static void *join_b(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_t other = b;
	pthread_mutex_unlock(&mutex);
	pthread_join(other, NULL); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_mutex_lock(&mutex);
	pthread_create(&a, NULL, join_b, NULL);
	pthread_create(&b, NULL, join_a, NULL);
	pthread_mutex_unlock(&mutex);
	pthread_exit(NULL);
}
