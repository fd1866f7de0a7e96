/* SPDX-License-Identifier: MIT
 *
 * Blocks and calls where stores wait in buffers.  Store buffering, with something between the store and the load of one thread:
 *
 * FILL, COPY      a structure of the thread's own is filled, or copied
 * CALL(...)       a call that touches nothing that is shared
 * and with blocks as what is stored and read:
 *
 * ASSIGN          a structure is assigned: its members wait, too
 * LARGE, LENGTH   ... a large one, and a block of a length that is not known: they do not wait, and people are told
 * READ            a block is read while a store to it waits in another's buffer
 * MOVE            a block is moved within itself
 * TORN            a structure is assigned member by member
 * ORDER           what is stored after a structure is not seen before it
 * POINTER         pointers survive it
 *
 * RUN: check --memory tso -DFILL
 * EXPECT: violated assertion
 * RUN: check --memory tso -DCOPY
 * EXPECT: violated assertion
 * RUN: check --memory tso -DCOPY --reduction none
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=free(malloc(8))'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=sched_yield()'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=strcpy(text, "abc")'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=snprintf(text, sizeof text, "%d", 17)'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=atoi("17")'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=bitspin_any_bool()'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=usleep(1)'
 * EXPECT: violated assertion
 * RUN: check --memory tso '-DCALL=pthread_mutex_trylock(&lock)'
 * EXPECT: verified for x86-TSO, without what compilers reorder
 * RUN: check --memory tso '-DCALL=puts("printed")'
 * EXPECT: verified for x86-TSO, without what compilers reorder; no store waits beyond a call of the library or a copy of a block
 * RUN: check --memory tso -DASSIGN
 * EXPECT: violated assertion
 * RUN: check -O0 --memory tso -DLARGE
 * EXPECT: verified for x86-TSO, without what compilers reorder; no store waits beyond a call of the library or a copy of a block
 * RUN: check -O0 --memory tso -DLENGTH
 * EXPECT: verified for x86-TSO, without what compilers reorder; no store waits beyond a call of the library or a copy of a block
 * RUN: check --memory tso -DREAD=4
 * EXPECT: violated assertion
 * RUN: check --memory tso -DREAD=400
 * EXPECT: violated assertion
 * RUN: check --memory tso -DREAD=length
 * EXPECT: violated assertion
 * RUN: check --memory tso -DREAD=length --reduction none
 * EXPECT: violated assertion
 * RUN: check --memory tso -DMOVE
 * EXPECT: verified
 * RUN: check -O0 --memory tso -DTORN
 * EXPECT: violated assertion
 * RUN: check --memory tso -DORDER
 * EXPECT: verified
 * RUN: check --memory tso -DPOINTER
 * EXPECT: verified
 */
#include <assert.h>
#include <bitspin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GET(place)        atomic_load_explicit(&(place), memory_order_relaxed)
#define PUT(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)
#define FENCE()           atomic_thread_fence(memory_order_seq_cst)

struct large {
	int cells[100];
};
struct both {
	int a, b;
};
struct pointing {
	int *a;
	long b;
};

static atomic_int x, y;
static struct large block;
static struct both pair, other;
static struct pointing pointing;
static int numbers[4] = { 1, 2, 3, 4 }, length = 400, seen[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if defined ASSIGN || defined LARGE || defined LENGTH

static void put(void)
{
#if defined ASSIGN
	struct both ones = { 1, 1 };
	pair = ones;
#elif defined LARGE
	struct large ones = { { 1 } };
	block = ones;
#else
	struct large ones = { { 1 } };
	memcpy(&block, &ones, (size_t)length);
#endif
}

static void *first(void *unused)
{
	put();
	seen[0] = GET(y);
	return unused;
}

static void *second(void *unused)
{
	PUT(y, 1);
	FENCE();
	seen[1] = *(volatile int *)&pair.b + *(volatile int *)&block.cells[0];
	return unused;
}

#elif defined READ

static void *first(void *unused)
{
	block.cells[0] = 1;
	assert(GET(y) == 0); /* ERROR */
	return unused;
}

static void *second(void *unused)
{
	struct large own = { { 0 } };
	memcpy(&own, &block, READ);
	if (own.cells[0])
		PUT(y, 1);
	return unused;
}

#elif defined MOVE

static void *first(void *unused)
{
	memmove(numbers + 1, numbers, 3 * sizeof *numbers);
	assert(numbers[0] == 1 && numbers[1] == 1 && numbers[2] == 2 && numbers[3] == 3);
	return unused;
}

static void *second(void *unused)
{
	return unused;
}

#elif defined TORN || defined ORDER || defined POINTER

static void *first(void *unused)
{
	struct both ones = { 1, 2 };
	struct pointing to = { numbers, 7 };
	pair = ones;
	pointing = to;
	PUT(x, 1);
	return unused;
}

static void *second(void *unused)
{
#if defined TORN
	struct both got = pair;
	assert(got.a == 0 || got.b == 2); /* ERROR */
#elif defined ORDER
	if (GET(x))
		assert(*(volatile int *)&pair.a == 1 && *(volatile int *)&pair.b == 2);
#else
	struct pointing got = pointing;
	assert(!got.a || *got.a == 1);
#endif
	return unused;
}

#else

static void *first(void *unused)
{
	char text[20] = "";
	struct large zero, copy = { { 0 } };
	PUT(x, 1);
#if defined FILL
	memset(&zero, 0, sizeof zero);
#elif defined COPY
	zero = copy;
#else
	(void)(CALL);
#endif
	seen[0] = GET(y);
	(void)text, (void)zero, (void)copy;
	return unused;
}

static void *second(void *unused)
{
	PUT(y, 1);
	FENCE();
	seen[1] = GET(x);
	return unused;
}

#endif

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#if !defined READ && !defined MOVE && !defined TORN && !defined ORDER && !defined POINTER
	assert(seen[0] || seen[1]); /* ERROR */
#endif
	(void)other, (void)lock, (void)length;
	return 0;
}
