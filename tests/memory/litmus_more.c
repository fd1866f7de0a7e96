/* SPDX-License-Identifier: MIT
 *
 * Shapes of three and four threads: independent readers of independent writes (IRIW), write to read causality (WRC), read to
 * write causality (RWC), ISA2, W+RWC (WRWC), rings of three for store buffering, two stores each and load buffering, Z6.3, and
 * coherence of a read and a write that are ordered through a third thread (WWC).
 *
 * RUN: check --memory c11 -DIRIW -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DIRIW -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DIRIW -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWRC -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRC -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWRC -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWRC -DST=release -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRC -DST=relaxed -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DRWC -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DRWC -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DRWC -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DISA2 -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DISA2 -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DISA2 -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWRWC -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRWC -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWRWC -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DSB3 -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB3 -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB3 -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWW3 -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWW3 -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWW3 -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DLB3 -DST=relaxed -DLD=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DLB3 -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DLB3 -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DZ6 -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DZ6 -DST=release -DLD=acquire
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DZ6 -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWWC -DST=relaxed -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWWC -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DWWC -DST=seq_cst -DLD=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DWWC -DST=release -DLD=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DWWC -DST=relaxed -DLD=acquire
 * EXPECT: violated assertion
 */
#include "litmus.h"

#ifdef IRIW
THREAD(first, STORE(x, 1, ST))
THREAD(second, a = LOAD(x, LD); b = LOAD(y, LD))
THREAD(third, c = LOAD(y, LD); d = LOAD(x, LD))
THREAD(fourth, STORE(y, 1, ST))
#define THREADS first, second, third, fourth
#define OUTCOME a == 1 && b == 0 && c == 1 && d == 0
#endif

#ifdef WRC
THREAD(first, STORE(x, 1, ST))
THREAD(second, a = LOAD(x, LD); STORE(y, 1, ST))
THREAD(third, b = LOAD(y, LD); c = LOAD(x, LD))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 0
#endif

#ifdef RWC
THREAD(first, STORE(x, 1, ST))
THREAD(second, a = LOAD(x, LD); b = LOAD(y, LD))
THREAD(third, STORE(y, 1, ST); c = LOAD(x, LD))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 0 && c == 0
#endif

#ifdef ISA2
THREAD(first, STORE(x, 1, ST); STORE(y, 1, ST))
THREAD(second, a = LOAD(y, LD); STORE(z, 1, ST))
THREAD(third, b = LOAD(z, LD); c = LOAD(x, LD))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 0
#endif

#ifdef WRWC
THREAD(first, STORE(x, 1, ST); STORE(z, 1, ST))
THREAD(second, a = LOAD(z, LD); b = LOAD(y, LD))
THREAD(third, STORE(y, 1, ST); c = LOAD(x, LD))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 0 && c == 0
#endif

#ifdef SB3
THREAD(first, STORE(x, 1, ST); a = LOAD(y, LD))
THREAD(second, STORE(y, 1, ST); b = LOAD(z, LD))
THREAD(third, STORE(z, 1, ST); c = LOAD(x, LD))
#define THREADS first, second, third
#define OUTCOME a == 0 && b == 0 && c == 0
#endif

#ifdef WW3
THREAD(first, STORE(x, 1, ST); STORE(y, 2, ST))
THREAD(second, STORE(y, 1, ST); STORE(z, 2, ST))
THREAD(third, STORE(z, 1, ST); STORE(x, 2, ST))
#define THREADS first, second, third
#define OUTCOME x == 1 && y == 1 && z == 1
#endif

#ifdef LB3
THREAD(first, a = LOAD(x, LD); STORE(y, 1, ST))
THREAD(second, b = LOAD(y, LD); STORE(z, 1, ST))
THREAD(third, c = LOAD(z, LD); STORE(x, 1, ST))
#define THREADS first, second, third
#define OUTCOME a == 1 && b == 1 && c == 1
#endif

#ifdef Z6
THREAD(first, STORE(x, 1, ST); STORE(y, 1, ST))
THREAD(second, STORE(y, 2, ST); STORE(z, 1, ST))
THREAD(third, a = LOAD(z, LD); b = LOAD(x, LD))
#define THREADS first, second, third
#define OUTCOME y == 2 && a == 1 && b == 0
#endif

#ifdef WWC
THREAD(first, STORE(x, 2, ST))
THREAD(second, a = LOAD(x, LD); STORE(y, 1, ST))
THREAD(third, b = LOAD(y, LD); STORE(x, 1, ST))
#define THREADS first, second, third
#define OUTCOME a == 2 && b == 1 && x == 2
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
