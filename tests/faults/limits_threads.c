/* SPDX-License-Identifier: MIT
 *
 * Many threads that wait: a model has at most 248.  A path that needs more is cut, and the search goes on elsewhere; so an
 * error elsewhere is found, and where there is none the verdict is inconclusive.  At 63, 64 and 65 a mask could end.
 *
 * RUN: check -DTHREADS=63
 * EXPECT: verified
 * RUN: check -DTHREADS=64
 * EXPECT: verified
 * RUN: check -DTHREADS=65 -DERROR_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DTHREADS=247
 * EXPECT: verified
 * RUN: check -DTHREADS=248
 * EXPECT: verified
 * RUN: check -DTHREADS=248 -DERROR_INSIDE
 * EXPECT: violated assertion
 * RUN: check -DTHREADS=249
 * EXPECT: inconclusive: more than 248 threads are alive at once, the most that the model allows
 * RUN: check -DTHREADS=249 -DERROR_INSIDE
 * EXPECT: inconclusive: more than 248 threads are alive at once, the most that the model allows
 * RUN: check -DTHREADS=300 -DERROR_ELSEWHERE=0
 * EXPECT: violated assertion
 * RUN: check -DTHREADS=300 -DERROR_ELSEWHERE=1
 * EXPECT: violated assertion
 * RUN: check --threads 3 -DTHREADS=3
 * EXPECT: verified
 * RUN: check --threads 3 -DTHREADS=4
 * EXPECT: inconclusive: more than 3 threads are alive at once, the most that the model allows
 * RUN: check --threads 3 -DTHREADS=4 -DERROR_ELSEWHERE=0
 * EXPECT: violated assertion
 * RUN: check --threads 3 -DTHREADS=4 -DERROR_ELSEWHERE=1
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "bitspin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static pthread_t threads[THREADS];

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void fail(void)
{
	assert(count != 0); /* ERROR */
}

int main(void)
{
	pthread_mutex_lock(&mutex);
#ifdef ERROR_ELSEWHERE
	if (bitspin_choose(0, 1) == ERROR_ELSEWHERE)
		fail();
#endif
	for (int i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	(void)fail;
#ifdef ERROR_INSIDE
	fail();
#endif
	exit(0);
}
