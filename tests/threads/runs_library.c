/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library are run as a thread, an initialization, a destructor of thread-specific data or a handler, from a
 * variable: they do what they do elsewhere.
 *
 * RUN: check -DCASE=ONCE
 * EXPECT: violated abort
 * RUN: check -DCASE=ONCE_CANCELLED
 * EXPECT: verified
 * RUN: check -DCASE=CALL_ONCE
 * EXPECT: verified
 * RUN: check -DCASE=KEY
 * EXPECT: verified
 * RUN: check -DCASE=KEY_EXITS
 * EXPECT: violated assertion
 * ALSO: --races ignore
 * RUN: check -DCASE=FREES --races ignore
 * EXPECT: verified
 * RUN: check -DCASE=FREES -DTWICE --races ignore
 * EXPECT: violated double-free
 * The types differ, which is undefined; where that is not looked at, the machine calls them all the same:
 * RUN: check -DCASE=THREAD
 * EXPECT: violated undefined-call
 * RUN: check -DCASE=THREAD --checks=-undefined-call
 * EXPECT: verified
 * RUN: check -DCASE=EXIT --checks=-undefined-call
 * EXPECT: violated assertion
 * RUN: check -DCASE=QUICK --checks=-undefined-call
 * EXPECT: verified
 * RUN: check -DCASE=ABORT --checks=-undefined-call
 * EXPECT: violated abort
 * RUN: check -DCASE=C11 --checks=-undefined-call
 * EXPECT: verified
 * RUN: check -DCASE=POSTS --checks=-undefined-call
 * EXPECT: verified
 * RUN: check -DCASE=POSTS -DTWICE --checks=-undefined-call
 * EXPECT: violated deadlock
 * What prints, too:
 * RUN: check -DCASE=PRINTS --checks=-undefined-call
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

enum { ONCE, ONCE_CANCELLED, CALL_ONCE, KEY, KEY_EXITS, FREES, THREAD, EXIT, QUICK, ABORT, C11, POSTS, PRINTS };

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t told;

static void bye(void)
{
	assert(CASE != KEY_EXITS && CASE != EXIT); /* ERROR */
}

static void *has_value(void *value)
{
	pthread_setspecific(key, value);
#ifdef TWICE
	free(value); /* ERROR */
#endif
	return NULL;
}

static void ends(void *value)
{
	void (*volatile how)(int) = exit;
	assert(value == &key);
	how(0);
}

static void (*volatile const initializations[])(void) = { abort, pthread_testcancel }; /* ERROR */
static void (*volatile const destructors[])(void *) = { pthread_exit, free, ends };    /* ERROR */
typedef void *start(void *);
static start *const threads[] = /* ERROR */
	{ (start *)pthread_exit, (start *)exit, (start *)quick_exit, (start *)abort, (start *)sem_post, (start *)puts };

static void *cancelled(void *unused)
{
	pthread_cancel(pthread_self());
	pthread_once(&control, initializations[1]);
	assert(0);
	return unused;
}

static pthread_t run(start *function, void *argument)
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, argument); /* ERROR */
	return thread;
}

int main(void)
{
	void *result = NULL;
	once_flag flag = ONCE_FLAG_INIT;
	thrd_t thread;
	int status;
	sem_init(&told, 0, 0);
	atexit(bye);
	switch (CASE) {
	case ONCE: pthread_once(&control, initializations[0]); break; /* ERROR */
	case ONCE_CANCELLED:
		pthread_join(run(cancelled, NULL), &result);
		assert(result == PTHREAD_CANCELED);
		pthread_once(&control, initializations[1]);
		break;
	case CALL_ONCE: call_once(&flag, initializations[1]); break;
	case KEY:
	case FREES:
	case KEY_EXITS:
		pthread_key_create(&key, destructors[CASE == KEY ? 0 : CASE == FREES ? 1 : 2]);
		pthread_join(run(has_value, CASE == FREES ? malloc(4) : (void *)&key), &result);
		assert(CASE != KEY_EXITS && result == (CASE == KEY ? &key : NULL));
		break;
	case THREAD:
		pthread_join(run(threads[0], &key), &result);
		assert(result == &key);
		break;
	case EXIT:
	case QUICK:
	case ABORT:
		pthread_join(run(threads[CASE - EXIT + 1], NULL), NULL);
		assert(CASE == ABORT);
		break;
	case C11:
		thrd_create(&thread, (thrd_start_t)thrd_exit, (void *)5);
		thrd_join(thread, &status);
		assert(status == 5);
		break;
	case POSTS: run(threads[4], &told);
#ifdef TWICE
		sem_wait(&told);
#endif
		sem_wait(&told); /* ERROR */
		break;
	case PRINTS: pthread_join(run(threads[5], "text"), NULL); break;
	}
	return 0;
}
