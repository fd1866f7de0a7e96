/* SPDX-License-Identifier: MIT
 *
 * Peterson's algorithm with volatile variables, in which the stores of two functions wait: no access has an order, so fences have
 * to be added.  One behind the store to turn is enough for each thread.
 *
 * RUN: --memory tso
 * EXPECT: these 2 fences, each behind the access of its line, together repair it, and none of them can be missed
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int flag[2], turn, inside;

static void *first(void *unused)
{
	flag[0] = 1;
	turn = 1; /* ORDERS: seq_cst */
	while (flag[1] && turn == 1)
		;
	inside = 1;
	assert(inside == 1);
	flag[0] = 0;
	return unused;
}

static void *second(void *unused)
{
	flag[1] = 1;
	turn = 0; /* ORDERS: seq_cst */
	while (flag[0] && turn == 0)
		;
	inside = 2;
	assert(inside == 2);
	flag[1] = 0;
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
