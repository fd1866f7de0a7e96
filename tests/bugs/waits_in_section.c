/* SPDX-License-Identifier: MIT
 *
 * A lock that has to wait in an atomic section lets others see what the section has done so far.  So it shows that somebody holds
 * the mutex, and a critical section of it does not commute with the atomic one.  Sections that commute (--reduction sections) lost
 * this.
 *
 * RUN: check --races ignore
 * EXPECT: violated assertion
 * RUN: check --races ignore --reduction persistent,sections
 * EXPECT: violated assertion
 * RUN: check --races ignore --search bfs --reduction all,-symmetry
 * EXPECT: violated assertion
 * RUN: check -DCONDITION
 * EXPECT: violated assertion
 * RUN: check -DOUTSIDE
 * EXPECT: verified
 */
#include "bitspin.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int half;
static int unused, given;

/* Both halves of it at once, if nobody holds the mutex. */
static void *change(void *argument)
{
	bitspin_atomic_begin();
	half++;
#if defined(CONDITION)
	pthread_mutex_lock(&lock);
	while (!given)
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
#elif !defined(OUTSIDE)
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
#endif
	half++;
	bitspin_atomic_end();
	return argument;
}

static void *look(void *argument)
{
	pthread_mutex_lock(&own);
	assert(half != 1); /* ERROR */
	pthread_mutex_unlock(&own);
	return argument;
}

int main(void)
{
	pthread_t changer, looker;
	pthread_create(&changer, NULL, change, NULL);
	pthread_create(&looker, NULL, look, NULL);
	pthread_mutex_lock(&lock);
	unused++;
#ifdef CONDITION
	given = 1;
	pthread_cond_signal(&condition);
#endif
	pthread_mutex_unlock(&lock);
	pthread_join(changer, NULL);
	pthread_join(looker, NULL);
	return 0;
}
