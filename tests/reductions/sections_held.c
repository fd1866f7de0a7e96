/* SPDX-License-Identifier: MIT
 *
 * A mutex that is held is not left out when sections are compared (--reduction sections).  The reader sees `locked` while the
 * holder is in its section, and waits for the mutex; so it comes second, and may still see x == 0.  What it does then is known
 * only to who looks at the holder and the reader together: by itself the reader waits, and the holder waits for the reader.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check -DRETURNS
 * EXPECT: violated assertion
 * RUN: check -DWRITES_FIRST
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, locked;
static sem_t end;
static int done, before;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused)
{
	x = 1;
	return unused;
}

/* Stops the holder's run within its section. */
static void *other(void *unused)
{
	y = 2;
	return unused;
}

static void *holder(void *unused)
{
	pthread_mutex_lock(&mutex);
	locked = 1;
	before = y == 0;
	done = 1;
	pthread_mutex_unlock(&mutex);
#ifndef RETURNS
	sem_wait(&end);
#endif
	return unused;
}

static void *reader(void *unused)
{
	int late = locked;
	pthread_mutex_lock(&mutex);
	assert(!late || !done || !before || x == 1); /* ERROR */
	pthread_mutex_unlock(&mutex);
	sem_post(&end);
	return unused;
}

int main(void)
{
	void *(*const functions[])(void *) = { writer, other, holder, reader };
	pthread_t threads[4];
	sem_init(&end, 0, 0);
	for (int i = 0; i < 4; i++) {
		pthread_create(&threads[i], NULL, functions[i], NULL);
#ifdef WRITES_FIRST
		if (i == 0)
			pthread_join(threads[i], NULL);
#endif
	}
	for (int i = 0; i < 4; i++)
#ifdef WRITES_FIRST
		if (i > 0)
#endif
			pthread_join(threads[i], NULL);
	return 0;
}
