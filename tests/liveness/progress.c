/* SPDX-License-Identifier: MIT
 *
 * Progress: no cycle without passing bitspin_progress(); a program that ends makes progress enough.
 *
 * RUN: check --property progress
 * EXPECT: verified
 * RUN: check --property progress -DENDS
 * EXPECT: verified
 * RUN: check --property progress -DIDLE
 * EXPECT: violated ltl
 * RUN: check --property progress -DOTHER
 * EXPECT: verified
 * RUN: check --property progress -DOTHER --fairness none
 * EXPECT: violated ltl
 */
#include <pthread.h>
#include <stdatomic.h>
#include "bitspin.h"

static atomic_int turn;

static void *other(void *unused)
{
	for (;;)
		turn = !turn;
	return unused;
}

int main(void)
{
	pthread_t thread;
	(void)thread, (void)other;
#ifdef OTHER
	pthread_create(&thread, NULL, other, NULL);
#endif
#ifdef ENDS
	for (int i = 0; i < 3; i++)
		turn = !turn;
#else
	for (int i = 0; ; i = (i + 1) % 3) {
		turn = !turn;
#ifdef IDLE
		if (i == 7)
#else
		if (i == 2)
#endif
			bitspin_progress();
	}
#endif
	return 0;
}
