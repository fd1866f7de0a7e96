/* SPDX-License-Identifier: MIT
 *
 * Spin locks: by exchange, with a test before the compare-exchange (TTAS), and by tickets.  Who takes acquires, who gives releases.
 * What a TTAS lock looks at before, and who comes next in a ticket lock, may be relaxed.
 *
 * RUN: check --memory c11 -DEXCHANGE -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DEXCHANGE -DROUNDS=3
 * EXPECT: verified
 * RUN: check --memory c11 -DEXCHANGE -DTAKE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DEXCHANGE -DTAKE=release
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DEXCHANGE -DGIVE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTTAS -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DTTAS -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DTTAS -DTAKE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTTAS -DTAKE=relaxed -DLOOK=acquire
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTTAS -DGIVE=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTICKET -DTHREADS=work,work,work
 * EXPECT: verified
 * RUN: check --memory c11 -DTICKET -DROUNDS=2
 * EXPECT: verified
 * RUN: check --memory c11 -DTICKET -DLOOK=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DTICKET -DGIVE=relaxed
 * EXPECT: violated data-race
 */
#include "orders.h"

#ifndef TAKE
#define TAKE acquire
#endif
#ifndef GIVE
#define GIVE release
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef THREADS
#define THREADS work, work
#endif
#if !defined LOOK && defined TICKET
#define LOOK acquire
#elif !defined LOOK
#define LOOK relaxed
#endif

static atomic_int taken, next;
static int counter, total;

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
#ifdef EXCHANGE
		while (SWAP(taken, 1, TAKE)) {
		}
		counter++; /* ERROR */
		STORE(taken, 0, GIVE);
#elif defined TTAS
		do
			while (LOAD(taken, LOOK)) {
			}
		while (!CAS(taken, 0, 1, TAKE, relaxed));
		counter++; /* ERROR */
		STORE(taken, 0, GIVE);
#elif defined TICKET
		int mine = ADD(next, 1, relaxed);
		while (LOAD(taken, LOOK) != mine) {
		}
		counter++; /* ERROR */
		STORE(taken, mine + 1, GIVE);
#endif
	}
	return unused;
}

int main(void)
{
	void *(*const threads[])(void *) = { THREADS };
	total = ROUNDS * (int)(sizeof threads / sizeof *threads);
	RUN(THREADS);
	assert(counter == total);
}
