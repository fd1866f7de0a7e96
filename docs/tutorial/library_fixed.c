/* SPDX-License-Identifier: MIT
 *
 * Readers share a catalogue; a writer needs it alone, and waits until nobody reads.
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER, written = PTHREAD_COND_INITIALIZER;
static int readers, writers, catalogue;

static void *read_often(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		while (writers > 0)
			pthread_cond_wait(&written, &mutex);
		readers++;
		pthread_mutex_unlock(&mutex);
		int seen = catalogue;
		pthread_mutex_lock(&mutex);
		readers--;
		if (readers == 0)
			pthread_cond_signal(&idle);
		pthread_mutex_unlock(&mutex);
		if (seen < 0)
			return unused;
	}
}

static void wait_for_readers(void)
{
	pthread_mutex_lock(&mutex);
	writers++;
	while (readers > 0)
		pthread_cond_wait(&idle, &mutex);
}

static void update(void)
{
	catalogue = 1;
	writers--;
	pthread_cond_broadcast(&written);
	pthread_mutex_unlock(&mutex);
}

static void *write_once(void *unused)
{
	wait_for_readers();
	update();
	return unused;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, read_often, NULL);
	pthread_create(&threads[1], NULL, read_often, NULL);
	pthread_create(&threads[2], NULL, write_once, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
