/* SPDX-License-Identifier: MIT
 *
 * A counter by compare-and-swap loses nothing; by load and store it does.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DLOSES
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
#ifdef LOSES
		counter = counter + 1;
#else
		int old = counter;
		while (!atomic_compare_exchange_weak(&counter, &old, old + 1))
			;
#endif
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	assert(counter == 4); /* ERROR */
	return 0;
}
