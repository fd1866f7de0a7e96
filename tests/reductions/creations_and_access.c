/* SPDX-License-Identifier: MIT
 *
 * RUN: check -O0
 * EXPECT: violated data-race
 * RUN: check -O0 -DSEEN_WEAKLY
 * EXPECT: violated data-race
 * RUN: check -O0 -DPASSED
 * EXPECT: verified
 *
 * Main's run went from one creation to the next, and what main read between the two was compared with nobody: found by a random
 * program.  The first thread does something else before it writes.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifdef SEEN_WEAKLY
#define ORDER memory_order_release
#else
#define ORDER memory_order_seq_cst
#endif

static atomic_int begun;
static volatile int data;

static void *write_data(void *argument)
{
	atomic_store_explicit(&begun, 1, ORDER);
	data = 7; /* ERROR */
	return argument;
}

static void *idle(void *argument)
{
	return argument;
}

int main(void)
{
	pthread_t first, second;
#ifdef PASSED
	int before = data;
	pthread_create(&first, NULL, write_data, NULL);
	pthread_create(&second, NULL, idle, NULL);
#else
	pthread_create(&first, NULL, write_data, NULL);
	int before = data; /* ERROR */
	pthread_create(&second, NULL, idle, NULL);
#endif
	(void)before;
	return 0;
}
