/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh, seed 1006:
 * -O1 the VM died, status 0x6
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
#define m0 m0_1006
#undef m1
#define m1 m1_1006
#undef c
#define c c_1006
#undef a0
#define a0 a0_1006
#undef a1
#define a1 a1_1006
#undef ready
#define ready ready_1006
#undef x0
#define x0 x0_1006
#undef x1
#define x1 x1_1006
#undef cell
#define cell cell_1006
#undef box
#define box box_1006
#undef pair
#define pair pair_1006
#undef rest
#define rest rest_1006
#undef helper
#define helper helper_1006
#undef t0
#define t0 t0_1006
#undef t1
#define t1 t1_1006
#undef t2
#define t2 t2_1006
#undef program
#define program program_1006
#undef locks
#define locks locks_1006
#undef own
#define own own_1006
#undef mine
#define mine mine_1006
#undef id
#define id id_1006
#undef m2
#define m2 m2_1006
#undef lent
#define lent lent_1006
#undef local
#define local local_1006
#undef s0
#define s0 s0_1006
#undef l0
#define l0 l0_1006
sem_t s0;
pthread_rwlock_t l0;
pthread_mutex_t m0, m1, m2;
pthread_cond_t c;
atomic_int a0, a1, ready;
int x0, x1;
_Atomic(int *) cell;
_Atomic(atomic_int *) lent;
_Thread_local atomic_int local;
int *box, rest;
struct two pair;
static void *helper(void *argument)
{
	int r = 0;
	{ pthread_mutex_lock(&m2); atomic_int *p = lent; if (p) r = atomic_fetch_add(p, 1); pthread_mutex_unlock(&m2); }
	{ int e = 1; if (atomic_compare_exchange_strong(&a0, &e, 3)) r = 1; }
	(void)r;
	return argument;
}
static void *t0(void *argument)
{
	int r = 0;
	{ int *p = malloc(sizeof *p); *p = 0; p = atomic_exchange(&cell, p); if (p) { r = *p; free(p); } }
	(void)r;
	return argument;
}
static void *t1(void *argument)
{
	int r = 0;
	atomic_store(&a0, 1);
	{ atomic_int *p = lent; if (p) r = atomic_fetch_add(p, 1); }
	r = atomic_fetch_add(&a1, 0);
	(void)r;
	return argument;
}
static void *t2(void *argument)
{
	int r = 0;
	atomic_fetch_add(&a0, bitspin_choose(0, 1));
	{ int *p = malloc(sizeof *p); *p = 1; p = atomic_exchange(&cell, p); if (p) { r = *p; free(p); } }
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
	pthread_create(&id[2], 0, t2, 0);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	pthread_join(id[2], 0);
	rest = (box ? *box + 1 : 0) + 8 * (cell ? *cell + 1 : 0);
	assert(a0 + 3 * a1 != 11 && x0 + 2 * x1 != 4);
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
