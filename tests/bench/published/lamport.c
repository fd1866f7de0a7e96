/* SPDX-License-Identifier: MIT
 *
 * Lamport's fast mutual exclusion (TOCS 1987, algorithm 2) for N threads: who is alone needs seven accesses.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#ifndef N
#define N 4
#endif
#include "../pairs/threads.h"

static atomic_int x, y, inside;
static atomic_bool wants[N + 1];

static void enter(int me)
{
	for (;;) {
		wants[me] = true;
		x = me;
		if (y != 0) {
			wants[me] = false;
			while (y != 0)
				;
			continue;
		}
		y = me;
		if (x == me)
			return;
		wants[me] = false;
		for (int i = 1; i <= N; i++)
			while (wants[i])
				;
		if (y == me)
			return;
		while (y != 0)
			;
	}
}

static void *work(void *argument)
{
	int me = NUMBER(argument) + 1;
	enter(me);
	assert(++inside == 1);
	inside--;
	y = 0;
	wants[me] = false;
	return NULL;
}

int main(void)
{
	return run(work);
}
