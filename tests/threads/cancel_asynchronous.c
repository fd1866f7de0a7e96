/* SPDX-License-Identifier: MIT
 *
 * Asynchronous cancellation: a request ends its target anywhere, between any two writes, in a loop that does nothing, and in any
 * wait.  What the target has done by then stays.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DBETWEEN
 * EXPECT: violated assertion
 * RUN: check -DBETWEEN -DDEFERRED
 * EXPECT: verified
 * RUN: check -DBETWEEN -DDISABLED
 * EXPECT: verified
 * RUN: check -DBETWEEN -DPOSTED
 * EXPECT: violated assertion
 * RUN: check -DBETWEEN -DNEVER
 * EXPECT: verified
 * RUN: check -DORDER -DPOSTED
 * EXPECT: verified
 * RUN: check -DORDER -DALL
 * EXPECT: violated assertion
 * RUN: check -DSPIN
 * EXPECT: verified
 * RUN: check -DSPIN -DDEFERRED
 * EXPECT: violated deadlock
 * RUN: check -DSPIN -DNEVER
 * EXPECT: violated deadlock
 * RUN: check -DHOLD
 * EXPECT: violated deadlock
 * RUN: check -DHOLD -DDISABLED
 * EXPECT: verified
 * RUN: check -DWAIT
 * EXPECT: verified
 * RUN: check -DWAIT -DDEFERRED
 * EXPECT: violated deadlock
 * RUN: check -DWAIT --deadlock circular
 * EXPECT: verified
 * RUN: check -DCLEAN
 * EXPECT: verified
 * RUN: check -O0 -DCLEAN -DALL
 * EXPECT: violated assertion
 * RUN: check -O0 -DHEAP --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DHEAP -DDEFERRED --leaks
 * EXPECT: verified
 * RUN: check -O0 -DHEAP -DCLEANED --leaks
 * EXPECT: violated memory-leak
 * RUN: check -DLATE
 * EXPECT: verified
 * RUN: check -DITSELF
 * EXPECT: verified
 * RUN: check -DDEFERRING
 * EXPECT: verified
 * RUN: check -DBARRIER
 * EXPECT: inconclusive: a thread is cancelled while it waits at a barrier
 * RUN: check -DBETWEEN --interrupts all
 * EXPECT: violated assertion
 * RUN: check -DCLEAN --interrupts all
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef DEFERRED
#define TYPE PTHREAD_CANCEL_DEFERRED
#else
#define TYPE PTHREAD_CANCEL_ASYNCHRONOUS
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t posted;
static atomic_int go;
static int a, b;

static void begin(void)
{
	int old;
	assert(pthread_setcanceltype(TYPE, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
#ifdef DISABLED
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
#endif
#ifdef POSTED
	sem_post(&posted);
#endif
}

static void clean(void *at)
{
	int *local = at;
	b = *local;
}

static void unlock(void *at)
{
	pthread_mutex_unlock(at);
}

static void *writer(void *unused)
{
	begin();
	a = 1;
	b = 1;
	return unused;
}

static void *spinner(void *unused)
{
	begin();
	while (!atomic_load(&go)) /* ERROR */
		;
	return unused;
}

/* Only what comes between the two calls can leave the mutex locked. */
static void *holder(void *unused)
{
	begin();
	pthread_mutex_lock(&mutex);
	a++;
	pthread_mutex_unlock(&mutex); /* ERROR */
	return unused;
}

/* The local variable is used by nobody else, and lives in memory only until the handler has run. */
static void *cleaner(void *unused)
{
	int local = 1;
	pthread_cleanup_push(clean, &local);
	begin();
	local = 2;
	a = 1;
	local = 3;
	pthread_cleanup_pop(0);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return (void *)5;
}

static void *allocator(void *unused)
{
	begin();
	char *p = malloc(1); /* ERROR */
#ifdef CLEANED
	pthread_cleanup_push(free, p); /* too late for some requests */
	a = 1;
	pthread_cleanup_pop(1);
#else
	free(p);
#endif
	return unused;
}

/* The request has come before. */
static void *late(void *unused)
{
	sem_wait(&posted);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	a = 1;
	begin();
	b = 1;
	return unused;
}

static void *itself(void *unused)
{
	begin();
	a = 1;
	pthread_cancel(pthread_self());
	b = 1;
	return unused;
}

/* pthread_cleanup_push_defer_np() makes the type the deferred one, until the pop. */
static void *deferring(void *unused)
{
	begin();
	pthread_cleanup_push_defer_np(unlock, &mutex);
	pthread_mutex_lock(&mutex);
	a = 1;
	b = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cleanup_pop_restore_np(0);
	int old;
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
	assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
	return unused;
}

static void *arriver(void *unused)
{
	begin();
	pthread_barrier_wait(&barrier);
	return unused;
}

#if defined SPIN
#define RUN spinner
#elif defined HOLD || defined WAIT
#define RUN holder
#elif defined CLEAN
#define RUN cleaner
#elif defined HEAP
#define RUN allocator
#elif defined LATE
#define RUN late
#elif defined ITSELF
#define RUN itself
#elif defined DEFERRING
#define RUN deferring
#elif defined BARRIER
#define RUN arriver
#else
#define RUN writer
#endif

int main(void)
{
	void *(*const all[])(void *) = { writer, spinner, holder, cleaner, allocator, late, itself, deferring, arriver };
	pthread_t thread;
	void *result = NULL;
	sem_init(&posted, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
#ifdef WAIT
	pthread_mutex_lock(&mutex);
#endif
	pthread_create(&thread, NULL, RUN, NULL);
#ifdef POSTED
	sem_wait(&posted);
#endif
#if !defined NEVER && !defined ITSELF
	pthread_cancel(thread);
#endif
#ifdef LATE
	sem_post(&posted);
#endif
	pthread_join(thread, &result); /* ERROR */
#if defined BETWEEN
	assert(a == b); /* ERROR */
#elif defined ORDER
	assert(a >= b);
#ifdef ALL
	assert(a + b != 1); /* ERROR */
#endif
#elif defined HOLD
	pthread_mutex_lock(&mutex); /* ERROR */
#elif defined WAIT
	assert(result == PTHREAD_CANCELED && a == 0);
	pthread_mutex_unlock(&mutex);
#elif defined CLEAN
	if (result == PTHREAD_CANCELED)
		assert(b == 1 || b == 2 || a == 1); /* the handler has not run if the request came behind the pop */
#ifdef ALL
	assert(b != 2 || a != 1);                   /* ERROR */
#endif
#elif defined LATE
	assert(result == PTHREAD_CANCELED && b == 0);
#elif defined ITSELF
	assert(result == PTHREAD_CANCELED && a == 1 && b == 0);
#elif defined DEFERRING
	assert(a == b);
	pthread_mutex_lock(&mutex); /* it is free */
#elif defined SPIN
	assert(result == PTHREAD_CANCELED);
#endif
	return all[0] == NULL;
}
