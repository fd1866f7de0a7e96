/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh, seed 386:
 * pan --search bfs: final states  of x1=3,
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
#define m0 m0_386
#undef m1
#define m1 m1_386
#undef c
#define c c_386
#undef s0
#define s0 s0_386
#undef bar
#define bar bar_386
#undef key
#define key key_386
#undef given
#define given given_386
#undef local
#define local local_386
#undef id
#define id id_386
#undef a0
#define a0 a0_386
#undef a1
#define a1 a1_386
#undef ready
#define ready ready_386
#undef x0
#define x0 x0_386
#undef x1
#define x1 x1_386
#undef rest
#define rest rest_386
#undef pair
#define pair pair_386
#undef t0
#define t0 t0_386
#undef t1
#define t1 t1_386
#undef program
#define program program_386
#undef apart
#define apart apart_386
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
	rest = r;
	pthread_mutex_lock(&m0);
		r = x1++;
	pthread_mutex_unlock(&m0);
	r = r & 0;
	return 0;
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
	pthread_barrier_init(&bar, 0, 2);
	pthread_key_create(&key, 0);
	pthread_attr_init(&apart);
	pthread_attr_setdetachstate(&apart, PTHREAD_CREATE_DETACHED);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t0, 0);
	pthread_create(&id[2], 0, t0, 0);
	pthread_exit(0);
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
