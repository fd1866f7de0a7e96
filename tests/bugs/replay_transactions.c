/* SPDX-License-Identifier: MIT
 *
 * Whether a state offers a set of threads, or all and these in transactions, depends on the search: here, on what its path has
 * come by.  The replay of the violation decided again, and otherwise.
 *
 * RUN: check
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t token;
static int i, j;

static void *second(void *argument)
{
	for (;;) {
		sem_wait(&token);
		i = !i;
		sem_post(&token);
	}
	return argument;
}

static void *third(void *argument)
{
	for (;;) {
		j = (j + 1) % 3;
		assert(!(i && j == 1)); /* ERROR */
		sem_post(&token);
		sem_wait(&token);
	}
	return argument;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&token, 0, 0);
	pthread_create(&a, NULL, second, NULL);
	pthread_create(&b, NULL, third, NULL);
	for (;;) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}
