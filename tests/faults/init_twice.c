/* SPDX-License-Identifier: MIT
 *
 * What was initialised by a call is initialised by another.
 *
 * RUN: check -DMUTEX
 * EXPECT: violated mutex-misuse
 * RUN: check -DMUTEX -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DCONDITION
 * EXPECT: violated mutex-misuse
 * RUN: check -DCONDITION -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DRWLOCK
 * EXPECT: violated mutex-misuse
 * RUN: check -DRWLOCK -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DBARRIER
 * EXPECT: violated mutex-misuse
 * RUN: check -DBARRIER -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DSPIN
 * EXPECT: violated mutex-misuse
 * RUN: check -DSPIN -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DSEMAPHORE
 * EXPECT: violated mutex-misuse
 * RUN: check -DSEMAPHORE -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DMTX
 * EXPECT: violated mutex-misuse
 * RUN: check -DMTX -DUSED
 * EXPECT: violated mutex-misuse
 * RUN: check -DCND
 * EXPECT: violated mutex-misuse
 * RUN: check -DCND -DUSED
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#if defined MUTEX
typedef pthread_mutex_t type;
#define INIT(o) pthread_mutex_init(o, NULL)
#define USE(o) (pthread_mutex_lock(o), pthread_mutex_unlock(o))
#elif defined CONDITION
typedef pthread_cond_t type;
#define INIT(o) pthread_cond_init(o, NULL)
#define USE(o) pthread_cond_signal(o)
#elif defined RWLOCK
typedef pthread_rwlock_t type;
#define INIT(o) pthread_rwlock_init(o, NULL)
#define USE(o) (pthread_rwlock_rdlock(o), pthread_rwlock_unlock(o))
#elif defined BARRIER
typedef pthread_barrier_t type;
#define INIT(o) pthread_barrier_init(o, NULL, 1)
#define USE(o) pthread_barrier_wait(o)
#elif defined SPIN
typedef pthread_spinlock_t type;
#define INIT(o) pthread_spin_init(o, 0)
#define USE(o) (pthread_spin_lock(o), pthread_spin_unlock(o))
#elif defined SEMAPHORE
typedef sem_t type;
#define INIT(o) sem_init(o, 0, 1)
#define USE(o) sem_wait(o)
#elif defined MTX
typedef mtx_t type;
#define INIT(o) mtx_init(o, mtx_plain)
#define USE(o) (mtx_lock(o), mtx_unlock(o))
#elif defined CND
typedef cnd_t type;
#define INIT(o) cnd_init(o)
#define USE(o) cnd_broadcast(o)
#endif

struct item {
	int number;
	type object;
};

static struct item item;

int main(void)
{
	struct item *heap = calloc(1, sizeof *heap);
	INIT(&heap->object);
	INIT(&item.object);
#ifdef USED
	USE(&item.object);
#endif
	INIT(&item.object); /* ERROR */
	return 0;
}
