/* SPDX-License-Identifier: MIT
 *
 * A thread may end in the step before, when nobody can tell (--reduction ends).  Here somebody can, in one way after the other:
 * whoever has seen what a thread does last need not find that it has ended.
 *
 * RUN: check -DTRYJOIN
 * EXPECT: violated assertion
 * RUN: check -DTIMEDJOIN
 * EXPECT: violated assertion
 * RUN: check -DTIMEDJOIN --faults timeout:0
 * EXPECT: verified
 * RUN: check -DDESTRUCTOR
 * EXPECT: violated assertion
 * RUN: check -DDESTRUCTOR_FREES
 * EXPECT: violated use-after-free
 * RUN: check -DTHREAD_LOCAL
 * EXPECT: violated use-after-free
 * RUN: check --search bfs -DTHREAD_LOCAL
 * EXPECT: violated assertion
 * RUN: check -DROBUST
 * EXPECT: violated assertion
 * RUN: check -DHELD
 * EXPECT: violated deadlock
 * RUN: check -DDETACHED
 * EXPECT: violated assertion
 * RUN: check -DDETACHED_LATER
 * EXPECT: violated assertion
 * RUN: check -DHIDDEN_RESULT
 * EXPECT: violated data-race
 * RUN: check -DGUESSED
 * EXPECT: inconclusive: thread 0 reaches heap object 1 of thread 1 by an address that was not passed to it as a pointer
 * RUN: check -DLAST_WRITE
 * EXPECT: violated data-race
 * RUN: check -DCANCELLED
 * EXPECT: verified
 * RUN: check -DJOINED
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define KEY 0x5a5a5a5a5a5a5a5aull

static atomic_int flag, alive = 1;
static atomic_uintptr_t hidden;
static _Atomic(atomic_int *) lent;
static _Thread_local atomic_int local;
static pthread_mutex_t mutex;
static pthread_key_t key;
static volatile int plain;

static void bury(void *argument)
{
	(void)argument;
	alive = 0;
}

static void *thread(void *argument)
{
	(void)argument;
#ifdef DESTRUCTOR
	pthread_setspecific(key, &key);
#elif defined DESTRUCTOR_FREES
	int *p = malloc(sizeof *p);
	*p = 1; /* ERROR */
	pthread_setspecific(key, p);
	hidden = (uintptr_t)p;
#elif defined THREAD_LOCAL
	local = 7;
	lent = &local;
#elif defined ROBUST || defined HELD
	pthread_mutex_lock(&mutex);
#elif defined HIDDEN_RESULT
	int *p = malloc(sizeof *p);
	hidden = (uintptr_t)p ^ KEY;
	*p = 1;
	return p;
#elif defined GUESSED
	int *p = malloc(sizeof *p);
	*p = 1; /* main reads it, although nobody has told it where */
	flag = 1;
	return p;
#endif
	flag = 1;
#ifdef LAST_WRITE
	plain = 1; /* ERROR */
#endif
	return (void *)1;
}

static void *next(void *argument)
{
	return argument;
}

int main(void)
{
	pthread_t id;
	pthread_attr_t attributes;
	void *result = NULL;
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_attr_init(&attributes);
	(void)next;
#ifdef ROBUST
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
#endif
	pthread_mutex_init(&mutex, &kind);
#ifdef DESTRUCTOR
	pthread_key_create(&key, bury);
#elif defined DESTRUCTOR_FREES
	pthread_key_create(&key, free); /* ERROR */
#elif defined DETACHED
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#endif
	pthread_create(&id, &attributes, thread, NULL);
#ifdef HELD
	pthread_join(id, NULL);
	pthread_mutex_lock(&mutex); /* ERROR */
#elif defined JOINED
	pthread_join(id, NULL);
	assert(flag);
#endif
#ifdef HIDDEN_RESULT
	uintptr_t h = hidden;
	if (h)
		plain = *(int *)(h ^ KEY); /* ERROR */
	pthread_join(id, &result);
	free(result);
	return 0;
#endif
	if (!flag)
		return 0;
#ifdef GUESSED
	plain = *(int *)UINT64_C(0x22aaa0000000); /* where malloc() of the first thread begins */
	pthread_join(id, &result);
	free(result);
#elif defined TRYJOIN
	assert(pthread_tryjoin_np(id, NULL) == 0); /* ERROR */
#elif defined TIMEDJOIN
	assert(pthread_timedjoin_np(id, NULL, &(struct timespec){ 0 }) == 0); /* ERROR */
#elif defined DESTRUCTOR
	assert(!alive); /* ERROR */
#elif defined DESTRUCTOR_FREES
	plain = *(int *)hidden; /* ERROR */
#elif defined THREAD_LOCAL
	assert(*lent == 0); /* ERROR */
#elif defined ROBUST
	assert(pthread_mutex_trylock(&mutex) != EBUSY); /* ERROR */
#elif defined DETACHED || defined DETACHED_LATER
#ifdef DETACHED_LATER
	pthread_detach(id);
#endif
	pthread_t other;
	pthread_create(&other, NULL, next, NULL);
	assert(other == id); /* ERROR */
#elif defined LAST_WRITE
	plain = 2; /* ERROR */
#elif defined CANCELLED
	pthread_cancel(id);
	pthread_join(id, &result);
	assert(result == (void *)1);
#endif
	(void)result;
	return 0;
}
