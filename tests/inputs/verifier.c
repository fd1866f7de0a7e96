/* SPDX-License-Identifier: MIT
 *
 * Results of __VERIFIER_nondet_int() are any number, whatever the profile is, unless the user gives a range.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --inputs few
 * EXPECT: inconclusive: no violation found, but only a few values were tried of what __VERIFIER_nondet_int returns
 * RUN: check --search bitstate
 * EXPECT: violated data-race
 * RUN: check --preemptions 1 -DSUM
 * EXPECT: inconclusive: no violation with up to 1 preemption, with only a few values of what __VERIFIER_nondet_int returns
 * RUN: check -DSUM
 * EXPECT: violated assertion
 * RUN: check --nondet int=-5..5
 * EXPECT: verified
 * RUN: check --nondet int=12345..12345
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int shared;

static void *add(void *unused)
{
#ifdef SUM
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		shared ^= __VERIFIER_nondet_int();
		pthread_mutex_unlock(&lock);
	}
#else
	shared++;
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef SUM
	pthread_create(&thread, NULL, add, NULL);
	add(NULL);
	pthread_join(thread, NULL);
	assert(shared != 12345); /* ERROR */
	return 0;
#endif
	int n = __VERIFIER_nondet_int();
	if (n % 100 != 45 || n < 12300)
		return 0;
	pthread_create(&thread, NULL, add, NULL);
	shared++; /* ERROR */
	pthread_join(thread, NULL);
	return 0;
}
