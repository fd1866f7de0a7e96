/* SPDX-License-Identifier: MIT
 *
 * Shapes of two threads: store buffering, message passing, load buffering, two stores each (WW, known as 2+2W), S, R, store
 * buffering where each thread reads its own store first (FORWARD), and message passing by the second value of a location (MANY).
 * C11 in the reading of RC11 has no load buffering.
 *
 * RUN: check --memory c11 -DSB -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMP -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMP -DST=release -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP -DST=relaxed -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DLB -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DLB -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DLB -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWW -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWW -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWW -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DS -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DS -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DS -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DS -DST=release -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DS -DST=relaxed -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DR -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DR -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DR -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DFORWARD -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFORWARD -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFORWARD -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMANY -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMANY -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMANY -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 */
#include "litmus.h"

#ifdef SB
THREAD(first, STORE(x, 1, ST); a = LOAD(y, LD))
THREAD(second, STORE(y, 1, ST); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef MP
THREAD(first, STORE(x, 1, ST); STORE(y, 1, ST))
THREAD(second, a = LOAD(y, LD); b = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef LB
THREAD(first, a = LOAD(x, LD); STORE(y, 1, ST))
THREAD(second, b = LOAD(y, LD); STORE(x, 1, ST))
#define THREADS first, second
#define OUTCOME a == 1 && b == 1
#endif

#ifdef WW
THREAD(first, STORE(x, 1, ST); STORE(y, 2, ST))
THREAD(second, STORE(y, 1, ST); STORE(x, 2, ST))
#define THREADS first, second
#define OUTCOME x == 1 && y == 1
#endif

#ifdef S
THREAD(first, STORE(x, 2, ST); STORE(y, 1, ST))
THREAD(second, a = LOAD(y, LD); STORE(x, 1, ST))
#define THREADS first, second
#define OUTCOME a == 1 && x == 2
#endif

#ifdef R
THREAD(first, STORE(x, 1, ST); STORE(y, 1, ST))
THREAD(second, STORE(y, 2, ST); a = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME y == 2 && a == 0
#endif

#ifdef FORWARD
THREAD(first, STORE(x, 1, ST); a = LOAD(x, LD); b = LOAD(y, LD))
THREAD(second, STORE(y, 1, ST); c = LOAD(y, LD); d = LOAD(x, LD))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef MANY
THREAD(first, STORE(x, 1, ST); STORE(y, 1, ST); STORE(x, 2, ST))
THREAD(second, a = LOAD(x, LD); b = LOAD(y, LD))
#define THREADS first, second
#define OUTCOME a == 2 && b == 0
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
