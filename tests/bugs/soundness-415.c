/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh, seed 415:
 * pan, races ignore --preemptions 200: '!deadlock ' against ''
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
#define m0 m0_415
#undef m1
#define m1 m1_415
#undef c
#define c c_415
#undef s0
#define s0 s0_415
#undef bar
#define bar bar_415
#undef key
#define key key_415
#undef given
#define given given_415
#undef local
#define local local_415
#undef id
#define id id_415
#undef a0
#define a0 a0_415
#undef a1
#define a1 a1_415
#undef ready
#define ready ready_415
#undef x0
#define x0 x0_415
#undef x1
#define x1 x1_415
#undef rest
#define rest rest_415
#undef pair
#define pair pair_415
#undef t0
#define t0 t0_415
#undef t1
#define t1 t1_415
#undef program
#define program program_415
#undef apart
#define apart apart_415
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
	pthread_mutex_lock(&m0);
		pthread_mutex_lock(&m0);
			assert(a0 != 3);
		pthread_mutex_unlock(&m0);
		if (!ready) pthread_cond_wait(&c, &m0);
	pthread_mutex_unlock(&m0);
	r = r & 0;
	return 0;
}
static void *t1(void *argument)
{
	int r = (int)(intptr_t)argument & 3;
	a0 = 1;
	r = r & 0;
	return 0;
}
int program(void)
{
	int r = 0;
	sem_init(&s0, 0, 1);
	pthread_barrier_init(&bar, 0, 3);
	pthread_key_create(&key, 0);
	pthread_attr_init(&apart);
	pthread_attr_setdetachstate(&apart, PTHREAD_CREATE_DETACHED);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, &pair);
	pthread_create(&id[2], 0, t0, 0);
	sem_wait(&s0);
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
