/* SPDX-License-Identifier: MIT
 *
 * The queued spin lock of Linux in small, in one word: a bit for the owner, a bit for the next one, and the last in the queue of
 * all others.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DFAST=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DNEXT=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DGIVE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTHREADS=work,work,work -DFIRST=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef FAST
#define FAST acquire
#endif
#ifndef NEXT
#define NEXT acquire
#endif
#ifndef FIRST
#define FIRST acquire
#endif
#ifndef GIVE
#define GIVE release
#endif
#ifndef THREADS
#define THREADS work, work
#endif

enum { OWNED = 1, PENDING = 2, LAST = 4 };

static struct {
	atomic_int next, first;
} nodes[5]; /* by LAST times the number of the thread, from 1 */
static atomic_int word;
static int counter;

static void queue(int me)
{
	STORE(nodes[me].next, 0, relaxed);
	STORE(nodes[me].first, 0, relaxed);
	int old = LOAD(word, relaxed);
	while (!TRY(word, &old, (old & (OWNED | PENDING)) | LAST * me, acq_rel, relaxed)) {
	}
	if (old / LAST) {
		STORE(nodes[old / LAST].next, me, release);
		while (!LOAD(nodes[me].first, acquire)) {
		}
	}
	while ((old = LOAD(word, FIRST)) & (OWNED | PENDING)) {
	}
	if (old == LAST * me && CAS(word, old, OWNED, relaxed, relaxed))
		return;
	atomic_fetch_or_explicit(&word, OWNED, memory_order_relaxed);
	int next;
	while (!(next = LOAD(nodes[me].next, acquire))) {
	}
	STORE(nodes[next].first, 1, release);
}

static void lock(int me)
{
	if (CAS(word, 0, OWNED, FAST, relaxed))
		return;
	int old = atomic_fetch_or_explicit(&word, PENDING, memory_order_acquire);
	if (old & ~OWNED) {
		if (!(old & PENDING))
			atomic_fetch_and_explicit(&word, ~PENDING, memory_order_relaxed);
		queue(me);
		return;
	}
	while (LOAD(word, NEXT) & OWNED) {
	}
	ADD(word, OWNED - PENDING, relaxed);
}

static void *work(void *number)
{
	lock((int)(size_t)number + 1);
	counter++; /* ERROR */
	ADD(word, -OWNED, GIVE);
	return NULL;
}

int main(void)
{
	RUN(THREADS);
}
