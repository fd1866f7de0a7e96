/* SPDX-License-Identifier: MIT
 *
 * A size of 4096 in the upper half of a word was taken for the address of a thread-local variable of the main thread, and writing
 * it for an access to that: a race that is none.  sqlite has such a page size, and the variable was errno.
 *
 * RUN: check
 * EXPECT: verified
 *
 * RUN: check -O2
 * EXPECT: verified
 *
 * RUN: check -DPASSED
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>


static struct {
	_Alignas(8) volatile unsigned low;
	volatile unsigned high;
} size;
static int spare;
static volatile int *_Atomic passed;

static void *work(void *unused)
{
	size.high = 4096;
	assert(size.high == 4096 && size.low == 0);
	volatile int *other = atomic_load_explicit(&passed, memory_order_relaxed);
	if (other)
		*other = 3; /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
#ifdef PASSED
	atomic_store_explicit(&passed, &errno, memory_order_relaxed);
#else
	atomic_store_explicit(&passed, &spare, memory_order_relaxed);
#endif
	strtol("99999999999999999999", NULL, 10); /* ERROR */
	pthread_join(thread, NULL);
	assert(errno != 2);
	return 0;
}
