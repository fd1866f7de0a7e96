/* SPDX-License-Identifier: MIT
 *
 * __VERIFIER_atomic_begin and _end: what lies between is one step.
 *
 * RUN: check --races ignore
 * EXPECT: verified
 * RUN: check --races ignore -DPLAIN
 * EXPECT: violated assertion
 * RUN: check
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *work(void *unused)
{
#ifndef PLAIN
	__VERIFIER_atomic_begin();
#endif
	int old = x;
	x = old + 1;
#ifndef PLAIN
	__VERIFIER_atomic_end();
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	assert(x == 2); /* ERROR */
	return 0;
}
