/* SPDX-License-Identifier: MIT
 *
 * Each outcome is a violation at a line of its own.  Of two alike messages of `x`, one is kept where main knows all that the others
 * know, as with symmetric threads.  So the outcomes of later loads had other numbers in the replay than where the story is
 * shortened, without symmetry, and two stories were those of other violations.  tests/memory.sh looks at all lines.
 *
 * RUN: check --memory c11 --all
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static atomic_int y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r1_;
static int r2_;

static void *thread1(void *unused)
{
	int r1 = 0;
	r1 = atomic_load_explicit(&x, memory_order_seq_cst);
	atomic_store_explicit(&y, 2, memory_order_seq_cst);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	r1_ = r1;
	return unused;
}

static void *thread2(void *unused)
{
	int r2 = 0;
	r2 = atomic_exchange_explicit(&x, 2, memory_order_release);
	atomic_store_explicit(&y, 1, memory_order_seq_cst);
	r2_ = r2;
	return unused;
}

static void *thread3(void *unused)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t threads[4];
	pthread_create(&threads[1], NULL, thread1, NULL);
	pthread_create(&threads[2], NULL, thread2, NULL);
	pthread_create(&threads[3], NULL, thread3, NULL);
	pthread_join(threads[1], NULL);
	pthread_join(threads[2], NULL);
	pthread_join(threads[3], NULL);
	unsigned long all = 0;
	all = all * 8 + (unsigned long)r1_;
	all = all * 8 + (unsigned long)r2_;
	all = all * 8 + (unsigned long)*(int *)&x;
	all = all * 8 + (unsigned long)*(int *)&y;
	assert(all != 17);   /* ERROR */
	assert(all != 18);   /* ERROR */
	assert(all != 145);  /* ERROR */
	assert(all != 146);  /* ERROR */
	assert(all != 1041); /* ERROR */
	assert(all != 1042); /* ERROR */
	assert(all != 1169); /* ERROR */
	assert(all != 1170); /* ERROR */
}
