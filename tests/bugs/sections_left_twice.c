/* SPDX-License-Identifier: MIT
 *
 * An atomic function of the SV-COMP profile that ends its section itself: at its return, the depth of sections fell below 0, the
 * thread was in a section for good, and no other thread could come in between.
 *
 * RUN: check --profile svcomp
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_end(void);
static _Atomic int shared;

static void *write_it(void *unused)
{
	shared = 1;
	return unused;
}

void __VERIFIER_atomic_leave(void)
{
	__VERIFIER_atomic_end();
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_it, NULL);
	__VERIFIER_atomic_leave();
	int before = shared, after = shared;
	assert(before == after); /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
