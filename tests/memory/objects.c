/* SPDX-License-Identifier: MIT
 *
 * Atomic variables in memory that is made, written plainly, freed and used again.  What was stored there before is no older value
 * of what is there now; and what a thread does not know to be initialised is not ordered after that.
 *
 * RUN: check --memory c11 -DNODE
 * EXPECT: verified
 * RUN: check --memory c11 -DNODE -DPUBLISH=relaxed
 * EXPECT: violated uninitialized-read
 * RUN: check --memory c11 -DNODE -DSEE=relaxed
 * EXPECT: violated uninitialized-read
 * RUN: check --memory c11:1 -DNODE -DPUBLISH=relaxed
 * EXPECT: inconclusive: no violation under sequential consistency, and weaker orders let threads read older values
 * RUN: check --memory c11 -DNODE -DZERO -DPUBLISH=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DNODE -DINIT -DPUBLISH=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DREUSE
 * EXPECT: verified
 * RUN: check --memory c11 -DREUSE -DPUBLISH=relaxed
 * EXPECT: violated uninitialized-read
 * RUN: check --memory c11 -DRELEASED
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DRELEASED -DHEAP
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DRELEASED -DFILL=release
 * EXPECT: verified
 * RUN: check --memory c11 -DSTACK
 * EXPECT: verified
 * RUN: check --memory c11 -DSTACK -DPUBLISH=relaxed
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DRECURSION
 * EXPECT: verified
 * RUN: check --memory c11 -DCLEAR
 * EXPECT: verified
 * RUN: check --memory c11 -DCLEAR -DUNJOINED
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DPLAIN
 * EXPECT: violated data-race
 * RUN: check --memory c11 -DGROW
 * EXPECT: verified
 * RUN: check --memory c11 -DASSIGN
 * EXPECT: verified
 */
#include "orders.h"
#include <stdlib.h>
#include <string.h>

#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef FILL
#define FILL relaxed
#endif
#ifndef SEE
#define SEE acquire
#endif

static atomic_int x;
static _Atomic(atomic_int *) shared;

/* keeps older values alive: it knows of nothing that comes later, and may go on at any time */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *idle(void *unused)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	return unused;
}

static void *reader(void *unused)
{
	atomic_int *node = LOAD(shared, SEE);
	if (node)
		assert(LOAD(*node, relaxed) == 7); /* ERROR */
	return unused;
}

static void *stores(void *unused)
{
	STORE(x, 1, relaxed); /* ERROR */
	STORE(x, 2, relaxed); /* ERROR */
	return unused;
}

static void *sees_zero(void *unused)
{
	assert(LOAD(x, relaxed) == 0);
	return unused;
}

#if defined NODE || defined REUSE || defined GROW
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, reader, NULL);
#ifdef ZERO
	atomic_int *node = calloc(1, sizeof *node); /* ERROR */
#else
	atomic_int *node = malloc(sizeof *node);
#endif
#if defined REUSE || defined GROW
	STORE(*node, 1, relaxed);
	STORE(*node, 2, relaxed);
#endif
#ifdef REUSE
	free(node);
	node = malloc(sizeof *node);
#endif
#ifdef INIT
	atomic_init(node, 7); /* ERROR */
#else
	STORE(*node, 7, relaxed);
#endif
#ifdef GROW
	node = realloc(node, 2 * sizeof *node);
#endif
	STORE(shared, node, PUBLISH);
	pthread_join(thread, NULL);
	free(node);
}
#elif defined RELEASED
/* What a store has released is not passed on by a later one that another thread makes, in the same memory or where it is reused. */
static int data;

static void *releases(void *node)
{
	data = 1; /* ERROR */
	STORE(*(atomic_int *)node, 1, release);
	return NULL;
}

static void *acquires(void *unused)
{
	atomic_int *node = LOAD(shared, relaxed);
	if (node && LOAD(*node, acquire) == 5)
		assert(data == 1); /* ERROR */
	return unused;
}

int main(void)
{
	pthread_t thread, other;
	pthread_create(&other, NULL, acquires, NULL);
	atomic_int *node = &x;
#ifdef HEAP
	node = malloc(sizeof *node);
#endif
	pthread_create(&thread, NULL, releases, node);
	pthread_join(thread, NULL);
#ifdef HEAP
	free(node);
	node = malloc(sizeof *node);
#endif
	STORE(*node, 5, FILL);
	STORE(shared, node, relaxed);
	pthread_join(other, NULL);
}
#elif defined STACK
static int data;

static void *set(void *flag)
{
	data++; /* ERROR */
	STORE(*(atomic_int *)flag, 1, PUBLISH);
	return NULL;
}

static void ask(void)
{
	atomic_int flag = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, set, &flag);
	while (!LOAD(flag, SEE)) {
	}
	data++; /* ERROR */
	pthread_join(thread, NULL);
}

int main(void)
{
	pthread_t sleeper;
	pthread_create(&sleeper, NULL, idle, NULL);
	ask();
	ask();
	assert(data == 4);
	pthread_join(sleeper, NULL);
}
#elif defined RECURSION
static void *add(void *number)
{
	ADD(*(atomic_int *)number, 1, relaxed);
	return NULL;
}

static void descend(int depth)
{
	atomic_int number = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, add, &number);
	if (depth)
		descend(depth - 1);
	ADD(number, 1, relaxed);
	pthread_join(thread, NULL);
	assert(LOAD(number, relaxed) == 2);
}

int main(void)
{
	descend(2);
}
#elif defined CLEAR
int main(void)
{
	pthread_t sleeper, thread;
	pthread_create(&sleeper, NULL, idle, NULL);
	pthread_create(&thread, NULL, stores, NULL);
#ifndef UNJOINED
	pthread_join(thread, NULL);
#endif
	memset(&x, 0, sizeof x); /* ERROR */
	RUN(sees_zero);
	pthread_join(sleeper, NULL);
}
#elif defined PLAIN
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, stores, NULL);
	int seen = *(volatile int *)&x; /* ERROR */
	pthread_join(thread, NULL);
	assert(seen <= 2);
}
#elif defined ASSIGN
static struct pair {
	atomic_int first;
	int second;
} one, other;

static void *change(void *unused)
{
	STORE(one.first, 1, relaxed);
	STORE(one.first, 2, relaxed);
	one.second = 3;
	return unused;
}

static void *look(void *unused)
{
	assert(LOAD(other.first, relaxed) == 2 && other.second == 3);
	return unused;
}

int main(void)
{
	pthread_t sleeper;
	pthread_create(&sleeper, NULL, idle, NULL);
	STORE(other.first, 5, relaxed);
	RUN(change);
	other = one;
	RUN(look);
	pthread_join(sleeper, NULL);
}
#endif
