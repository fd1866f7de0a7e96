/* SPDX-License-Identifier: MIT
 *
 * Steps that begin where a step began before and find the same values, but with other threads around: the first was of a thread
 * that was alone, so that nobody could race with it; or it began to wait, and the second closes a circle of threads that wait.
 *
 * RUN: check -DALONE
 * EXPECT: violated data-race
 * RUN: check -DALONE -DNEVER
 * EXPECT: verified
 * RUN: check -DCIRCLE
 * EXPECT: violated deadlock
 * RUN: check --deadlock total -DCIRCLE
 * EXPECT: verified
 */
#include "bitspin.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile int x;
static atomic_int flag;
static sem_t may_go;
static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

#ifdef ALONE
/* If it stays, it may write after main has; if it does not, main is alone when it takes the same step. */
static void *first(void *unused)
{
	int stays = bitspin_choose(0, 1);
	sem_post(&may_go);
#ifdef NEVER
	stays = 0;
#endif
	if (stays && flag)
		x = 0; /* ERROR */
	return unused;
}
#else
static void cross(int one)
{
	pthread_mutex_lock(&locks[one]);
	pthread_mutex_lock(&locks[!one]); /* ERROR */
	pthread_mutex_unlock(&locks[!one]);
	pthread_mutex_unlock(&locks[one]);
}

static void *first(void *unused)
{
	cross(0);
	return unused;
}

static void *second(void *unused)
{
	cross(1);
	return unused;
}

static void *third(void *unused)
{
	for (;;) /* so that the program can always go on */
		sched_yield();
	return unused;
}
#endif

int main(void)
{
	pthread_t thread;
	sem_init(&may_go, 0, 0);
#ifndef ALONE
	pthread_create(&thread, NULL, third, NULL);
	pthread_create(&thread, NULL, second, NULL);
#endif
	pthread_create(&thread, NULL, first, NULL);
#ifdef ALONE
	sem_wait(&may_go);
	flag = 1;
	x = 0;
	flag = 2;
#endif
	(void)x, (void)flag, (void)locks;
	pthread_exit(NULL);
}
