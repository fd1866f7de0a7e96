/* SPDX-License-Identifier: MIT
 *
 * The order in which stores leave the buffers of several threads (memory/buffers.h): programs in which a store has to leave one
 * buffer before another one, though nobody asks for it.  Verdicts derived by hand.  All that fail do so without buffers, too
 * (--races ignore), except SIZES, TAIL, FIRST and the barriers that are none.
 *
 * CHAIN     the load of x needs the store to x of one thread, so that to y before it; and before that, the third thread's to y
 * LOADER    ... the loading thread's own to y
 * SPLIT     between two stores that a fence drains, two of another thread
 * LONG      a chain of three threads; REVERSED: with other numbers
 * LOCKED    a read-modify-write of memory of the thread's own drains the buffer; so does SWAPPED, by assembly
 * GIVEN     an address waits in a buffer: what is stored to the object afterwards waits, too; PIECES: in pieces
 * SIZES     a load that has a part of its bytes in the buffer waits for that store only, not for a later one
 * HEAD      ... for an earlier one, too
 * TAIL      a part of a store is enough for a load
 * CLEARED   a block is filled after a store of another thread, which waits; COPIED: it is copied
 * CALLED(t) a function of the library reads what waits in another's buffer; LATE: it is put there when the call is next
 * BLOCKED   a block is read that another thread writes when the copy is next
 * FIRST     a structure is copied member by member: another thread sees the first copied before the second is read
 * BYTES     64 members arrive in order; BYTES65: one more is a large block, in one piece
 * BARRIER(f) a fence in each of its forms
 * FAILS     a compare-exchange that fails is a locked instruction
 *
 * RUN: check --memory tso:8 -DCHAIN
 * EXPECT: violated assertion
 * RUN: check --memory tso:8 -DCHAIN --reduction none
 * EXPECT: violated assertion
 * RUN: check --memory tso:8 -DLOADER
 * EXPECT: violated assertion
 * RUN: check --memory tso:8 -DSPLIT
 * EXPECT: violated assertion
 * RUN: check --memory tso:8 -DLONG
 * EXPECT: violated assertion
 * RUN: check --memory tso:8 -DLONG -DREVERSED
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DLOCKED
 * EXPECT: verified
 * RUN: check -O0 --memory tso -DSWAPPED
 * EXPECT: verified
 * RUN: check -O0 --memory tso -DGIVEN
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DPIECES
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DSIZES
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DHEAD
 * EXPECT: verified
 * RUN: check -O0 --memory tso -DTAIL
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DCLEARED
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DCOPIED
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso '-DCALLED=strlen(text) == 1'
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso '-DCALLED=memcmp(text, "7", 2) == 0' -DLATE
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso '-DCALLED=atoi(text) == 7' -DLATE
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DBLOCKED
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DFIRST
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DBYTES=64
 * EXPECT: verified
 * RUN: check -O0 --memory tso -DBYTES=65
 * EXPECT: verified for x86-TSO, without what compilers reorder; no store waits beyond a call of the library or a copy of a block
 * RUN: check -O0 --memory tso '-DBARRIER=__sync_synchronize()'
 * EXPECT: verified
 * RUN: check -O0 --memory tso '-DBARRIER=__asm__ volatile("mfence" ::: "memory")'
 * EXPECT: verified
 * RUN: check -O0 --memory tso '-DBARRIER=__asm__ volatile("sfence" ::: "memory")'
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso '-DBARRIER=__asm__ volatile("" ::: "memory")'
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso '-DBARRIER=twice(2)'
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DFAILS
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static volatile int w, x, y, z;
static int a, b, c;

#if defined CHAIN

static void *first(void *unused)
{
	a = x;
	if (a) {
		w = 1;
		z = 1;
	}
	return unused;
}

static void *second(void *unused)
{
	y = 1;
	x = 1;
	b = z;
	return unused;
}

static void *third(void *unused)
{
	y = 2;
	c = w;
	return unused;
}
#define WRONG (a == 1 && b == 1 && c == 1 && y == 1)

#elif defined LOADER

static void *first(void *unused)
{
	y = 2;
	a = x;
	z = 1;
	return unused;
}

static void *second(void *unused)
{
	y = 1;
	x = 1;
	b = z;
	return unused;
}
#define WRONG (a == 1 && b == 1 && y == 1)

#elif defined SPLIT

static void *first(void *unused)
{
	x = 1;
	y = 1;
	__sync_synchronize();
	z = 1;
	return unused;
}

static void *second(void *unused)
{
	x = 2;
	y = 2;
	b = z;
	return unused;
}
#define WRONG (b == 1 && x == 2 && y == 1)

#elif defined LONG

static void *first(void *unused)
{
	w = 1;
	x = 1;
	a = z;
	return unused;
}

static void *second(void *unused)
{
	y = 2;
	w = 2;
	b = z;
	return unused;
}

static void *third(void *unused)
{
	y = 1;
	c = x;
	z = 1;
	return unused;
}
#define WRONG (a == 1 && b == 1 && c == 1 && w == 1 && y == 2)

#elif defined LOCKED || defined SWAPPED || defined BARRIER || defined FAILS

static int twice(int n)
{
	return 2 * n;
}

static void between(void)
{
#if defined LOCKED
	atomic_int own = 0;
	atomic_fetch_add_explicit(&own, 1, memory_order_relaxed);
#elif defined SWAPPED
	int own = 0, value = 1;
	__asm__ volatile("xchgl %0,%1" : "+r"(value), "+m"(own)::"memory");
#elif defined FAILS
	static atomic_int never;
	int expected = 5;
	atomic_compare_exchange_strong_explicit(&never, &expected, 1, memory_order_relaxed, memory_order_relaxed);
#else
	BARRIER;
#endif
}

static void *first(void *unused)
{
	x = 1;
	between();
	a = y;
	return unused;
}

static void *second(void *unused)
{
	y = 1;
	__sync_synchronize();
	b = x;
	(void)twice(1);
	return unused;
}
#define WRONG (a == 0 && b == 0)

#elif defined GIVEN || defined PIECES

struct __attribute__((packed)) packed {
	volatile int *pointer;
};
static volatile int *volatile given;
static struct packed pieces;

static void *first(void *unused)
{
	volatile int *own = malloc(sizeof *own);
	*own = 1;
#if defined GIVEN
	given = own;
#else
	struct packed from = { own };
	pieces = from;
	x = 1;
#endif
	*own = 2;
	return unused;
}

static void *second(void *unused)
{
#if defined GIVEN
	volatile int *there = given;
#else
	struct packed got = { NULL };
	if (x)
		got = pieces;
	volatile int *there = got.pointer;
#endif
	a = there ? *there : 2;
	return unused;
}
#define WRONG (a == 1)

#elif defined SIZES || defined HEAD || defined TAIL

static union {
	volatile short half[2];
	volatile int whole;
} u;

static void *first(void *unused)
{
#if defined SIZES
	u.half[0] = 1;
	x = 1;
	a = u.whole;
#elif defined HEAD
	x = 1;
	u.half[0] = 1;
	a = u.whole;
#else
	x = 1;
	u.whole = 1;
	a = u.half[1];
#endif
	b = y;
	return unused;
}

static void *second(void *unused)
{
	y = 1;
	__sync_synchronize();
	c = x;
	return unused;
}
#define WRONG (b == 0 && c == 0)

#elif defined CLEARED || defined COPIED || defined BLOCKED

static struct {
	int cells[100];
} block, zero;
static volatile int length = sizeof block;

static void *first(void *unused)
{
#if defined CLEARED
	memset(&block, 0, (size_t)length);
#elif defined COPIED
	block = zero;
#else
	x = 1;
	memcpy(&zero, &block, (size_t)length);
	if (*(volatile int *)&zero.cells[3] != 5)
		return unused;
#endif
	z = 1;
	return unused;
}

static void *second(void *unused)
{
#if defined BLOCKED
	if (!x)
		return unused;
#endif
	*(volatile int *)&block.cells[3] = 5;
	b = z;
	return unused;
}
#if defined BLOCKED
#define WRONG (b == 1)
#else
#define WRONG (b == 1 && block.cells[3] == 0)
#endif

#elif defined CALLED

static char text[4];

static void *first(void *unused)
{
	x = 1;
	if (CALLED)
		z = 1;
	return unused;
}

static void *second(void *unused)
{
#if defined LATE
	if (!x)
		return unused;
#endif
	*(volatile char *)text = '7';
	b = z;
	return unused;
}
#define WRONG (b == 1)

#elif defined FIRST

struct both {
	int a, b;
};
static struct both from = { 1, 0 }, to;

static void *first(void *unused)
{
	to = from;
	return unused;
}

static void *second(void *unused)
{
	if (*(volatile int *)&to.a == 1)
		*(volatile int *)&from.b = 5;
	return unused;
}
#define WRONG (to.b == 5)

#elif defined BYTES

struct bytes {
	char c[BYTES];
};
static struct bytes there;

static void *first(void *unused)
{
	struct bytes ones;
	memset(&ones, 1, sizeof ones);
	there = ones;
	return unused;
}

static void *second(void *unused)
{
	a = *(volatile char *)&there.c[BYTES - 1];
	b = *(volatile char *)&there.c[0];
	return unused;
}
#define WRONG (a == 1 && b == 0)

#endif

int main(void)
{
	pthread_t threads[3];
#if defined REVERSED
	pthread_create(&threads[2], NULL, third, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_create(&threads[0], NULL, first, NULL);
#else
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
#endif
#if defined CHAIN || defined LONG
#if !defined REVERSED
	pthread_create(&threads[2], NULL, third, NULL);
#endif
	pthread_join(threads[2], NULL);
#endif
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	assert(!WRONG); /* ERROR */
	return 0;
}
