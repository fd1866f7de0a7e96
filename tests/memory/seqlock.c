/* SPDX-License-Identifier: MIT
 *
 * A sequence lock as in Boehm, Can seqlocks get along with programming language memory models?, MSPC 2012.
 *
 * RUN: check --memory c11
 * EXPECT: verified
 * RUN: check --memory c11 -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DTHREADS=writer,reader,reader
 * EXPECT: verified
 * RUN: check --memory c11 -DAFTER_BEGIN=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DEND=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSEE=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DBEFORE_CHECK=relaxed
 * EXPECT: violated assertion
 */
#include "orders.h"

#ifndef AFTER_BEGIN
#define AFTER_BEGIN release
#endif
#ifndef END
#define END release
#endif
#ifndef SEE
#define SEE acquire
#endif
#ifndef BEFORE_CHECK
#define BEFORE_CHECK acquire
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef THREADS
#define THREADS writer, reader
#endif

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		STORE(sequence, 2 * i + 1, relaxed);
		FENCE(AFTER_BEGIN);
		STORE(left, i + 1, relaxed);
		STORE(right, i + 1, relaxed);
		STORE(sequence, 2 * i + 2, END);
	}
	return unused;
}

static void *reader(void *unused)
{
	int l, r;
	unsigned before;
	do {
		while ((before = LOAD(sequence, SEE)) % 2) {
		}
		l = LOAD(left, relaxed);
		r = LOAD(right, relaxed);
		FENCE(BEFORE_CHECK);
	} while (LOAD(sequence, relaxed) != before);
	assert(l == r); /* ERROR */
	return unused;
}

int main(void)
{
	RUN(THREADS);
}
