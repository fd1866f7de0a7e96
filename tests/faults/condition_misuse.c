/* SPDX-License-Identifier: MIT
 *
 * Waiting without holding the mutex; destroying a condition variable somebody waits for.
 *
 * RUN: check
 * EXPECT: violated mutex-misuse
 * RUN: check --races ignore -DDESTROY
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

#ifdef DESTROY
static void *waiter(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cond_wait(&changed, &mutex); /* ERROR */
	pthread_mutex_unlock(&mutex);
	return unused;
}
#endif

int main(void)
{
#ifdef DESTROY
	pthread_t thread;
	pthread_create(&thread, NULL, waiter, NULL);
	pthread_cond_destroy(&changed); /* ERROR */
#else
	pthread_cond_wait(&changed, &mutex); /* ERROR */
#endif
	return 0;
}
