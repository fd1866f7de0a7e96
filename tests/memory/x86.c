/* SPDX-License-Identifier: MIT
 *
 * What x86 does with stores that wait: store buffering shows with any order but seq_cst, also for plain and volatile variables; a
 * seq_cst fence and a locked instruction forbid it.  Stores of one thread are seen in order, and all threads see them in one order.
 *
 * RUN: check --memory tso -DBUFFERING
 * EXPECT: violated assertion
 * RUN: check --memory tso:1 -DBUFFERING
 * EXPECT: violated assertion
 * RUN: check --memory tso -DBUFFERING -DFENCE
 * EXPECT: verified
 * RUN: check --memory tso -DBUFFERING -DLOCKED
 * EXPECT: verified
 * RUN: check --memory tso -DBUFFERING -DPLAIN
 * EXPECT: violated assertion
 * RUN: check --memory sc --races ignore -DBUFFERING -DPLAIN
 * EXPECT: verified
 * RUN: check --memory tso -DPASSING
 * EXPECT: verified
 * RUN: check --memory c11 -DPASSING
 * EXPECT: violated assertion
 * RUN: check --memory tso -DWRITERS
 * EXPECT: verified
 * RUN: check --memory c11 -DWRITERS
 * EXPECT: violated assertion
 * RUN: check --memory tso -DFORWARDING
 * EXPECT: violated assertion
 * RUN: check --memory tso -DOWN
 * EXPECT: violated assertion
 * RUN: check --memory tso:8 -DOWN
 * EXPECT: violated assertion
 * RUN: check --memory tso -DSPINNING
 * EXPECT: violated assertion
 * RUN: check --memory tso:2 -DMANY
 * EXPECT: inconclusive: no violation if at most 2 stores of a thread wait
 * RUN: check --memory tso:8 -DMANY
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
typedef volatile int cell;
#define PUT(place, value) ((place) = (value))
#define GET(place)        (place)
#else
typedef atomic_int cell;
#define PUT(place, value) atomic_store_explicit(&(place), value, memory_order_relaxed)
#define GET(place)        atomic_load_explicit(&(place), memory_order_relaxed)
#endif

static cell x, y;
static int a, b, c, d;

#ifdef BUFFERING
static atomic_int unrelated[2];

static void between(int me)
{
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
#ifdef LOCKED
	atomic_fetch_add_explicit(&unrelated[me], 1, memory_order_relaxed);
#endif
	(void)unrelated[me];
}

static void *first(void *unused)
{
	PUT(x, 1);
	between(0);
	a = GET(y);
	return unused;
}

static void *second(void *unused)
{
	PUT(y, 1);
	between(1);
	b = GET(x);
	return unused;
}

static int right(void)
{
	return a == 1 || b == 1;
}
#elif defined PASSING    /* the second store is seen, and not the first */
static void *first(void *unused)
{
	PUT(x, 1);
	PUT(y, 1);
	return unused;
}

static void *second(void *unused)
{
	a = GET(y);
	b = GET(x);
	return unused;
}

static int right(void)
{
	return a == 0 || b == 1;
}
#elif defined WRITERS    /* 2+2W: both first stores are the last ones */
static void *first(void *unused)
{
	PUT(x, 1);
	PUT(y, 2);
	return unused;
}

static void *second(void *unused)
{
	PUT(y, 1);
	PUT(x, 2);
	return unused;
}

static int right(void)
{
	return !(x == 1 && y == 1);
}
#elif defined FORWARDING /* each thread reads its own store before the other does */
static void *first(void *unused)
{
	PUT(x, 1);
	a = GET(x);
	c = GET(y);
	return unused;
}

static void *second(void *unused)
{
	PUT(y, 1);
	b = GET(y);
	d = GET(x);
	return unused;
}

static int right(void)
{
	return !(a == 1 && b == 1 && c == 0 && d == 0);
}
#elif defined OWN /* a thread's own store is in memory, and another one behind it, before the thread reads */
static void *first(void *unused)
{
	PUT(x, 1);
	a = GET(x);
	PUT(y, 1);
	return unused;
}

static void *second(void *unused)
{
	PUT(x, 2);
	b = GET(y);
	return unused;
}

static int right(void)
{
	return !(a == 2 && b == 1);
}
#elif defined SPINNING   /* nobody but the load demands the store: its thread never drains before */
static void *first(void *unused)
{
	PUT(x, 1);
	while (!GET(y))
		;
	return unused;
}

static void *second(void *unused)
{
	a = GET(x);
	PUT(y, 1);
	return unused;
}

static int right(void)
{
	return a == 0;
}
#elif defined MANY       /* four stores may wait */
static cell more[4];

static void *first(void *unused)
{
	for (int i = 0; i < 4; i++)
		PUT(more[i], i);
	PUT(x, 1);
	return unused;
}

static void *second(void *unused)
{
	a = GET(x);
	b = GET(more[3]);
	return unused;
}

static int right(void)
{
	return a == 0 || b == 3;
}
#endif

int main(void)
{
	pthread_t one, other;
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&other, NULL, second, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	assert(right()); /* ERROR */
}
