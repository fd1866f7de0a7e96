/* SPDX-License-Identifier: MIT
 *
 * Inputs as sets with a bound on preemptions: that an input is asked for, and that it is split, is no switch.
 *
 * The assertion fails if the other thread runs as a whole between the two reads, which takes a preemption to go there; it comes
 * back for nothing, as the other thread has ended.  It needs the one value of 2^32 for which 3 * v + 1 is 3001.  No switch saves
 * that, and no split of v costs one.
 *
 * RUN: check -O0 --races ignore --inputs sets --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -O0 --races ignore --inputs sets --preemptions 1
 * EXPECT: violated assertion
 * RUN: check -O0 --races ignore --inputs symbolic --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check -O0 --races ignore --inputs symbolic --preemptions iterate
 * EXPECT: violated assertion
 * RUN: check -O0 --races ignore --inputs sets --preemptions iterate -DBENIGN
 * EXPECT: verified
 */
#include "bitspin.h"

#include <assert.h>
#include <pthread.h>

static int shared;

static void *writer(void *unused)
{
	unsigned v = bitspin_any_unsigned();
	if (v % 2 == 0 && v > 10 && 3 * v + 1 == 3001)
		shared = 1000;
	else if (v > 7)
		shared = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, writer, NULL);
	int x = shared;
	int y = shared;
#ifdef BENIGN
	assert(y - x != 2);
#else
	assert(y - x != 1000); /* ERROR */
#endif
	pthread_join(thread, NULL);
	return 0;
}
