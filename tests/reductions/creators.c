/* SPDX-License-Identifier: MIT
 *
 * Threads are named by who creates them, so it makes no difference who creates first.  Here it does: the names that a trial run
 * of the program has not seen, names that are used again, threads that are too many.
 *
 * Two threads each create one: their names tell who created them, not which was created first.
 * RUN: check -DSEEN -DBEFORE
 * EXPECT: verified
 * RUN: check -DSEEN -DAFTER
 * EXPECT: violated assertion
 *
 * The trial does not see the second thread that each creates.  There the names tell.
 * RUN: check -DUNSEEN -DBEFORE
 * EXPECT: violated assertion
 * RUN: check -DUNSEEN -DAFTER
 * EXPECT: violated assertion
 *
 * The second thread of a creator has the name of the first if somebody else has joined that before; or has detached it; or if it
 * was detached from the beginning, and has ended.
 * RUN: check -DJOINED -DSAME
 * EXPECT: violated assertion
 * RUN: check -DJOINED -DOTHER
 * EXPECT: violated assertion
 * RUN: check -DDETACHED_LATER -DSAME
 * EXPECT: violated assertion
 * RUN: check -DDETACHED_LATER -DOTHER
 * EXPECT: violated assertion
 * RUN: check -DDETACHED -DSAME
 * EXPECT: violated assertion
 * RUN: check -DDETACHED -DOTHER
 * EXPECT: violated assertion
 *
 * The same if the first has been joined, but held a lock that somebody else lets go of.
 * RUN: check -DDEAD -DSAME
 * EXPECT: violated assertion
 * RUN: check -DDEAD -DOTHER
 * EXPECT: violated assertion
 *
 * Where no other name is left, a thread that the trial has not seen gets the one that is kept for another.  Then there is one too
 * many, whichever comes first.
 * RUN: check -DSTOLEN --threads 5
 * EXPECT: inconclusive: more than 5 threads are alive at once, the most that the model allows
 * RUN: check -DSTOLEN -DSTOLE --threads 5
 * EXPECT: violated assertion
 * RUN: check -DSTOLEN -DSTOLE --threads 6
 * EXPECT: verified
 *
 * A thread is asked to end by its name, while another has yet to be created.  Of a race, records have the names (records.h).
 * RUN: check -DCANCELLED
 * EXPECT: verified
 * RUN: check -DCANCELLED -DBOTH
 * EXPECT: violated assertion
 * RUN: check -DRACE
 * EXPECT: violated data-race
 * RUN: check -DRACE -DORDERED
 * EXPECT: verified
 *
 * For ever: again and again, and each the next.
 * RUN: check -DFOR_EVER
 * EXPECT: verified
 * RUN: check -DCHAIN
 * EXPECT: verified
 */
#include <assert.h>
#include <bitspin.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_t names[3];
static sem_t given, never;

static void *nothing(void *p)
{
	return p;
}

/* Two threads, to the end. */
static inline void start(void *(*left)(void *), void *(*right)(void *))
{
	pthread_t ids[2];
	sem_init(&given, 0, 0);
	sem_init(&never, 0, 0);
	pthread_create(&ids[0], 0, left, (void *)0);
	pthread_create(&ids[1], 0, right, (void *)1);
	pthread_join(ids[0], 0);
	pthread_join(ids[1], 0);
}

#if defined SEEN || defined UNSEEN
static atomic_int many;

static void *creator(void *p)
{
	intptr_t i = (intptr_t)p;
	pthread_t id;
	pthread_create(&names[i], 0, nothing, 0);
#ifdef UNSEEN
	id = names[i];
	if (!bitspin_choose(0, 1)) /* the trial takes the first outcome */
		return 0;
	pthread_create(&names[i], 0, nothing, 0);
	pthread_join(id, 0);
#endif
	many++;
	return 0;
}

int main(void)
{
	start(creator, creator);
	if (many < 2)
		return 0;
#ifdef BEFORE
	assert(names[0] < names[1]); /* ERROR */
#else
	assert(names[0] > names[1]); /* ERROR */
#endif
	return 0;
}
#endif

#if defined JOINED || defined DETACHED || defined DETACHED_LATER || defined DEAD
static pthread_mutex_t robust;
static pthread_attr_t detached;

static void *child(void *p)
{
#ifdef DEAD
	pthread_mutex_lock(&robust);
#endif
	return p;
}

static void *creator(void *p)
{
#ifdef DETACHED
	pthread_create(&names[0], &detached, child, 0);
#else
	pthread_create(&names[0], 0, child, 0);
#endif
#ifdef DEAD
	pthread_join(names[0], 0);
#endif
	sem_post(&given);
	pthread_create(&names[1], 0, nothing, 0);
#ifdef SAME
	assert(pthread_equal(names[0], names[1])); /* ERROR */
#else
	assert(!pthread_equal(names[0], names[1])); /* ERROR */
#endif
	return p;
}

static void *other(void *p)
{
	sem_wait(&given);
#ifdef JOINED
	pthread_join(names[0], 0);
#elif defined DETACHED_LATER
	pthread_detach(names[0]);
#elif defined DEAD
	if (pthread_mutex_lock(&robust) == EOWNERDEAD)
		pthread_mutex_consistent(&robust);
	pthread_mutex_unlock(&robust);
#endif
	return p;
}

int main(void)
{
	pthread_mutexattr_t kind;
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &kind);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	start(creator, other);
	return 0;
}
#endif

#ifdef STOLEN
static void *creator(void *p)
{
	pthread_create(&names[0], 0, nothing, 0);
	if (bitspin_choose(0, 1)) {
		pthread_create(&names[2], 0, nothing, 0);
#ifdef STOLE
		assert(names[2] > names[0] + 1); /* ERROR */
#endif
	}
	return p;
}

static void *other(void *p)
{
	pthread_create(&names[1], 0, nothing, 0);
	return p;
}

int main(void)
{
	start(creator, other);
	return 0;
}
#endif

#ifdef CANCELLED
static void *wait(void *p)
{
	sem_wait(&never);
	return p;
}

static void *may_end(void *p)
{
	pthread_testcancel();
	return p;
}

static void *creator(void *p)
{
	void *result;
	pthread_create(&names[0], 0, wait, 0);
	sem_post(&given);
	pthread_join(names[0], &result);
	assert(result == PTHREAD_CANCELED);
	return p;
}

static void *other(void *p)
{
	void *result;
	pthread_create(&names[1], 0, may_end, 0);
	sem_wait(&given);
	pthread_cancel(names[0]);
#ifdef BOTH
	pthread_cancel(names[1]);
#endif
	pthread_join(names[1], &result);
	assert(result != PTHREAD_CANCELED); /* ERROR */
	return p;
}

int main(void)
{
	start(creator, other);
	return 0;
}
#endif

#ifdef RACE
#ifdef ORDERED
#define SEES memory_order_acquire
#define SHOWS memory_order_release
#else
#define SEES memory_order_relaxed
#define SHOWS memory_order_relaxed
#endif
static int data;
static atomic_int shown;

static void *writer(void *p)
{
	data = 1;
	atomic_store_explicit(&shown, 1, SHOWS);
	return p;
}

static void *reader(void *p)
{
	if (atomic_load_explicit(&shown, SEES))
		assert(data == 1); /* ERROR */
	return p;
}

static void *creator(void *p)
{
	pthread_t id;
	pthread_create(&id, 0, p ? writer : reader, 0);
	pthread_join(id, 0);
	return p;
}

int main(void)
{
	start(creator, creator);
	return 0;
}
#endif

#ifdef FOR_EVER
static void *creator(void *p)
{
	for (;;) {
		pthread_t id;
		pthread_create(&id, 0, nothing, p);
		pthread_join(id, 0);
	}
}

int main(void)
{
	start(creator, creator);
	return 0;
}
#endif

#ifdef CHAIN
static void *next(void *p)
{
	pthread_t id;
	pthread_join((pthread_t)p, 0);
	pthread_create(&id, 0, next, (void *)pthread_self());
	return 0;
}

static void *creator(void *p)
{
	pthread_t id;
	pthread_create(&id, 0, next, (void *)pthread_self());
	return p;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, creator, 0);
	pthread_create(&id, 0, creator, 0);
	pthread_exit(0);
}
#endif
