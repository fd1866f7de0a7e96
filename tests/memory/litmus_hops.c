/* SPDX-License-Identifier: MIT
 *
 * seq_cst fences that need not happen in their order: threads between them pass on what they read without synchronizing.  In
 * RC11 a path from one fence to another orders them if at most one of its reads-from edges does not synchronize: so one acquire
 * or one release in the middle is enough (HOP), and of two hops the first acquires and the second releases (HOPS).  A seq_cst
 * store orders nothing that is relaxed behind it (LATE).
 *
 * READ, WRITTEN, ACCESSED: what is passed on lies at a message that nobody can read any more when the last fence comes.  What a
 * fence passes on, by who has read or written the message, goes to all that know a later one; what a seq_cst access passes on, to
 * those that the later one happens before.
 *
 * KNOWN, MARKED: a thread has read a store without synchronizing, and then comes its fence.  The store does not happen before the
 * fence, so seq_cst accesses after the fence are not after the store in S (KNOWN); nor is the fence after those that have read
 * what was there before the store (MARKED).  In both, z or w is a hop that orders nothing, so that the threads come one after
 * the other.
 *
 * RUN: check --memory c11 -DHOP -DLD=relaxed -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DHOP -DLD=acquire -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DHOP -DLD=relaxed -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DHOP -DLD=relaxed -DST=relaxed -DBETWEEN=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11:1 -DHOP -DLD=relaxed -DST=relaxed
 * EXPECT: inconclusive: no violation under sequential consistency
 * RUN: check --memory c11 -DHOPS -DLD=acquire -DST=relaxed -DLD2=relaxed -DST2=release
 * EXPECT: verified
 * RUN: check --memory c11 -DHOPS -DLD=relaxed -DST=release -DLD2=acquire -DST2=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DLATE
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DREAD
 * EXPECT: verified
 * RUN: check --memory c11 -DREAD -DBETWEEN=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRITTEN
 * EXPECT: verified
 * RUN: check --memory c11 -DWRITTEN -DBETWEEN=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DACCESSED -DLD=acquire -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DACCESSED -DLD=relaxed -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DACCESSED -DLD=relaxed -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DKNOWN -DLD=relaxed -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DKNOWN -DLD=acquire -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DMARKED -DLD=relaxed -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMARKED -DLD=acquire -DST=release
 * EXPECT: verified
 */
#include "litmus.h"

#ifdef HOP
#ifdef BETWEEN
#define MIDDLE FENCE(BETWEEN)
#else
#define MIDDLE
#endif
THREAD(first, STORE(z, 1, relaxed); FENCE(seq_cst); STORE(x, 1, relaxed))
THREAD(second, a = LOAD(x, LD); MIDDLE; STORE(y, 1, ST))
THREAD(third, b = LOAD(y, relaxed); FENCE(seq_cst); c = LOAD(z, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 0
#endif

#ifdef HOPS
static atomic_int w;
THREAD(first, STORE(z, 1, relaxed); FENCE(seq_cst); STORE(w, 1, relaxed))
THREAD(second, a = LOAD(w, LD); STORE(x, 1, ST))
THREAD(third, b = LOAD(x, LD2); STORE(y, 1, ST2))
THREAD(fourth, c = LOAD(y, relaxed); FENCE(seq_cst); d = LOAD(z, relaxed))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 1 && c == 1 && d == 0
#endif

#ifdef LATE
THREAD(first, STORE(x, 1, seq_cst); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); FENCE(seq_cst); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifndef BETWEEN
#define BETWEEN seq_cst
#endif

#ifdef READ
THREAD(first, STORE(z, 1, relaxed); FENCE(BETWEEN); a = LOAD(x, relaxed))
THREAD(second, STORE(x, 1, relaxed))
THREAD(third, b = LOAD(x, relaxed); FENCE(BETWEEN); c = LOAD(z, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 0 && b == 1 && c == 0
#endif

#ifdef WRITTEN
THREAD(first, STORE(z, 1, relaxed); FENCE(BETWEEN); STORE(x, 1, relaxed))
THREAD(second, STORE(x, 2, relaxed))
THREAD(third, b = LOAD(x, relaxed); FENCE(BETWEEN); c = LOAD(z, relaxed))
#define THREADS first, second, third
#define OUTCOME LOAD(x, relaxed) == 2 && b == 2 && c == 0
#endif

#ifdef ACCESSED
THREAD(first, STORE(z, 1, seq_cst); a = LOAD(x, seq_cst))
THREAD(second, STORE(x, 1, ST))
THREAD(third, b = LOAD(x, LD); FENCE(seq_cst); c = LOAD(z, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 0 && b == 1 && c == 0
#endif

#ifdef KNOWN
THREAD(first, STORE(x, 1, ST))
THREAD(second, a = LOAD(x, LD); FENCE(seq_cst); STORE(y, 1, seq_cst); STORE(z, 1, relaxed))
THREAD(third, b = LOAD(z, relaxed); STORE(y, 2, seq_cst); c = LOAD(x, seq_cst))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 0 && LOAD(y, relaxed) == 2
#endif

#ifdef MARKED
static atomic_int w;
THREAD(first, STORE(y, 1, seq_cst); a = LOAD(x, seq_cst); STORE(w, 1, relaxed))
THREAD(second, STORE(x, 1, ST))
THREAD(third, b = LOAD(w, relaxed); c = LOAD(x, LD); FENCE(seq_cst); d = LOAD(y, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 0 && b == 1 && c == 1 && d == 0
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
