/* SPDX-License-Identifier: MIT
 *
 * A producer that goes on when its time is up, and writes over what nobody has taken.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, data = PTHREAD_COND_INITIALIZER;
static int slot, full, sent, received, over;
static void *producer(void *p)
{
	for (int i = 1; i <= 2; i++) {
		struct timespec deadline;
		clock_gettime(CLOCK_REALTIME, &deadline);
		deadline.tv_sec++;
		pthread_mutex_lock(&mutex);
		int error = 0;
		while (full && error != ETIMEDOUT)
			error = pthread_cond_timedwait(&room, &mutex, &deadline);
		slot = i;
		full = 1;
		sent++;
		pthread_cond_signal(&data);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	over = 1;
	pthread_cond_signal(&data);
	pthread_mutex_unlock(&mutex);
	return p;
}
static void *consumer(void *p)
{
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (!full && !over)
			pthread_cond_wait(&data, &mutex);
		if (!full)
			break;
		full = 0;
		received++;
		pthread_cond_signal(&room);
	}
	pthread_mutex_unlock(&mutex);
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, producer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(sent == received);
	return 0;
}
