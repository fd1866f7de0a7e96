/* SPDX-License-Identifier: MIT
 *
 * Memory that one thread sets up and another finds through an atomic pointer; and that is freed when nobody uses it any more.
 *
 * RUN: check -DSET=release
 * EXPECT: verified
 * RUN: check -DSET=relaxed
 * EXPECT: violated data-race
 * RUN: check -DSET=relaxed -DCALLOC
 * EXPECT: violated data-race
 * RUN: check -DSET=release -DCALLOC
 * EXPECT: verified
 * RUN: check -DSET=relaxed -DNOT_SET
 * EXPECT: verified
 * RUN: check -DSET=relaxed -DATOMIC_FIELD
 * EXPECT: verified
 * RUN: check -DSET=relaxed -DATOMIC_FIELD -DATOMIC_INIT
 * EXPECT: violated data-race
 * RUN: check -DSET=release -DATOMIC_FIELD -DATOMIC_INIT
 * EXPECT: verified
 * RUN: check -DSET=relaxed -DLOCAL
 * EXPECT: violated data-race
 * RUN: check -DSET=release -DLOCAL
 * EXPECT: verified
 * RUN: check -DSET=relaxed -DTHREAD_LOCAL
 * EXPECT: violated data-race
 * RUN: check -DSET=relaxed -DREADY
 * EXPECT: verified
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define JOIN(a, b) a##b
#define ORDER(x) JOIN(memory_order_, x)

struct node {
	int value;
	atomic_int count;
};

static _Atomic(struct node *) shared;
static atomic_int ready;
static _Thread_local struct node own;

static void *set_up(void *unused)
{
	(void)unused;
#ifdef CALLOC
	struct node *node = calloc(1, sizeof *node);
#elif defined LOCAL
	struct node local, *node = &local;
#elif defined THREAD_LOCAL
	struct node *node = &own;
#else
	struct node *node = malloc(sizeof *node);
#endif
#ifdef ATOMIC_FIELD
#ifdef ATOMIC_INIT
	atomic_init(&node->count, 1);
#else
	atomic_store_explicit(&node->count, 1, memory_order_relaxed);
#endif
#elif !defined CALLOC && !defined NOT_SET
	node->value = 1;
#endif
	atomic_store_explicit(&shared, node, ORDER(SET));
#ifdef READY
	atomic_store_explicit(&ready, 1, memory_order_release);
#endif
#if defined LOCAL || defined THREAD_LOCAL
	for (;;) /* the variable lives */
		sched_yield();
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, set_up, NULL);
#ifdef READY
	if (!atomic_load_explicit(&ready, memory_order_acquire))
		return 0;
	struct node *node = atomic_load_explicit(&shared, memory_order_relaxed);
#else
	(void)ready;
	struct node *node = atomic_load_explicit(&shared, memory_order_acquire);
#endif
	(void)own;
	if (!node)
		return 0;
#ifdef ATOMIC_FIELD
	atomic_fetch_add_explicit(&node->count, 1, memory_order_relaxed); /* ERROR */
#elif defined NOT_SET
	node->value = 2;
#else
	node->value++; /* ERROR */
#endif
	return 0;
}
