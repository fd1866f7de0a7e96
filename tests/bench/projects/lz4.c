/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdatomic.h>
#include "threadpool.h"
static atomic_int done;
static void job(void *n)
{
	atomic_fetch_add(&done, *(int *)n);
}
int main(void)
{
	int one = 1, two = 2;
	TPool *pool = TPool_create(2, 1);
	assert(pool);
	TPool_submitJob(pool, job, &one);
	TPool_submitJob(pool, job, &two);
	TPool_jobsCompleted(pool);
	assert(done == 3);
	TPool_free(pool);
}
