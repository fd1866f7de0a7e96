/* SPDX-License-Identifier: MIT
 *
 * Atomic accesses whose memory orders are given by macros, without the prefix memory_order_.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define JOINED(a, b)        a##b
#define ORDER_OF(o)         JOINED(memory_order_, o)
#define STORE(at, value, o) atomic_store_explicit(&(at), value, ORDER_OF(o))
#define LOAD(at, o)         atomic_load_explicit(&(at), ORDER_OF(o))
#define ADD(at, value, o)   atomic_fetch_add_explicit(&(at), value, ORDER_OF(o))
#define SWAP(at, value, o)  atomic_exchange_explicit(&(at), value, ORDER_OF(o))
#define FENCE(o)            atomic_thread_fence(ORDER_OF(o))

/* Where `at` is `*old`, make it `new`; else `*old` becomes what it is. */
#define TRY(at, old, new, o, failing) atomic_compare_exchange_strong_explicit(&(at), old, new, ORDER_OF(o), ORDER_OF(failing))
#define CAS(at, old, new, o, failing) TRY(at, &(int){ old }, new, o, failing)

/* Start `count` threads and wait for their ends. */
static inline void run(void *(*const threads[])(void *), unsigned count)
{
	pthread_t ids[4];
	for (unsigned i = 0; i < count; i++)
		pthread_create(&ids[i], NULL, threads[i], (void *)(size_t)i);
	for (unsigned i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

#define RUN(...) \
	do { \
		void *(*const threads[])(void *) = { __VA_ARGS__ }; \
		run(threads, sizeof threads / sizeof *threads); \
	} while (0)
