/* SPDX-License-Identifier: MIT
 *
 * Additions to what a property reads: the orders differ in the values on the way, so they are not swapped.  6 is there only when
 * the first thread is the last, and 5 when the second is.
 *
 * RUN: check --invariant '{x != 6}'
 * EXPECT: violated invariant
 * RUN: check --invariant '{x != 5}'
 * EXPECT: violated invariant
 * RUN: check --invariant '{x != 8}'
 * EXPECT: verified
 * RUN: check --ltl '[] !{x == 6}'
 * EXPECT: violated ltl
 * RUN: check --ltl '[] !{x == 5}'
 * EXPECT: violated ltl
 * RUN: check --ltl '<> {x == 7}'
 * EXPECT: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *add_one(void *argument)
{
	x += 1; /* ERROR */
	return argument;
}

static void *add_two(void *argument)
{
	x += 2; /* ERROR */
	return argument;
}

static void *add_four(void *argument)
{
	x += 4;
	return argument;
}

int main(void)
{
	pthread_t ids[3];
	pthread_create(&ids[0], NULL, add_one, NULL);
	pthread_create(&ids[1], NULL, add_two, NULL);
	pthread_create(&ids[2], NULL, add_four, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
