/* SPDX-License-Identifier: MIT
 *
 * The last round of a bounded wait is a violation, and slicing leaves out what nobody looks at: the replay, which takes the rounds
 * one by one in the program's own states, has to take the last one too.
 * RUN: check -DROUNDS=1
 * EXPECT: violated assertion
 * RUN: check -DROUNDS=2
 * EXPECT: violated assertion
 * RUN: check -DROUNDS=5
 * EXPECT: violated assertion
 * More rounds than a replay takes one by one.
 * RUN: check -DROUNDS=100000
 * EXPECT: violated assertion
 * Nobody holds the mutex for ever, so that without an end of the wait nothing fails.
 * RUN: check -DROUNDS=5 -DAGAIN
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int useless;

static void *work(void *argument)
{
	bool got = false;
#ifdef AGAIN
	while (!got)
#endif
		for (int i = 0; i < ROUNDS; i++)
			if (pthread_mutex_trylock(&m) == 0) {
				got = true;
				pthread_mutex_unlock(&m);
				break;
			}
	assert(got); /* ERROR */
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&m);
	useless++;
	pthread_mutex_unlock(&m);
	pthread_join(thread, NULL);
	return 0;
}
