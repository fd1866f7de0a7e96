/* SPDX-License-Identifier: MIT
 *
 * held(LVALUE): some thread holds the mutex, read-write lock or spin lock; through pointers and fields too.
 *
 * RUN: check --ltl '<> held(mutex)' --ltl '<> held(lock)' --ltl '<> held(spin)' --ltl '<> held(box[1].mutex)' --ltl '<> held(old)'
 * EXPECT: verified
 * RUN: check --ltl '[] !held(box[0].mutex)' --ltl '<> [] !(held(mutex) || held(lock) || held(spin) || held(old))'
 * EXPECT: verified
 * RUN: check --ltl '<> held(pointer->mutex)' --ltl '[] (held(pointer->mutex) <-> held(box[1].mutex))'
 * EXPECT: verified
 * RUN: check --invariant '!held(mutex)'
 * EXPECT: violated invariant
 * RUN: check --invariant '!held(lock)'
 * EXPECT: violated invariant
 * RUN: check --invariant '!held(lock) || {reads}'
 * EXPECT: violated invariant
 * RUN: check --invariant '!held(spin)'
 * EXPECT: violated invariant
 * RUN: check --invariant '!held(old)'
 * EXPECT: violated invariant
 * RUN: check --invariant '!held(*(&box[1].mutex))'
 * EXPECT: violated invariant
 * RUN: check --invariant '!held(box[0].mutex)' --invariant '{held()} && true' --invariant 'held() == 1'
 * EXPECT: verified
 * RUN: check --ltl '[] held()'
 * EXPECT: verified
 */
#include <pthread.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t old;
static struct { int value; pthread_mutex_t mutex; } box[2] = { { 0, PTHREAD_MUTEX_INITIALIZER }, { 0, PTHREAD_MUTEX_INITIALIZER } },
	*pointer = &box[1];
static volatile int reads;

int held(void)
{
	return 1;
}

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex); /* ERROR */
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_wrlock(&lock); /* ERROR */
	pthread_rwlock_unlock(&lock);
	reads = 1;
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	reads = 0;
	pthread_spin_lock(&spin); /* ERROR */
	pthread_spin_unlock(&spin);
	mtx_lock(&old); /* ERROR */
	mtx_unlock(&old);
	pthread_mutex_lock(&pointer->mutex); /* ERROR */
	pthread_mutex_unlock(&pointer->mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_spin_init(&spin, 0);
	mtx_init(&old, mtx_plain);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return held() - 1;
}
