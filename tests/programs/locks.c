/* SPDX-License-Identifier: MIT
 *
 * Locks of the literature: Dekker, Peterson's filter, Lamport's bakery, Burns and Lynch's one bit, ticket, Anderson's array,
 * MCS, CLH; each keeps two threads or three from being inside at once, and hands over what is written inside.
 *
 * RUN: check -DDEKKER
 * EXPECT: verified
 * RUN: check -DDEKKER -DBUG
 * EXPECT: violated assertion
 * RUN: check -DFILTER -DTHREADS=3
 * EXPECT: verified
 * RUN: check -DFILTER -DTHREADS=3 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DBAKERY
 * EXPECT: verified
 * RUN: check -DBAKERY -DBUG
 * EXPECT: violated assertion
 * RUN: check -DONE_BIT -DTHREADS=3 -DROUNDS=1
 * EXPECT: verified
 * RUN: check -DONE_BIT -DBUG
 * EXPECT: violated assertion
 * RUN: check -DANDERSON -DTHREADS=3
 * EXPECT: verified
 * RUN: check -DANDERSON -DTHREADS=3 -DBUG
 * EXPECT: violated assertion
 * RUN: check -DMCS -DTHREADS=3
 * EXPECT: verified
 * RUN: check -DMCS -DBUG --property termination
 * EXPECT: violated ltl
 * RUN: check -DCLH -DTHREADS=3
 * EXPECT: verified
 * RUN: check -DCLH -DBUG --property termination
 * EXPECT: violated ltl
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

#if defined DEKKER
static atomic_bool wants[2];
static atomic_int turn;

static void lock(int me)
{
	wants[me] = true;
#ifdef BUG
	while (wants[!me] && turn != me)
		;
#else
	while (wants[!me]) {
		if (turn == me)
			continue;
		wants[me] = false;
		while (turn != me)
			;
		wants[me] = true;
	}
#endif
}

static void unlock(int me)
{
	turn = !me;
	wants[me] = false;
}
#elif defined FILTER
static atomic_int level[THREADS], last[THREADS];

static bool others_at(int me, int l)
{
	for (int i = 0; i < THREADS; i++)
		if (i != me && level[i] >= l)
			return true;
	return false;
}

static void lock(int me)
{
#ifdef BUG
	int levels = 1; /* the lock for two */
#else
	int levels = THREADS - 1;
#endif
	for (int l = 1; l <= levels; l++) {
		level[me] = l;
		last[l] = me;
		while (last[l] == me && others_at(me, l))
			;
	}
}

static void unlock(int me)
{
	level[me] = 0;
}
#elif defined BAKERY
static atomic_bool choosing[THREADS];
static atomic_int number[THREADS];

static void lock(int me)
{
	int highest = 0;
#ifndef BUG
	choosing[me] = true;
#endif
	for (int i = 0; i < THREADS; i++) {
		int n = number[i];
		if (n > highest)
			highest = n;
	}
	number[me] = highest + 1;
	choosing[me] = false;
	for (int i = 0; i < THREADS; i++) {
		while (choosing[i])
			;
		for (;;) {
			int n = number[i];
			if (n == 0 || n > highest + 1 || (n == highest + 1 && i >= me))
				break;
		}
	}
}

static void unlock(int me)
{
	number[me] = 0;
}
#elif defined ONE_BIT
static atomic_bool flag[THREADS];

static bool raised(int from, int to)
{
	for (int i = from; i < to; i++)
		if (flag[i])
			return true;
	return false;
}

static void lock(int me)
{
	do {
		flag[me] = false;
		while (raised(0, me))
			;
		flag[me] = true;
	} while (raised(0, me));
#ifndef BUG
	while (raised(me + 1, THREADS))
		;
#endif
}

static void unlock(int me)
{
	flag[me] = false;
}
#elif defined ANDERSON
#ifdef BUG
#define PLACES (THREADS - 1)
#else
#define PLACES THREADS
#endif
static atomic_bool may_enter[PLACES] = { true };
static atomic_uint tail;
static unsigned place[THREADS];

static void lock(int me)
{
	place[me] = atomic_fetch_add(&tail, 1) % PLACES;
	while (!may_enter[place[me]])
		;
}

static void unlock(int me)
{
	may_enter[place[me]] = false;
	may_enter[(place[me] + 1) % PLACES] = true;
}
#elif defined MCS
struct waiter {
	struct waiter *_Atomic next;
	atomic_bool waits;
};
static struct waiter *_Atomic tail;
static struct waiter waiter[THREADS];

static void lock(int me)
{
	waiter[me].next = NULL;
	waiter[me].waits = true;
	struct waiter *before = atomic_exchange(&tail, &waiter[me]);
	if (!before)
		return;
	before->next = &waiter[me];
	while (waiter[me].waits)
		;
}

static void unlock(int me)
{
	struct waiter *self = &waiter[me];
	if (!self->next) {
#ifdef BUG
		tail = NULL; /* somebody may have come */
		return;
#else
		struct waiter *expected = self;
		if (atomic_compare_exchange_strong(&tail, &expected, NULL))
			return;
		while (!self->next)
			;
#endif
	}
	self->next->waits = false;
}
#elif defined CLH
struct waiter {
	atomic_bool waits;
};
static struct waiter waiters[THREADS + 1];
static struct waiter *_Atomic tail = &waiters[THREADS];
static struct waiter *own[THREADS], *before[THREADS];

static void lock(int me)
{
	if (!own[me])
		own[me] = &waiters[me];
	own[me]->waits = true;
	before[me] = atomic_exchange(&tail, own[me]);
	while (before[me]->waits)
		;
}

static void unlock(int me)
{
	struct waiter *released = own[me];
#ifndef BUG
	own[me] = before[me]; /* whoever comes next still looks at ours */
#endif
	released->waits = false;
}
#endif

static int counter;
static atomic_int inside;

static void *work(void *argument)
{
	int me = (int)(long)argument;
	for (int i = 0; i < ROUNDS; i++) {
		lock(me);
		assert(inside++ == 0); /* ERROR */
		counter++;
		inside--;
		unlock(me);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert(counter == THREADS * ROUNDS);
	return 0;
}
