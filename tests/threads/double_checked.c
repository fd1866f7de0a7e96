/* SPDX-License-Identifier: MIT
 *
 * Double-checked initialisation: right with an atomic pointer, a race with a plain one, and wrong where the flag is set before
 * what it stands for.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DPLAIN
 * EXPECT: violated data-race
 * RUN: check -DEARLY
 * EXPECT: violated data-race
 * RUN: check -DEARLY --races ignore
 * EXPECT: violated assertion
 * RUN: check -DNO_LOCK
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config { int size, made; };

#ifdef PLAIN
static struct config *config;
#else
static struct config *_Atomic config;
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;

static void lock(void)
{
#ifndef NO_LOCK
	pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifndef NO_LOCK
	pthread_mutex_unlock(&mutex);
#endif
}

static struct config *get(void)
{
	struct config *seen = config;
	if (seen)
		return seen;
	lock();
	if (!config) {
		struct config *new = calloc(1, sizeof *new);
#ifdef EARLY
		config = new;
#endif
		new->size = 7;
		made++;
		config = new; /* ERROR */
	}
	seen = config;
	unlock();
	return seen;
}

static void *work(void *unused)
{
	assert(get()->size == 7);
	return unused;
}

int main(void)
{
	pthread_t thread;
	(void)mutex;
	pthread_create(&thread, NULL, work, NULL);
	assert(get()->size == 7); /* ERROR */
	pthread_join(thread, NULL);
	assert(made == 1); /* ERROR */
	return 0;
}
