/* SPDX-License-Identifier: MIT
 *
 * A ticket lock: each of N threads takes it ROUNDS times.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef ROUNDS
#define ROUNDS 1
#endif
static atomic_uint next, serving;
static int visits;
static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		unsigned ticket = atomic_fetch_add(&next, 1);
		while (serving != ticket)
			;
		visits++;
		atomic_fetch_add(&serving, 1);
	}
	(void)unused;
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(work);
}
