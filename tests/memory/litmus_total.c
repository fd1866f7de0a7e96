/* SPDX-License-Identifier: MIT
 *
 * seq_cst accesses beside weaker ones: only seq_cst accesses have a place in the total order S.  MP_LATER: the seq_cst load happens
 * after the seq_cst store, and is before it in S.  IRIW_MIXED and Z6U are forbidden by C17 7.17.3, since S agrees with
 * happens-before; RC11 and C20 allow them, and the last line of the report names the access.
 *
 * RUN: check --memory c11 -DSB -DST=seq_cst -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB -DST=release -DLD=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB -DST=seq_cst -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DSB_LEFT -DST=release -DLD=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_LEFT -DST=seq_cst -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_LATER -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_LATER -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_LATER -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_LATER -DST=release -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_LATER -DST=relaxed -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSTORES -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DSTORES -DST=release
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSTORES3 -DST=release
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSTORES3 -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DIRIW_STORES
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DIRIW_LOADS
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DHOP
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCHAIN -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DCHAIN -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DIRIW_MIXED
 * EXPECT: verified
 * RUN: check --memory c11 -DZ6U
 * EXPECT: verified
 */
#include "litmus.h"

#ifdef SB
THREAD(first, STORE(x, 1, ST); a = LOAD(y, LD))
THREAD(second, STORE(y, 1, ST); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef SB_LEFT
THREAD(first, STORE(x, 1, seq_cst); a = LOAD(y, seq_cst))
THREAD(second, STORE(y, 1, ST); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef MP_LATER
THREAD(first, STORE(x, 1, seq_cst); STORE(y, 1, ST))
THREAD(second, a = LOAD(y, LD); b = LOAD(x, seq_cst))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef STORES
THREAD(first, STORE(x, 1, ST); STORE(y, 2, ST))
THREAD(second, STORE(y, 1, ST); STORE(x, 2, ST))
#define THREADS first, second
#define OUTCOME x == 1 && y == 1
#endif

#ifdef STORES3
THREAD(first, STORE(x, 1, ST); STORE(y, 2, seq_cst))
THREAD(second, STORE(y, 1, seq_cst); STORE(x, 2, seq_cst))
#define THREADS first, second
#define OUTCOME x == 1 && y == 1
#endif

#ifdef IRIW_STORES
THREAD(first, STORE(x, 1, seq_cst))
THREAD(second, a = LOAD(x, acquire); b = LOAD(y, acquire))
THREAD(third, c = LOAD(y, acquire); d = LOAD(x, acquire))
THREAD(fourth, STORE(y, 1, seq_cst))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef IRIW_LOADS
THREAD(first, STORE(x, 1, release))
THREAD(second, a = LOAD(x, seq_cst); b = LOAD(y, seq_cst))
THREAD(third, c = LOAD(y, seq_cst); d = LOAD(x, seq_cst))
THREAD(fourth, STORE(y, 1, release))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef HOP
THREAD(first, STORE(x, 1, relaxed); FENCE(seq_cst); a = LOAD(y, relaxed))
THREAD(second, STORE(y, 1, seq_cst); b = LOAD(z, relaxed))
THREAD(third, c = LOAD(x, seq_cst))
#define THREADS first, second, third
#define OUTCOME a == 0 && c == 0
#endif

#ifdef CHAIN
THREAD(first, STORE(x, 1, seq_cst); a = LOAD(y, seq_cst))
THREAD(second, STORE(y, 1, seq_cst); STORE(z, 1, ST))
THREAD(third, b = LOAD(z, LD); c = LOAD(x, seq_cst))
#define THREADS first, second, third
#define OUTCOME a == 0 && b == 1 && c == 0
#endif

#ifdef IRIW_MIXED
THREAD(first, STORE(x, 1, seq_cst))
THREAD(second, a = LOAD(x, acquire); b = LOAD(y, seq_cst))
THREAD(third, c = LOAD(y, acquire); d = LOAD(x, seq_cst))
THREAD(fourth, STORE(y, 1, seq_cst))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef Z6U
THREAD(first, STORE(x, 1, seq_cst); STORE(y, 1, release))
THREAD(second, a = ADD(y, 1, seq_cst); b = LOAD(y, relaxed))
THREAD(third, STORE(y, 3, seq_cst); c = LOAD(x, seq_cst))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 3 && c == 0
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
