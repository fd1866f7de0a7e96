/* SPDX-License-Identifier: MIT
 *
 * A sequence lock: readers write nothing, and read again if a writer was at work.  The data are atomic, as readers do read them
 * while they change.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DBUG_ODD
 * EXPECT: violated assertion
 * RUN: check -DBUG_AGAIN
 * EXPECT: violated assertion
 * RUN: check -DBUG_WRITERS
 * EXPECT: violated assertion
 * RUN: check -DPLAIN
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef PLAIN
static int x, y;
#else
static atomic_int x, y;
#endif
static atomic_uint sequence;

static void write_both(int by)
{
#ifdef BUG_WRITERS
	sequence++;
#else
	unsigned old;
	do
		old = sequence & ~1u;
	while (!atomic_compare_exchange_weak(&sequence, &old, old + 1));
#endif
	x = x + by; /* ERROR */
	y = y + by;
	sequence++;
}

static void read_both(void)
{
	unsigned before;
	int a, b;
	do {
		before = sequence;
#ifndef BUG_ODD
		while (before & 1)
			before = sequence;
#endif
		a = x;
		b = y;
#ifdef BUG_AGAIN
		break;
#endif
	} while (sequence != before);
	assert(a == b); /* ERROR */
}

static void *write_one(void *unused)
{
	write_both(1);
	return unused;
}

int main(void)
{
	pthread_t first, second;
	pthread_create(&first, NULL, write_one, NULL);
	pthread_create(&second, NULL, write_one, NULL);
	read_both();
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	assert(x == 2 && y == 2);
	return 0;
}
