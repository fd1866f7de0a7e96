/* SPDX-License-Identifier: MIT
 *
 * Old code takes volatile for atomic: --races volatile reads it so, and plain accesses are checked as ever.
 *
 * RUN: check -DCASE=1
 * EXPECT: violated data-race
 * RUN: check -DCASE=1 --races volatile
 * EXPECT: violated data-race
 * RUN: check -DCASE=1 --races volatile=seq_cst
 * EXPECT: verified
 * RUN: check -DCASE=2 --races volatile
 * EXPECT: violated assertion
 * RUN: check -DCASE=2 --races volatile=seq_cst
 * EXPECT: violated assertion
 * RUN: check -DCASE=3
 * EXPECT: violated data-race
 * RUN: check -DCASE=3 --races volatile
 * EXPECT: verified
 * RUN: check -DCASE=4 --races volatile
 * EXPECT: violated data-race
 * RUN: check -DCASE=4 --races volatile=seq_cst
 * EXPECT: violated data-race
 * RUN: check -O0 -DCASE=5 --races volatile=seq_cst
 * EXPECT: violated data-race
 * RUN: check -DCASE=6 --races volatile
 * EXPECT: violated assertion
 * RUN: check -DCASE=7 --races volatile
 * EXPECT: violated data-race
 * RUN: check -DCASE=7 --races volatile=seq_cst
 * EXPECT: verified
 * RUN: check -DCASE=8 --races volatile=seq_cst
 * EXPECT: violated data-race
 * RUN: check -DCASE=9
 * EXPECT: violated data-race
 * RUN: check -DCASE=9 --races volatile
 * EXPECT: verified
 * RUN: check -DCASE=10 --races volatile --alignment ignore
 * EXPECT: violated data-race
 * RUN: check -DCASE=11
 * EXPECT: violated data-race
 * RUN: check -DCASE=11 --races volatile
 * EXPECT: verified
 * RUN: check -DCASE=12 --races volatile
 * EXPECT: verified
 * RUN: check -DCASE=13
 * EXPECT: violated data-race
 * RUN: check -DCASE=13 --races volatile
 * EXPECT: verified
 * RUN: check -DCASE=14 --races volatile
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

struct pair { int a, b; };
struct __attribute__((packed)) packed { char tag; long value; };

volatile int flag, other, turn, counter;
volatile sig_atomic_t stop;
volatile struct { unsigned low : 3, high : 5; } bits;
volatile struct pair pair;
volatile __int128 wide;
volatile struct packed loose;
volatile double real;
volatile char *volatile place;
int data, plain;

#if CASE == 1 /* a flag publishes: relaxed accesses order nothing */
static void one(void) { data = 1; flag = 1; }
static void two(void) { if (flag) assert(data == 1); } /* ERROR */
#elif CASE == 2 /* counter++ is a load and a store */
static void one(void) { counter++; }
static void two(void) { counter++; }
#elif CASE == 3 /* ACCESS_ONCE */
static void one(void) { *(volatile int *)&plain = 1; }
static void two(void) { int x = *(volatile int *)&plain; assert(x == 0 || x == 1); } /* ERROR */
#elif CASE == 4 /* one side forgets it */
static void one(void) { *(volatile int *)&plain = 1; } /* ERROR */
static void two(void) { data = plain; }
#elif CASE == 5 /* the copy of a whole structure is no one access of the machine's */
static void one(void) { pair.a = 1; } /* ERROR */
static void two(void) { struct pair copy = pair; data = copy.a; }
#elif CASE == 6 /* a bit-field is written by reading its neighbours */
static void one(void) { bits.low = 3; }
static void two(void) { bits.high = 7; }
#elif CASE == 7 /* Peterson's algorithm keeps them apart only if the order of accesses counts */
static void one(void) { flag = 1; turn = 2; while (other && turn == 2) {} data++; flag = 0; }
static void two(void) { other = 1; turn = 1; while (flag && turn == 1) {} data++; other = 0; } /* ERROR */
#elif CASE == 8 /* two accesses of the machine's */
static void one(void) { wide = 1; }
static void two(void) { data = wide != 0; } /* ERROR */
#elif CASE == 9 /* fences and relaxed accesses do order */
static void one(void) { data = 1; atomic_thread_fence(memory_order_release); flag = 1; }
static void two(void) { if (flag) { atomic_thread_fence(memory_order_acquire); assert(data == 1); } } /* ERROR */
#elif CASE == 10 /* it may lie across two lines of the cache */
static void one(void) { loose.value = 1; }
static void two(void) { data = loose.value != 0; } /* ERROR */
#elif CASE == 11 /* as in a handler of signals */
static void one(void) { stop = 1; }
static void two(void) { while (!stop) {} } /* ERROR */
#elif CASE == 12 /* a local variable is nobody else's */
static void one(void) { volatile int i = 0; while (i < 3) i++; assert(i == 3); }
static void two(void) { volatile int i = 5; i--; assert(i == 4); }
#elif CASE == 13 /* pointers and floating point */
static void one(void) { static char text[4]; real = 1.5; place = text; }
static void two(void) { volatile char *p = place; double x = real; assert((!p || real == 1.5) && (!x || x == 1.5)); } /* ERROR */
#elif CASE == 14 /* each access is a step: another thread may come in between */
static void one(void) { flag = 1; other = 1; }
static void two(void) { int x = flag; int y = other; assert(x == y); } /* ERROR */
#endif

static void *run_one(void *unused) { one(); return unused; }

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run_one, NULL);
	two();
	pthread_join(thread, NULL);
#if CASE == 2
	assert(counter == 2); /* ERROR */
#elif CASE == 6
	assert(bits.low == 3 && bits.high == 7); /* ERROR */
#endif
	return 0;
}
