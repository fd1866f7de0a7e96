/* SPDX-License-Identifier: MIT
 *
 * Atomic variables of all sizes have older values; neighbours have values of their own; an object that is accessed in two sizes
 * is refused, and so are calls of libatomic.
 *
 * RUN: check --memory c11 -DTYPE=bool
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=char
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=short
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=long
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=__int128 -mcx16
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=float
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=pointer
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=bool -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DTYPE=char -DPASS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTYPE=char -DPASS -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DTYPE=short -DPASS -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DTYPE=__int128 -mcx16 -DPASS -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DTYPE=__int128 -Wno-atomic-alignment
 * EXPECT: inconclusive: atomic accesses to s
 * RUN: check --memory c11 -DTYPE=__int128 -Wno-atomic-alignment -DST=seq_cst -DLD=seq_cst
 * EXPECT: inconclusive: atomic accesses to s
 * RUN: check --memory c11 -DTYPE=char -DTWO
 * EXPECT: inconclusive: atomic accesses to u have several sizes, which --memory c11 does not cover
 */
#include "orders.h"
#include <stdbool.h>

#ifndef ST
#define ST relaxed
#endif
#ifndef LD
#define LD relaxed
#endif

typedef char *pointer;

static struct {
	_Atomic(TYPE) before, x, y, after;
} s;
static bool a, b;

#ifdef TWO
static union {
	atomic_int whole;
	atomic_char part;
} u;

static void *first(void *unused)
{
	STORE(u.whole, 1, relaxed);
	STORE(u.whole, 2, relaxed);
	return unused;
}

static void *second(void *unused)
{
	a = LOAD(u.part, relaxed) == 2;
	return unused;
}

int main(void)
{
	RUN(first, second);
}
#elif defined PASS
static void *first(void *unused)
{
	STORE(s.before, (TYPE)1, relaxed);
	STORE(s.x, (TYPE)1, relaxed);
	STORE(s.y, (TYPE)1, ST);
	return unused;
}

static void *second(void *unused)
{
	a = LOAD(s.y, LD) == (TYPE)1;
	b = LOAD(s.x, relaxed) == (TYPE)1;
	return unused;
}

int main(void)
{
	RUN(first, second);
	assert(!a || b); /* ERROR */
}
#else
static void *first(void *unused)
{
	STORE(s.x, (TYPE)1, ST);
	a = LOAD(s.y, LD) == (TYPE)1;
	return unused;
}

static void *second(void *unused)
{
	STORE(s.y, (TYPE)1, ST);
	b = LOAD(s.x, LD) == (TYPE)1;
	return unused;
}

int main(void)
{
	RUN(first, second);
	assert(LOAD(s.before, relaxed) == (TYPE)0 && LOAD(s.after, relaxed) == (TYPE)0);
	assert(a || b); /* ERROR */
}
#endif
