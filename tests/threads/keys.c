/* SPDX-License-Identifier: MIT
 *
 * Thread-specific data: each thread sees its own; the destructor runs in the thread, before it can be joined; using a key
 * that another thread makes at the same time is a race, or a use of no key.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DUNORDERED
 * EXPECT: violated thread-misuse
 * RUN: check -DDESTRUCTOR
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int freed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void drop(void *value)
{
#ifndef DESTRUCTOR
	pthread_mutex_lock(&mutex);
#endif
	freed += *(int *)value; /* ERROR */
#ifndef DESTRUCTOR
	pthread_mutex_unlock(&mutex);
#endif
	free(value);
}

static void *work(void *argument)
{
	int *mine = malloc(sizeof *mine);
	*mine = (int)(long)argument;
	pthread_setspecific(key, mine); /* ERROR */
	int *again = pthread_getspecific(key);
	assert(again == mine && *again == (int)(long)argument);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
#ifdef UNORDERED
	pthread_create(&threads[0], NULL, work, (void *)1);
	pthread_create(&threads[1], NULL, work, (void *)2);
	pthread_key_create(&key, drop); /* ERROR */
#else
	pthread_key_create(&key, drop);
	pthread_create(&threads[0], NULL, work, (void *)1);
	pthread_create(&threads[1], NULL, work, (void *)2);
#endif
	assert(pthread_getspecific(key) == NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(freed == 3);
	return 0;
}
