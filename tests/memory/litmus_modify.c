/* SPDX-License-Identifier: MIT
 *
 * Read-modify-writes: nothing comes between what one reads and what it stores; it continues a release sequence, as only a
 * read-modify-write does since C20 and C23 (OWN_STORE with relaxed: C11 forbade that outcome); it may read an older value if
 * nothing has been stored behind it by another one.  ST is the order of the read-modify-write or of the store that varies.
 *
 * RUN: check --memory c11 -DINC -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DINC -DST=acq_rel
 * EXPECT: verified
 * RUN: check --memory c11 -DINC -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DINC_MANY -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DONCE -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DWINNERS -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DBETWEEN -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DLAST -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DEARLIER -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSEQUENCE -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DSEQUENCE -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DSEQUENCE2 -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DBY_STORE -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DOWN_STORE -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DOWN_STORE -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DBOTH -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DBOTH -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFIRST_OF_BOTH -DST=release
 * EXPECT: verified
 * RUN: check --memory c11 -DFIRST_OF_BOTH -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DAFTER_ADD -DST=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DAFTER_ADD -DST=acq_rel
 * EXPECT: verified
 * RUN: check --memory c11 -DAFTER_ADD -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DAFTER_ADD -DST=release
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_ADD -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_ADD -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_ADD -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_SWAP -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DSB_SWAP -DST=seq_cst
 * EXPECT: violated assertion
 * RUN: check -O0 --memory c11 -DSB_ALL_ADD -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DSB_ALL_ADD -DST=seq_cst
 * EXPECT: verified
 * RUN: check --memory c11 -DFAILS -DST=acquire
 * EXPECT: verified
 * RUN: check --memory c11 -DFAILS -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFAILS_OLD -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFAILS_OLD -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DFAILS_NEW -DST=relaxed
 * EXPECT: verified
 * RUN: check --memory c11 -DTAKES_OLD -DST=relaxed
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DTAKES_OLD -DST=acq_rel
 * EXPECT: violated assertion
 * RUN: check --memory c11 -DCHAIN -DST=relaxed
 * EXPECT: verified
 */
#include "litmus.h"

#ifdef INC
THREAD(first, a = ADD(x, 1, ST))
THREAD(second, b = ADD(x, 1, ST))
#define THREADS first, second
#define OUTCOME (a == 0 && b == 0) || x != 2
#endif

#ifdef INC_MANY
THREAD(first, a = ADD(x, 1, ST); b = ADD(x, 1, ST))
THREAD(second, c = ADD(x, 1, ST); d = ADD(x, 1, ST))
#define THREADS first, second
#define OUTCOME x != 4 || b <= a || d <= c
#endif

#ifdef ONCE
THREAD(first, a = SWAP(x, 1, ST))
THREAD(second, b = SWAP(x, 1, ST))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef WINNERS
THREAD(first, a = CAS(x, 0, 1, ST, relaxed))
THREAD(second, b = CAS(x, 0, 2, ST, relaxed))
#define THREADS first, second
#define OUTCOME a == b
#endif

#ifdef BETWEEN
THREAD(first, a = ADD(x, 1, ST))
THREAD(second, STORE(x, 5, relaxed))
#define THREADS first, second
#define OUTCOME x != 5 && x != 6
#endif

#ifdef LAST
THREAD(first, a = ADD(x, 1, ST); STORE(y, 1, relaxed))
THREAD(second, b = LOAD(y, relaxed); STORE(x, 5, relaxed))
#define THREADS first, second
#define OUTCOME b == 1 && x == 5 && a == 5
#endif

#ifdef EARLIER
THREAD(first, a = ADD(x, 1, ST))
THREAD(second, STORE(x, 5, relaxed))
#define THREADS first, second
#define OUTCOME a == 0 && x == 5
#endif

#ifdef SEQUENCE
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, c = ADD(y, 1, ST))
THREAD(third, a = LOAD(y, acquire); b = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 2 && b == 0 && c == 1
#endif

#ifdef SEQUENCE2
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, c = ADD(y, 1, ST))
THREAD(third, d = ADD(y, 1, ST))
THREAD(fourth, a = LOAD(y, acquire); b = LOAD(x, relaxed))
#define THREADS first, second, third, fourth
#define OUTCOME a == 3 && b == 0 && c + d == 3
#endif

#ifdef BY_STORE
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, STORE(y, 2, ST))
THREAD(third, a = LOAD(y, acquire); b = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 2 && b == 0
#endif

#ifdef OWN_STORE
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release); STORE(y, 2, ST))
THREAD(second, a = LOAD(y, acquire); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 2 && b == 0
#endif

#ifdef BOTH
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, STORE(z, 1, relaxed); c = ADD(y, 1, ST))
THREAD(third, a = LOAD(y, acquire); b = LOAD(x, relaxed); d = LOAD(z, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 2 && c == 1 && (b == 0 || d == 0)
#endif

#ifdef FIRST_OF_BOTH
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, STORE(z, 1, relaxed); c = ADD(y, 1, ST))
THREAD(third, a = LOAD(y, acquire); b = LOAD(x, relaxed))
#define THREADS first, second, third
#define OUTCOME a == 2 && c == 1 && b == 0
#endif

#ifdef AFTER_ADD
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, a = ADD(y, 1, ST); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef SB_ADD
THREAD(first, STORE(x, 1, relaxed); a = ADD(y, 0, ST))
THREAD(second, STORE(y, 1, relaxed); b = ADD(x, 0, ST))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef SB_SWAP
THREAD(first, SWAP(x, 1, ST); a = LOAD(y, acquire))
THREAD(second, SWAP(y, 1, ST); b = LOAD(x, acquire))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef SB_ALL_ADD
THREAD(first, ADD(x, 1, ST); a = ADD(y, 0, ST))
THREAD(second, ADD(y, 1, ST); b = ADD(x, 0, ST))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef FAILS
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, a = CAS(y, 0, 2, seq_cst, ST); b = LOAD(x, relaxed))
#define THREADS first, second
#define OUTCOME a == 0 && b == 0
#endif

#ifdef FAILS_OLD
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); b = CAS(x, 1, 3, ST, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef FAILS_NEW
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, release))
THREAD(second, a = LOAD(y, acquire); b = CAS(x, 1, 3, ST, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 0
#endif

#ifdef TAKES_OLD
THREAD(first, STORE(x, 1, relaxed); STORE(y, 1, relaxed))
THREAD(second, a = LOAD(y, relaxed); b = CAS(x, 0, 3, ST, relaxed))
#define THREADS first, second
#define OUTCOME a == 1 && b == 1 && x == 1
#endif

#ifdef CHAIN
THREAD(first, a = ADD(x, 1, ST); b = ADD(x, 1, ST))
THREAD(second, c = LOAD(x, relaxed); STORE(x, 9, relaxed))
#define THREADS first, second
#define OUTCOME b == 9 && x == 10 && c == 2
#endif

int main(void)
{
	RUN(THREADS);
	assert(!(OUTCOME)); /* ERROR */
}
