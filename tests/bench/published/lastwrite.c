/* SPDX-License-Identifier: MIT
 *
 * The last write wins: N threads store into one variable, and main reads it when all have ended.  FLOATING: one more thread reads
 * it at any time.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 12
#endif
#include "../pairs/threads.h"

static atomic_int last = -1;

static void *work(void *argument)
{
	last = NUMBER(argument);
	return NULL;
}

static void *look(void *unused)
{
	(void)unused;
	int found = last;
	assert(found >= -1 && found < N);
	return NULL;
}

int main(void)
{
#ifdef FLOATING
	pthread_t reader;
	pthread_create(&reader, NULL, look, NULL);
	run(work);
	pthread_join(reader, NULL);
#else
	(void)look;
	run(work);
#endif
	assert(last >= 0 && last < N);
	return 0;
}
