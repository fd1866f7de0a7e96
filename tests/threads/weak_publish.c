/* SPDX-License-Identifier: MIT
 *
 * Data handed over by a flag: who is ordered by what (C17 5.1.2.4).  ST is the order of the store, LD that of the load.
 *
 * RUN: check -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check
 * EXPECT: verified
 * RUN: check -DST=release -DLD=consume
 * EXPECT: verified
 * RUN: check -DST=relaxed -DLD=acquire
 * EXPECT: violated data-race
 * RUN: check -DST=release -DLD=relaxed
 * EXPECT: violated data-race
 * RUN: check -DST=relaxed -DLD=seq_cst
 * EXPECT: violated data-race
 * RUN: check -DST=seq_cst -DLD=relaxed
 * EXPECT: violated data-race
 * RUN: check -DST=relaxed -DLD=relaxed --races ignore
 * EXPECT: verified
 * RUN: check -DST=relaxed -DLD=relaxed -DUNDER_LOCK
 * EXPECT: verified
 * RUN: check -DSPIN -DST=release -DLD=relaxed
 * EXPECT: violated data-race
 * RUN: check -DSPIN -DST=release -DLD=acquire
 * EXPECT: verified
 * RUN: check -DVARIABLE_ORDER=memory_order_release
 * EXPECT: verified
 * RUN: check -DVARIABLE_ORDER=memory_order_relaxed
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef ST
#define ST seq_cst
#endif
#ifndef LD
#define LD seq_cst
#endif
#define JOIN(a, b) a##b
#define ORDER(x) JOIN(memory_order_, x)

static int data;
static atomic_int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void publish(memory_order order)
{
	atomic_store_explicit(&flag, 1, order);
}

static void *write_data(void *unused)
{
	(void)unused;
#ifdef UNDER_LOCK
	pthread_mutex_lock(&mutex);
#endif
	data = 1;
#ifdef UNDER_LOCK
	pthread_mutex_unlock(&mutex);
#endif
#ifdef VARIABLE_ORDER
	publish(VARIABLE_ORDER);
#else
	(void)publish;
	atomic_store_explicit(&flag, 1, ORDER(ST));
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int seen = 1;
	pthread_create(&thread, NULL, write_data, NULL);
#ifdef SPIN
	while (!atomic_load_explicit(&flag, ORDER(LD)))
		;
	seen = data; /* ERROR */
#else
	if (atomic_load_explicit(&flag, ORDER(LD))) {
#ifdef UNDER_LOCK
		pthread_mutex_lock(&mutex);
#endif
		seen = data; /* ERROR */
#ifdef UNDER_LOCK
		pthread_mutex_unlock(&mutex);
#endif
	}
#endif
	pthread_join(thread, NULL);
	return seen != 1;
}
