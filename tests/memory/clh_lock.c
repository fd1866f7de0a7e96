/* SPDX-License-Identifier: MIT
 *
 * The queue lock of Craig, Landin and Hagersten.  The exchange must release too: else the next thread may read what the node held
 * before its owner made it wait.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DENQUEUE=acquire
 * EXPECT: violated data-race
 * RUN: check --memory c11:1 -DENQUEUE=acquire
 * EXPECT: inconclusive: no violation under sequential consistency, and weaker orders let threads read older values
 * RUN: check --memory c11 -DENQUEUE=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DWAIT=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DGIVE=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef ENQUEUE
#define ENQUEUE acq_rel
#endif
#ifndef WAIT
#define WAIT acquire
#endif
#ifndef GIVE
#define GIVE release
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef THREADS
#define THREADS work, work
#endif

static atomic_bool nodes[4]; /* is the owner of this one before those behind it? */
static _Atomic(atomic_bool *) tail = &nodes[3];
static int counter;

static void *work(void *number)
{
	atomic_bool *node = &nodes[(size_t)number];
	for (int i = 0; i < ROUNDS; i++) {
		STORE(*node, 1, relaxed);
		atomic_bool *before = SWAP(tail, node, ENQUEUE);
		while (LOAD(*before, WAIT)) {
		}
		counter++; /* ERROR */
		STORE(*node, 0, GIVE);
		node = before;
	}
	return NULL;
}

int main(void)
{
	RUN(THREADS);
}
