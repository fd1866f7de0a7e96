/* SPDX-License-Identifier: MIT
 *
 * Fences: ST is the order of the fences that release or are seq_cst, LD that of those that acquire.  MP_EARLY and MP_LATE have the
 * fence at the wrong side; in ISA2 the thread in the middle has none; in IRIW_ONE and R_ONE one fence is too few.
 *
 * RUN: check --memory c11 -DSB -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DSB -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_ONE -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_ACCESSES -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DSB_ACCESSES -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_MIXED -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMP -DST=acq_rel -DLD=acq_rel
 * EXPECT: verified
 * RUN: check --memory c11 -DMP -DST=acquire -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP -DST=release -DLD=release
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_LEFT -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_LEFT -DST=release -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_LEFT -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_RIGHT -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_RIGHT -DST=relaxed -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_RIGHT -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_EARLY -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_LATE -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DMP_SECOND -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_OVER -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_TWO -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DMP_OLD -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWW -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWW -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWW_ONE -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DR -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DR -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DR_ONE -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DS -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DS -DST=release -DLD=release
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DS -DST=acquire -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DRWC -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DRWC -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRWC -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWRWC -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRC -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWRC -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWRC -DST=acquire -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRC -DST=release -DLD=release
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DIRIW -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DIRIW -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DIRIW_ONE -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DISA2 -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DRETURN -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DRETURN -DST=acq_rel
 * EXPECT: verified
 */
#include "litmus.h"

#ifdef SB
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); a = LOAD(y, relaxed))
THREAD(second, STORE(y, 1, relaxed); FENCE(ST); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef SB_ONE
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); a = LOAD(y, relaxed))
THREAD(second, STORE(y, 1, relaxed); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef SB_ACCESSES
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); a = LOAD(y, relaxed))
THREAD(second, STORE(y, 1, seq_cst); b = LOAD(x, seq_cst))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef SB_MIXED
THREAD(first, STORE(x, 1, ST); a = LOAD(y, acquire))
THREAD(second, STORE(y, 1, ST); b = LOAD(x, acquire))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef MP
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); FENCE(LD); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef MP_LEFT
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, LD); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef MP_RIGHT
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, ST))
THREAD(second, a = LOAD(y, relaxed); FENCE(LD); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef MP_EARLY
THREAD(first, FENCE(ST); STORE(x, 1, relaxed); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); FENCE(LD); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef MP_LATE
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, FENCE(LD); a = LOAD(y, relaxed); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef MP_SECOND
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed); STORE(y, 2, relaxed))
THREAD(second, a = LOAD(y, relaxed); FENCE(LD); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 2 && b == 0
#endif

#ifdef MP_OVER
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, c = ADD(y, 1, relaxed))
THREAD(third, a = LOAD(y, relaxed); FENCE(LD); b = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 2 && c == 1 && b == 0
#endif

#ifdef MP_TWO
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, STORE(z, 1, relaxed); FENCE(ST); c = ADD(y, 1, relaxed))
THREAD(third, a = LOAD(y, relaxed); FENCE(LD); b = LOAD(x, relaxed); d = LOAD(z, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 2 && c == 1 && (b == 0 || d == 0)
#endif

#ifdef MP_OLD
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, a = LOAD(y, relaxed); c = LOAD(z, relaxed); FENCE(LD); b = LOAD(x, relaxed))
THREAD(third, STORE(z, 1, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 0
#endif

#ifdef WW
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 2, relaxed))
THREAD(second, STORE(y, 1, relaxed); FENCE(ST); STORE(x, 2, relaxed))
#define THREADS first, second
#define OUTCOME x == 1 && y == 1
#endif

#ifdef WW_ONE
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 2, relaxed))
THREAD(second, STORE(y, 1, relaxed); STORE(x, 2, relaxed))
#define THREADS first, second
#define OUTCOME x == 1 && y == 1
#endif

#ifdef R
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, STORE(y, 2, relaxed); FENCE(ST); a = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME y == 2 && a == 0
#endif

#ifdef R_ONE
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, STORE(y, 2, relaxed); FENCE(ST); a = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME y == 2 && a == 0
#endif

#ifdef S
THREAD(first, STORE(x, 2, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); FENCE(LD); STORE(x, 1, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && x == 2
#endif

#ifdef RWC
THREAD(first, STORE(x, 1, relaxed))
THREAD(second, a = LOAD(x, relaxed); FENCE(ST); b = LOAD(y, relaxed))
THREAD(third, STORE(y, 1, relaxed); FENCE(ST); c = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 0 && c == 0
#endif

#ifdef WRWC
THREAD(first, STORE(x, 1, relaxed); STORE(z, 1, release))
THREAD(second, a = LOAD(z, acquire); FENCE(ST); b = LOAD(y, relaxed))
THREAD(third, STORE(y, 1, relaxed); FENCE(ST); c = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 0 && c == 0
#endif

#ifdef WRC
THREAD(first, STORE(x, 1, relaxed))
THREAD(second, a = LOAD(x, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(third, b = LOAD(y, relaxed); FENCE(LD); c = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 0
#endif

#ifdef IRIW
THREAD(first, STORE(x, 1, relaxed))
THREAD(second, a = LOAD(x, relaxed); FENCE(ST); b = LOAD(y, relaxed))
THREAD(third, c = LOAD(y, relaxed); FENCE(ST); d = LOAD(x, relaxed))
THREAD(fourth, STORE(y, 1, relaxed))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef IRIW_ONE
THREAD(first, STORE(x, 1, relaxed))
THREAD(second, a = LOAD(x, relaxed); FENCE(ST); b = LOAD(y, relaxed))
THREAD(third, c = LOAD(y, acquire); d = LOAD(x, relaxed))
THREAD(fourth, STORE(y, 1, relaxed))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef ISA2
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); STORE(z, 1, relaxed))
THREAD(third, b = LOAD(z, relaxed); FENCE(LD); c = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 0
#endif

#ifdef RETURN
THREAD(first, STORE(x, 1, relaxed); FENCE(ST); a = LOAD(x, relaxed))
THREAD(second, STORE(x, 2, relaxed); FENCE(ST); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 2 && b == 1
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
