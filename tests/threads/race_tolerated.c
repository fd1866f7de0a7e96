/* SPDX-License-Identifier: MIT
 *
 * Races that are not to be reported: the search goes past them, and loses no schedule in which they decide something, and no other
 * race.
 *
 * RUN: check -O0 -DCASE=1 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=2 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=3 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=4 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=5 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=6
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 -DCASE=7
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=8 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=9 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: verified, apart from 1 suppressed fault
 * RUN: check -O0 -DCASE=10 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=11 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated use-after-free
 * RUN: check -O0 -DCASE=12 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated assertion
 * RUN: check -O0 -DCASE=13 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=14 --suppressions tests/threads/race_tolerated.supp
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x, y, flag, data, *shared;
char text[8];
struct pair { int a, b; } pair;

static void pass(void) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }

#if CASE == 1 /* an update is lost only where the two are between read and write */
static void known(void) { x++; }
static void one(void) { known(); }
static void two(void) { known(); }
static void after(void) { assert(x == 2); } /* ERROR */
#elif CASE == 2 /* one race is known, the other is not */
static void known(void) { x = 1; }
static void one(void) { known(); y = 1; } /* ERROR */
static void two(void) { x = 2; y = 2; } /* ERROR */
static void after(void) { }
#elif CASE == 3 /* a line races with a known place, which is found first, and with itself: that is not known */
atomic_int first, second;
static void known(void) { x = 1; }
static void one(void) { known(); atomic_store_explicit(&first, 1, memory_order_relaxed); }
static void wait_for(atomic_int *gate) { while (!atomic_load_explicit(gate, memory_order_relaxed)) { } }
static void both(atomic_int *gate) { wait_for(gate);
	x = 2; y = 3; } /* ERROR */
static void *run(void *unused) { both(&second); return unused; }
static void two(void)
{
	pthread_t third;
	pthread_create(&third, NULL, run, NULL);
	both(&first);
	atomic_store_explicit(&second, 1, memory_order_relaxed);
	pthread_join(third, NULL);
}
static void after(void) { }
#elif CASE == 4 /* a known race orders nothing: what it publishes races */
static void known(void) { flag = 1; }
static void one(void) { data = 1; pass(); known(); } /* ERROR */
static void two(void) { if (flag) y = data; } /* ERROR */
static void after(void) { }
#elif CASE == 5 /* memcpy is a step of its own */
static void known(void) { struct pair new = { 1, 1 }; memcpy(&pair, &new, sizeof new); }
static void one(void) { known(); }
static void two(void) { int a = pair.a; int b = pair.b; assert(a == b); } /* ERROR */
static void after(void) { }
#elif CASE == 6 /* a comment on the line of the one */
static void one(void) { x = 1; } // bitspin: ignore data-race
static void two(void) { x = 2; }
static void after(void) { assert(x == 1 || x == 2); }
#elif CASE == 7 /* a comment on a line that has no part in it */
static void one(void) { x = 1; } /* ERROR */
static void two(void) { y = 2; /* bitspin: ignore data-race */
	x = 2; } /* ERROR */
static void after(void) { }
#elif CASE == 8 /* a function of the library that reads in one step what another writes in two */
static void known(void) { text[0] = 'a'; text[1] = 'b'; }
static void one(void) { known(); }
static void two(void) { assert(strlen(text) != 1); } /* ERROR */
static void after(void) { }
#elif CASE == 9 /* reads and writes of a flag, in a loop */
static void known(void) { while (!flag) { } }
static void one(void) { flag = 1; }
static void two(void) { known(); }
static void after(void) { assert(flag); }
#elif CASE == 10 /* Dekker's idea fails where the first accesses are in the wrong order */
static void known(void) { x = 1; if (!y) data++; }
static void one(void) { known(); }
static void two(void) { if (!x) data--; y = 1; }
static void after(void) { assert(data == 0 || data == 1 || data == -1); assert(data != 0 || !x || !y); } /* ERROR */
#elif CASE == 11 /* freed while another reads */
static void known(void) { int *p = shared; if (p) data = *p; } /* ERROR */
static void one(void) { known(); }
static void two(void) { shared = malloc(sizeof *shared); *shared = 1; free(shared); }
static void after(void) { }
#elif CASE == 12 /* three threads on one line */
static void known(void) { x++; }
static void *run(void *unused) { known(); return unused; }
static void one(void) { known(); }
static void two(void) { pthread_t third; pthread_create(&third, NULL, run, NULL); known(); pthread_join(third, NULL); }
static void after(void) { assert(x != 1); } /* ERROR */
#elif CASE == 13 /* an access that is known to race with one place races with a new one */
static void known(void) { x = 1; }
static void one(void) { known(); }
static void two(void) { x = 2; } /* ERROR */
static void after(void) { }
static void *late(void *unused) { x = 3; return unused; } /* ERROR */
#define LATE
#elif CASE == 14 /* a write that races, behind one by the same thread that may */
static void known(void) { x = 1; }
static void known_flag(int n) { y = n; }
static void one(void) { known(); known_flag(1); known_flag(2);
	x = 5; } /* ERROR */
static void two(void) { if (y == 1)
	x = 2; } /* ERROR */
static void after(void) { }
#endif

static void *run_one(void *unused) { one(); return unused; }

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run_one, NULL);
#ifdef LATE
	pthread_t another;
	pthread_create(&another, NULL, late, NULL);
#endif
	two(); /* ERROR */
	pthread_join(thread, NULL);
#ifdef LATE
	pthread_join(another, NULL);
#endif
	after();
	return 0;
}
