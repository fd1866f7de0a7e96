/* SPDX-License-Identifier: MIT
 *
 * Destroying a locked mutex; using a destroyed one.
 *
 * RUN: check
 * EXPECT: violated mutex-misuse
 * RUN: check -DUSE
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>

int main(void)
{
	pthread_mutex_t mutex;
	pthread_mutex_init(&mutex, NULL);
#ifdef USE
	pthread_mutex_destroy(&mutex);
	pthread_mutex_lock(&mutex); /* ERROR */
#else
	pthread_mutex_lock(&mutex);
	pthread_mutex_destroy(&mutex); /* ERROR */
#endif
	return 0;
}
