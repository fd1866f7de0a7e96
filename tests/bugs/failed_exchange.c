/* SPDX-License-Identifier: MIT
 *
 * A compare-exchange that fails, and whose result nobody needs, was taken for a useless read.
 * Made by random_program.c, seed 725537.
 *
 * RUN: check --races ignore
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include "bitspin.h"
struct two { int a, b; };
static const struct timespec soon = { 1, 0 };
#undef m0
#define m0 m0_725537
#undef m1
#define m1 m1_725537
#undef c
#define c c_725537
#undef a0
#define a0 a0_725537
#undef a1
#define a1 a1_725537
#undef ready
#define ready ready_725537
#undef x0
#define x0 x0_725537
#undef x1
#define x1 x1_725537
#undef cell
#define cell cell_725537
#undef box
#define box box_725537
#undef pair
#define pair pair_725537
#undef rest
#define rest rest_725537
#undef helper
#define helper helper_725537
#undef t0
#define t0 t0_725537
#undef t1
#define t1 t1_725537
#undef t2
#define t2 t2_725537
#undef program
#define program program_725537
#undef locks
#define locks locks_725537
#undef own
#define own own_725537
#undef mine
#define mine mine_725537
#undef id
#define id id_725537
#undef m2
#define m2 m2_725537
#undef lent
#define lent lent_725537
#undef local
#define local local_725537
#undef s0
#define s0 s0_725537
#undef l0
#define l0 l0_725537
sem_t s0;
pthread_rwlock_t l0;
pthread_mutex_t m0, m1, m2;
pthread_cond_t c;
atomic_int a0, a1, ready;
volatile int x0, x1;
_Atomic(int *) cell;
_Atomic(atomic_int *) lent;
_Thread_local atomic_int local;
int *box, rest;
volatile struct two pair;
static void *helper(void *argument)
{
	int r = 0;
	sched_yield();
	(void)r;
	return argument;
}
static void *t0(void *argument)
{
	int r = 0;
	if (pthread_mutex_timedlock(&m2, &soon) == 0) { a0 = 1; pthread_mutex_unlock(&m2); }
	(void)r;
	pthread_exit(argument);
}
static void *t1(void *argument)
{
	int r = 0;
	{ int v[2] = { r, 1 }; v[r & 1] = atomic_load(&a1); sched_yield(); r = v[1]; }
	atomic_store(&a1, 1);
	pthread_mutex_lock(&m0); {
		ready = 0; pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m0);
	}
	r = bitspin_choose(0, 2); x1 = r;
	(void)r;
	return argument;
}
int program(void)
{
	int r = 0;
	pthread_t id[3];
	sem_init(&s0, 0, 1);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, 0);
	pthread_mutex_lock(&m0); {
		{ int e = 1; r = atomic_compare_exchange_strong_explicit(&a1, &e, 0, memory_order_acquire, memory_order_relaxed); }
		pthread_mutex_unlock(&m0);
	}
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	rest = (box ? *box + 1 : 0) + 8 * (cell ? *cell + 1 : 0);
	assert(a0 + 3 * a1 != 1 && x0 + 2 * x1 != 5); /* ERROR */
	return r & 0;
}
int main(void)
{
	int status = program();
#ifdef FINAL
#include FINAL
#endif
	return status;
}
