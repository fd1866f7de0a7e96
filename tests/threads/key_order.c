/* SPDX-License-Identifier: MIT
 *
 * Destructors of thread-specific values run key by key, in as many rounds as values are left behind, but no more than
 * PTHREAD_DESTRUCTOR_ITERATIONS.  free() is a destructor without a frame, which runs at once; the keys behind it have their turn
 * in the same round.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DEXIT
 * EXPECT: verified
 * RUN: check -DAGAIN
 * EXPECT: verified
 * RUN: check -DAGAIN -DEXIT
 * EXPECT: verified
 * RUN: check --leaks -DLEFT
 * EXPECT: violated memory-leak
 * RUN: check --races ignore
 * EXPECT: verified
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 5 };

static pthread_key_t keys[KEYS];
static char order[100];
static int rounds;

static void note(char letter)
{
	order[strlen(order)] = letter;
}

static void one(void *value)
{
	free(value);
	note('1');
}

static void three(void *value)
{
	note('3');
#ifdef AGAIN
	if (++rounds < 3) {
		pthread_setspecific(keys[0], malloc(1));
		pthread_setspecific(keys[4], malloc(1));
		pthread_setspecific(keys[3], value);
		return;
	}
#endif
#ifdef LEFT
	pthread_setspecific(keys[3], malloc(1)); /* ERROR */
#endif
	free(value);
	(void)rounds;
}

static void four(void *value)
{
	free(value);
	note('4');
}

static void *work(void *argument)
{
	for (int i = 0; i < KEYS; i++)
		pthread_setspecific(keys[i], malloc(1));
#ifdef EXIT
	pthread_exit(NULL);
#endif
	return argument;
}

int main(void)
{
	pthread_t thread;
	void (*const destructors[KEYS])(void *) = { free, one, free, three, four };
	for (int i = 0; i < KEYS; i++)
		pthread_key_create(&keys[i], destructors[i]);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
#ifdef AGAIN
	assert(strcmp(order, "134343") == 0);
#elif defined LEFT
	assert(strcmp(order, "134333") == 0);
#else
	assert(strcmp(order, "134") == 0);
#endif
	return 0;
}
