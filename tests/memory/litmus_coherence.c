/* SPDX-License-Identifier: MIT
 *
 * Coherence: accesses of one location are as in one order, whatever their memory orders are.  Only LAST asks for an outcome that
 * is possible: a value may be read twice.
 *
 * RUN: check --memory c11 -DRR -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DRR -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DRR -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DRR4 -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DRR4 -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DRR4 -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWR -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DWR -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWR -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DRW -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DRW -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DRW -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWW -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DWW -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWW -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DOWN -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DOWN -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DOWN -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DBACK -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DBACK -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DBACK -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DLAST -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DLAST -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DLAST -DST=seq_cst -DLD=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DBEHIND -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DBEHIND -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DBEHIND -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 */
#include "litmus.h"

#ifdef RR
THREAD(first, STORE(x, 1, ST))
THREAD(second, a = LOAD(x, LD); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef RR4
THREAD(first, STORE(x, 1, ST))
THREAD(second, STORE(x, 2, ST))
THREAD(third, a = LOAD(x, LD); b = LOAD(x, LD))
THREAD(fourth, c = LOAD(x, LD); d = LOAD(x, LD))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 2 && c == 2 && d == 1
#endif

#ifdef WR
THREAD(first, STORE(x, 1, ST); a = LOAD(x, LD))
THREAD(second, STORE(x, 2, ST))
#define THREADS first, second
#define OUTCOME a == 0
#endif

#ifdef RW
THREAD(first, a = LOAD(x, LD); STORE(x, 1, ST))
THREAD(second, STORE(x, 2, ST))
#define THREADS first, second
#define OUTCOME a == 2 && x == 2
#endif

#ifdef WW
THREAD(first, STORE(x, 1, ST); STORE(x, 2, ST))
THREAD(second, a = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME x == 1
#endif

#ifdef OWN
THREAD(first, STORE(x, 1, ST); a = LOAD(x, LD); b = LOAD(x, LD))
THREAD(second, STORE(x, 2, ST))
#define THREADS first, second
#define OUTCOME a == 2 && b == 1
#endif

#ifdef BACK
THREAD(first, STORE(x, 1, ST); STORE(x, 2, ST))
THREAD(second, a = LOAD(x, LD); b = LOAD(x, LD); c = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME (a == 2 && b == 1) || (b == 2 && c < 2)
#endif

#ifdef LAST
THREAD(first, STORE(x, 1, ST); STORE(x, 2, ST))
THREAD(second, a = LOAD(x, LD); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 1 && b == 1 && x == 2
#endif

#ifdef BEHIND
THREAD(first, STORE(x, 1, ST); a = LOAD(x, LD))
THREAD(second, STORE(x, 2, ST); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 2 && b == 1
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
