/* SPDX-License-Identifier: MIT
 *
 * Counting without order: N threads add to one variable by relaxed operations.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 10
#endif
#include "../pairs/threads.h"

static atomic_int count;

static void *work(void *unused)
{
	(void)unused;
	atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	run(work);
	assert(atomic_load_explicit(&count, memory_order_relaxed) == N);
	return 0;
}
