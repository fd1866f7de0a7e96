/* SPDX-License-Identifier: MIT
 *
 * Threads that make operations without end.  Different orders of operations lead to few states, so the results in one piece are a
 * graph with circles.
 *
 * RUN: -DSECOND=get
 * EXPECT: linearizable: 2 threads, operations without end
 * RUN: -DSECOND=flip
 * EXPECT: linearizable: 2 threads, operations without end
 * RUN: -DSECOND=get -DBROKEN=1
 * EXPECT: linearizable: 2 threads, operations without end
 * RUN: -DSECOND=flip -DBROKEN=1
 * EXPECT: violated not-linearizable
 */
#include <bitspin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static int get(void)
{
	return x;
}

static int flip(void)
{
#if BROKEN == 1
	int old = x; /* the other thread may flip here */
	x = 1 - old;
	return old;
#else
	return atomic_fetch_xor(&x, 1);
#endif
}

static void *first(void *unused)
{
	for (;;) {
		bitspin_operation_begin("flip()");
		bitspin_operation_end(flip());
	}
	return unused;
}

static void *second(void *unused)
{
	for (;;) {
		bitspin_operation_begin("second()");
		bitspin_operation_end(SECOND());
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	(void)get, (void)flip;
}
