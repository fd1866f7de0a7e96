/* SPDX-License-Identifier: MIT
 *
 * An initialisation that is cancelled counts as not begun: the next call of pthread_once runs its own.  The call is in a function
 * with a cleanup handler, below one, or above one.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DWITHIN
 * EXPECT: verified
 * RUN: check -DBELOW
 * EXPECT: verified
 * Nobody cancels it, so the second call waits for the first one.
 * RUN: check -DWITHIN -DKEEP
 * EXPECT: violated deadlock
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t never, begun;
static int cleaned, done;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void wait_for_ever(void)
{
#ifdef BELOW
	pthread_cleanup_push(clean, NULL);
#endif
	sem_post(&begun);
	sem_wait(&never);
#ifdef BELOW
	pthread_cleanup_pop(0);
#endif
}

static void set(void)
{
	done = 1;
}

static void *work(void *unused)
{
#ifdef WITHIN
	pthread_cleanup_push(clean, NULL);
#endif
	pthread_once(&once, wait_for_ever);
#ifdef WITHIN
	pthread_cleanup_pop(0);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&never, 0, 0);
	sem_init(&begun, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	sem_wait(&begun);
#ifndef KEEP
	pthread_cancel(thread);
	pthread_join(thread, NULL);
#endif
	pthread_once(&once, set); /* ERROR */
	assert(done);
#if defined WITHIN || defined BELOW
	assert(cleaned == 1);
#endif
	return 0;
}
