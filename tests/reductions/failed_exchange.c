/* SPDX-License-Identifier: MIT
 *
 * A compare-exchange that fails, and whose result nobody needs, is no useless read: after the other thread's store it would not
 * fail.  Main does EXCHANGE while it holds the mutex, and fails if it comes before the store.  The verdicts were derived by hand.
 *
 * ALSO: --races ignore
 *
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, seq_cst, seq_cst)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, acquire)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, seq_cst, relaxed)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, relaxed, relaxed)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(weak, acq_rel, relaxed)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(weak, relaxed, relaxed)' --faults weak-cas:1
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)' -DLOOKS='(void)atomic_load(&a)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)' -DLOOKS='(void)atomic_load(&a)' -DLAST='(void)atomic_load(&a)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)' -DSTORE='atomic_fetch_add(&a, 1)'
 * EXPECT: violated assertion
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)' -DSTORE='int e = 0; atomic_compare_exchange_strong(&a, &e, 1)'
 * EXPECT: violated assertion
 *
 * Here it does not succeed in any order; or nobody looks; or what it writes is what is there:
 *
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)' -DSTORE='a = 2' -DAFTER='assert(a == 2)'
 * EXPECT: verified
 * RUN: check -DEXCHANGE='EXCHANGE_BY(strong, acquire, relaxed)' -DAFTER='assert(a < 2)'
 * EXPECT: verified
 * RUN: check -DEXCHANGE='int one = 1; atomic_compare_exchange_strong_explicit(&a, &one, 1, ORDERS)'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LOOKS
#define LOOKS
#endif
#ifndef STORE
#define STORE a = 1
#endif
#ifndef LAST
#define LAST x = 1
#endif
#ifndef AFTER
#define AFTER assert(a == 1)
#endif
#define ORDERS memory_order_relaxed, memory_order_relaxed
#define EXCHANGE_BY(kind, success, failure) \
	int one = 1; \
	atomic_compare_exchange_##kind##_explicit(&a, &one, 0, memory_order_##success, memory_order_##failure)

static atomic_int a;
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *store(void *unused)
{
	LOOKS;
	STORE;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	LAST;
	return unused;
}

static void *idle(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t other, thread;
	pthread_create(&other, 0, idle, 0);
	pthread_create(&thread, 0, store, 0);
	pthread_mutex_lock(&lock);
	{
		EXCHANGE;
	}
	pthread_mutex_unlock(&lock);
	pthread_join(other, 0);
	pthread_join(thread, 0);
	AFTER; /* ERROR */
	(void)x;
}
