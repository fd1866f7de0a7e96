/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh, seed 302:
 * pan --search bfs: final states  of ready=1,
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include "bitspin.h"
struct two { int a, b; };
static void fill(int *p) { *p += 1; }
#undef m0
#define m0 m0_302
#undef m1
#define m1 m1_302
#undef c
#define c c_302
#undef s0
#define s0 s0_302
#undef bar
#define bar bar_302
#undef key
#define key key_302
#undef given
#define given given_302
#undef local
#define local local_302
#undef id
#define id id_302
#undef a0
#define a0 a0_302
#undef a1
#define a1 a1_302
#undef ready
#define ready ready_302
#undef x0
#define x0 x0_302
#undef x1
#define x1 x1_302
#undef rest
#define rest rest_302
#undef pair
#define pair pair_302
#undef t0
#define t0 t0_302
#undef t1
#define t1 t1_302
#undef program
#define program program_302
#undef apart
#define apart apart_302
pthread_mutex_t m0, m1;
pthread_cond_t c;
sem_t s0;
pthread_barrier_t bar;
pthread_key_t key;
_Atomic(int *) given;
_Thread_local int local;
atomic_int a0, a1, ready, x0, x1;
volatile int rest;
struct two pair;
pthread_t id[4];
pthread_attr_t apart;
static void *t0(void *argument)
{
	int r = (int)(intptr_t)argument & 3;
	ready = 1; pthread_cond_broadcast(&c);
	ready = 1; pthread_cond_broadcast(&c);
	sem_post(&s0);
	return argument;
}
static void *t1(void *argument)
{
	int r = (int)(intptr_t)argument & 3;
	pthread_cond_signal(&c);
	r = r & 0;
	return 0;
}
int program(void)
{
	int r = 0;
	sem_init(&s0, 0, 2);
	pthread_barrier_init(&bar, 0, 3);
	pthread_key_create(&key, 0);
	pthread_attr_init(&apart);
	pthread_attr_setdetachstate(&apart, PTHREAD_CREATE_DETACHED);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, (void *)1);
	pthread_cancel(id[0]);
	pthread_create(&id[2], 0, t0, (void *)1);
	pthread_mutex_lock(&m0);
		sem_post(&s0);
	pthread_mutex_unlock(&m0);
	pthread_exit(0);
	assert(a0 + x0 != 5);
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
