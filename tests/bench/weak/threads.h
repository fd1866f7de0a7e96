/* SPDX-License-Identifier: MIT
 *
 * What the programs of this directory share.  With -DSTRONG, all orders are seq_cst, so that two checks tell the price of the
 * weaker ones.  Main creates N threads, which know their numbers, and joins them in turn.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef STRONG
#define RELAXED memory_order_seq_cst
#define ACQUIRE memory_order_seq_cst
#define RELEASE memory_order_seq_cst
#define ACQ_REL memory_order_seq_cst
#else
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ACQ_REL memory_order_acq_rel
#endif

#define LOAD(object, order) atomic_load_explicit(object, order)
#define STORE(object, value, order) atomic_store_explicit(object, value, order)
#define SWAP(object, value, order) atomic_exchange_explicit(object, value, order)
#define ADD(object, value, order) atomic_fetch_add_explicit(object, value, order)
#define CAS(object, expected, value, order, failure) \
	atomic_compare_exchange_strong_explicit(object, expected, value, order, failure)

static inline void run(void *(*work)(void *))
{
	pthread_t threads[N];
	for (long i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
}
