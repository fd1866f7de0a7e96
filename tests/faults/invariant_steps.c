/* SPDX-License-Identifier: MIT
 *
 * An invariant holds after every single write, inside a critical section too, whatever loops come before or after.  That of a
 * monitor holds while no thread holds its mutex: held(mutex).  The same comes out for [] of it as a formula.
 *
 * RUN: check --invariant 'a == b'
 * EXPECT: violated invariant
 * RUN: check --invariant 'a == b' -DROUNDS=6000
 * EXPECT: violated invariant
 * RUN: check --invariant 'a == b' --races ignore
 * EXPECT: violated invariant
 * RUN: check --invariant '{a == b} || held(mutex)'
 * EXPECT: verified
 * RUN: check --invariant '{a == b} || held(mutex)' -DROUNDS=6000
 * EXPECT: verified
 * RUN: check --ltl '[] ({a == b} || held(mutex))'
 * EXPECT: verified
 * RUN: check --invariant '!held(mutex) -> {a == b} && {a <= 2}'
 * EXPECT: verified
 * RUN: check --invariant '{a == b} <-> !({a > b} or {b > a})' --invariant 'a >= b' --invariant '({b >= 0} && true) || false'
 * EXPECT: verified
 * RUN: check --prop 'equal=a == b' --invariant 'equal or held(mutex)'
 * EXPECT: verified
 * RUN: check --invariant 'a - b < 1 || a - b > 1'
 * EXPECT: violated invariant
 * RUN: check --invariant '!(in(work, 1) && in(work, 2)) || {a <= 2}'
 * EXPECT: verified
 * RUN: check --invariant 'terminated -> {a == 2}' --invariant 'done(1) && done(2) -> {b == 2}'
 * EXPECT: verified
 */
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int a, b;

static void *work(void *unused)
{
	for (volatile int i = 0; i < ROUNDS; i++)
		;
	pthread_mutex_lock(&mutex);
	a++; /* ERROR */
	b++;
	pthread_mutex_unlock(&mutex);
	for (volatile int i = 0; i < ROUNDS; i++)
		;
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
