/* SPDX-License-Identifier: MIT
 *
 * A fault that is not to be reported, and of which the process dies: what other threads can do before is checked all the same.
 * After a fault of which nobody knows what comes of it, there is no verdict.
 *
 * RUN: check -DCASE=1 --checks=-null-dereference
 * EXPECT: violated assertion
 * RUN: check -DCASE=2 --checks=-null-dereference
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=3 --checks=-null-dereference
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=4 --checks=-out-of-bounds
 * EXPECT: inconclusive: nothing else was found, but what the program does after a suppressed fault is not known: out-of-bounds
 * RUN: check -DCASE=5 --suppressions tests/faults/dies.supp
 * EXPECT: violated assertion
 * RUN: check -DCASE=6 -O0 --suppressions tests/faults/dies.supp
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=7 -O0 --checks=-division-by-zero
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=8 --checks=-abort
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=9 -O0 --checks=-stack-overflow
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 -DCASE=10 --checks=-double-free
 * EXPECT: inconclusive: nothing else was found, but what the program does after a suppressed fault is not known: double-free
 * RUN: check -O0 -DCASE=11 --checks=-use-after-free
 * EXPECT: inconclusive: nothing else was found, but what the program does after a suppressed fault is not known: use-after-free
 * RUN: check -O0 -DCASE=12 --checks=-unreachable
 * EXPECT: inconclusive: nothing else was found, but what the program does after a suppressed fault is not known: unreachable
 * RUN: check -O0 -DCASE=13 --checks=-invalid-free
 * EXPECT: inconclusive: nothing else was found, but what the program does after a suppressed fault is not known: invalid-free
 * RUN: check -DCASE=14
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=15 --leaks --checks=-abort
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=16 --checks=-null-dereference
 * EXPECT: violated assertion
 * RUN: check -DCASE=8 --checks=-abort --ltl '<> terminated'
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=17 --checks=-null-dereference --ltl '[] (in(falls, 1) -> <> terminated)'
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=18 --checks=-assertion
 * EXPECT: violated data-race
 * RUN: check -DCASE=19 --checks=-null-dereference --deadlock total
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -DCASE=20 --checks=-null-dereference
 * EXPECT: verified, apart from 1 suppressed fault
 */
#include "bitspin.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int x, y, *nowhere, zero, five[5], index_of = 5;
void *block;

static void falls(void) { *nowhere = 1; }

static void set(void)
{
	pthread_mutex_lock(&mutex);
	x = 1;
	pthread_mutex_unlock(&mutex);
}

static void look(int wanted)
{
	pthread_mutex_lock(&mutex);
	int now = x;
	pthread_mutex_unlock(&mutex);
	assert(now == wanted); /* ERROR */
}

static void known(void) { assert(x == 1); }
static void inner(void) { known(); }
static void outer(void) { inner(); }
static int deep(int n) { char room[1 << 20]; memset(room, n, sizeof room); return deep(n + 1) + room[0]; }

static void *work(void *unused)
{
	switch (CASE) {
	case 1: set(); falls(); break; /* between the two, the others see x */
	case 2: case 3: falls(); break;
	case 5: known(); break;
	case 6: outer(); break;
	case 16: falls(); break; /* before the thread comes to a scheduling point */
	case 17: pthread_mutex_lock(&other); falls(); break;
	case 18: y = 1; /* ERROR */ assert(x == 1); break; /* its last write races before the process dies */
	case 19: pthread_mutex_lock(&other); falls(); break; /* with a lock */
	case 20: bitspin_atomic_begin(); x = 1; falls(); bitspin_atomic_end(); break;
	}
	return unused;
}

static void thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	switch (CASE) {
	case 1: look(0); break;
	case 3: set(); look(0); break; /* needs two steps before thread 1 takes its one */
	case 5: case 16: assert(x == 1); break; /* ERROR */
	case 18: y = 2; break; /* ERROR */
	case 19: pthread_mutex_lock(&other); pthread_mutex_unlock(&other); break;
	}
	pthread_join(thread, NULL);
	if (CASE != 5)
		assert(CASE == 1 || CASE == 3);
}

static int never(int n) { if (n) return 1; __builtin_unreachable(); }

int main(void)
{
	int *p;
	switch (CASE) {
	case 4: five[index_of] = 1; break;
	case 7: x = 1 / zero; assert(0); break;
	case 8: abort(); break;
	case 9: x = deep(1); assert(0); break;
	case 10: p = malloc(4); free(p); free(p); break;
	case 11: p = malloc(4); free(p); *p = 1; break;
	case 12: return never(zero);
	case 13: free(five); break;
	case 14:
		*nowhere = 1; // bitspin: ignore null-dereference, use-after-free
		assert(0);
		break;
	case 15: block = malloc(4); block = NULL; abort();
	default: thread(); break;
	}
	return 0;
}
