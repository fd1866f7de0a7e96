/* SPDX-License-Identifier: MIT
 *
 * What was initialised by a call is initialised by another.
 *
 * RUN: check -DTYPE=pthread_mutex_t '-DINIT(o)=pthread_mutex_init(o,NULL)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_cond_t '-DINIT(o)=pthread_cond_init(o,NULL)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_rwlock_t '-DINIT(o)=pthread_rwlock_init(o,NULL)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_barrier_t '-DINIT(o)=pthread_barrier_init(o,NULL,1)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_spinlock_t '-DINIT(o)=pthread_spin_init(o,0)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=sem_t '-DINIT(o)=sem_init(o,0,1)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=mtx_t '-DINIT(o)=mtx_init(o,mtx_plain)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=cnd_t '-DINIT(o)=cnd_init(o)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_mutex_t '-DINIT(o)=pthread_mutex_init(o,NULL)' '-DUSE(o)=(pthread_mutex_lock(o),pthread_mutex_unlock(o))'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_cond_t '-DINIT(o)=pthread_cond_init(o,NULL)' '-DUSE(o)=pthread_cond_signal(o)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_rwlock_t '-DINIT(o)=pthread_rwlock_init(o,NULL)' '-DUSE(o)=(pthread_rwlock_rdlock(o),pthread_rwlock_unlock(o))'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_spinlock_t '-DINIT(o)=pthread_spin_init(o,0)' '-DUSE(o)=(pthread_spin_lock(o),pthread_spin_unlock(o))'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=sem_t '-DINIT(o)=sem_init(o,0,1)' '-DUSE(o)=sem_wait(o)'
 * EXPECT: violated mutex-misuse
 * RUN: check -DTYPE=pthread_barrier_t '-DINIT(o)=pthread_barrier_init(o,NULL,1)' '-DUSE(o)=pthread_barrier_wait(o)'
 * EXPECT: violated mutex-misuse
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>

#ifndef USE
#define USE(o) (void)(o)
#endif

struct item {
	int number;
	TYPE object;
};

static struct item item;

int main(void)
{
	struct item *heap = calloc(1, sizeof *heap);
	INIT(&heap->object);
	INIT(&item.object);
	USE(&item.object);
	INIT(&item.object); /* ERROR */
	return 0;
}
