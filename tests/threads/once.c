/* SPDX-License-Identifier: MIT
 *
 * pthread_once: the initialisation runs once, is over for everybody when the call returns, and waits for ever for itself.  An
 * initialisation that is cut short counts as not begun.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DAGAIN
 * EXPECT: violated deadlock
 * RUN: check -DBY_HAND
 * EXPECT: violated data-race
 * RUN: check -DCUT
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value, done;
static atomic_int begun;

static void init(void)
{
	begun++;
#ifdef AGAIN
	pthread_once(&once, init); /* ERROR */
#endif
#ifdef CUT
	if (begun == 1)
		pthread_exit(NULL);
#endif
	value = 42; /* ERROR */
	done = 1; /* ERROR */
}

static void *work(void *unused)
{
#ifdef BY_HAND
	if (!done) /* ERROR */
		pthread_once(&once, init);
#else
	pthread_once(&once, init); /* ERROR */
#endif
	assert(value == 42 && done);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL); /* ERROR */
#ifdef CUT
	assert(begun == 2);
#else
	assert(begun == 1);
#endif
	return 0;
}
