/* SPDX-License-Identifier: MIT
 *
 * A static atomic pointer to which the address of one allocation is stored: the optimiser of clang 19 makes of it an object and an
 * atomic bit, whether it was stored, which LLVM calls not valid.  Its accesses order as before, and are no race.
 * (`data` is volatile lest the optimiser read it sooner, which would be a race.)
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -O2
 * EXPECT: verified
 * RUN: check -O2 -DLATE
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) place;
static volatile int data;

static void *produce(void *unused)
{
#ifndef LATE
	data = 7;
#endif
	place = malloc(sizeof(int));
#ifdef LATE
	data = 7;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, produce, NULL);
	if (place)
		assert(data == 7); /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
