/* SPDX-License-Identifier: MIT
 *
 * Peterson's lock for N threads (the filter lock, 1981): who wants in goes up N - 1 levels, at each of which one must wait.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ROUNDS
#define ROUNDS 1
#endif
static atomic_int level[N], last[N], inside;
static void enter(int me)
{
	for (int l = 1; l < N; l++) {
		level[me] = l;
		last[l] = me;
		for (int k = 0; k < N; k++)
			while (k != me && level[k] >= l && last[l] == me)
				;
	}
}
static void *work(void *number)
{
	int me = (int)(long)number;
	for (int i = 0; i < ROUNDS; i++) {
		enter(me);
		assert(++inside == 1);
		inside--;
		level[me] = 0;
	}
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(work);
}
