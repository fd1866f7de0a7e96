/* SPDX-License-Identifier: MIT
 *
 * pthread_cond_signal wakes any one waiter: the assertions fail for either choice.
 *
 * RUN: check -DWAITER=1
 * EXPECT: violated assertion
 * RUN: check -DWAITER=2
 * EXPECT: violated assertion
 * RUN: check -DWAITER=3
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
static int waiting, order;

static void *waiter(void *argument)
{
	int me = (int)(intptr_t)argument;
	pthread_mutex_lock(&mutex);
	waiting++;
	pthread_cond_signal(&ready);
	pthread_cond_wait(&go, &mutex);
	order = 10 * order + me;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, waiter, (void *)1);
	pthread_create(&b, NULL, waiter, (void *)2);
	pthread_mutex_lock(&mutex);
	while (waiting < 2)
		pthread_cond_wait(&ready, &mutex);
	pthread_cond_signal(&go);
	pthread_mutex_unlock(&mutex);
	for (;;) {
		pthread_mutex_lock(&mutex);
		int seen = order;
		if (seen) {
			assert(seen != WAITER); /* ERROR */
			pthread_cond_signal(&go);
			pthread_mutex_unlock(&mutex);
			break;
		}
		pthread_mutex_unlock(&mutex);
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(order == 12 || order == 21);
	return 0;
}
