/* SPDX-License-Identifier: MIT
 *
 * One signal, where all have to be woken: the gate opens for one thread only.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool open;

static void *pass(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!open)
		pthread_cond_wait(&opened, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, pass, NULL);
	pthread_mutex_lock(&mutex);
	open = true;
	pthread_cond_signal(&opened);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}
