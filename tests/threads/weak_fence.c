/* SPDX-License-Identifier: MIT
 *
 * Fences make relaxed accesses order: a release fence before the store, an acquire fence after the load.
 *
 * RUN: check -DRELEASE=release -DACQUIRE=acquire
 * EXPECT: verified
 * RUN: check -DRELEASE=seq_cst -DACQUIRE=acq_rel
 * EXPECT: verified
 * RUN: check -DRELEASE=release
 * EXPECT: violated data-race
 * RUN: check -DACQUIRE=acquire
 * EXPECT: violated data-race
 * RUN: check -DRELEASE=acquire -DACQUIRE=release
 * EXPECT: violated data-race
 * RUN: check -DRELEASE=release -DACQUIRE=acquire -DTOO_LATE
 * EXPECT: violated data-race
 * RUN: check -DRELEASE=release -DACQUIRE=acquire -DTOO_EARLY
 * EXPECT: violated data-race
 * RUN: check -DSIGNAL
 * EXPECT: violated data-race
 * RUN: check -DRELEASE=release -DACQUIRE=acquire -DHEAP
 * EXPECT: verified
 * RUN: check -DACQUIRE=acquire -DHEAP
 * EXPECT: violated data-race
 * RUN: check -DASSEMBLY
 * EXPECT: verified
 * RUN: check -DRELEASE=release -DACQUIRE=acquire -DOTHER_LOCATION
 * EXPECT: violated data-race
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define JOIN(a, b) a##b
#define ORDER(x) JOIN(memory_order_, x)

static int data;
static atomic_int flag, other;
static _Atomic(int *) pointer;

static void release_fence(void)
{
#ifdef RELEASE
	atomic_thread_fence(ORDER(RELEASE));
#elif defined SIGNAL
	atomic_signal_fence(memory_order_seq_cst);
#elif defined ASSEMBLY
	__asm__ volatile("mfence" ::: "memory");
#endif
}

static void acquire_fence(void)
{
#ifdef ACQUIRE
	atomic_thread_fence(ORDER(ACQUIRE));
#elif defined SIGNAL
	atomic_signal_fence(memory_order_seq_cst);
#elif defined ASSEMBLY
	__asm__ volatile("mfence" ::: "memory");
#endif
}

static void *write_data(void *unused)
{
	(void)unused;
#ifdef HEAP
	int *new = malloc(sizeof *new);
	*new = 1;
	release_fence();
	atomic_store_explicit(&pointer, new, memory_order_relaxed);
#else
#ifdef TOO_LATE
	release_fence();
	data = 1;
#else
	data = 1;
	release_fence();
#endif
#ifdef OTHER_LOCATION
	atomic_store_explicit(&other, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 0, memory_order_relaxed);
	atomic_fetch_add_explicit(&flag, 0, memory_order_relaxed);
#else
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int seen = 1;
	pthread_create(&thread, NULL, write_data, NULL);
#ifdef HEAP
	int *found = atomic_load_explicit(&pointer, memory_order_relaxed);
	acquire_fence();
	if (found)
		seen = *found; /* ERROR */
#else
#ifdef TOO_EARLY
	acquire_fence();
#endif
#ifdef OTHER_LOCATION
	acquire_fence();
	if (atomic_load_explicit(&other, memory_order_relaxed)) {
#else
	if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#endif
#if !defined TOO_EARLY && !defined OTHER_LOCATION
		acquire_fence();
#endif
		seen = data; /* ERROR */
	}
#endif
	return seen != 1;
}
