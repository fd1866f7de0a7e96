/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh, seed 54:
 * races report, reductions 0x205, bfs: '!!crash' against '!thread-misuse '
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bitspin.h"
#ifdef WEAK
#define OF(n, a, b, c) ((n) % 4 < 2 ? memory_order_relaxed : (n) % 4 == 2 ? (a) : (n) % 8 == 3 ? (b) : (c))
#define OF_LOAD(n) OF(n, memory_order_acquire, memory_order_acquire, memory_order_seq_cst)
#define OF_STORE(n) OF(n, memory_order_release, memory_order_release, memory_order_seq_cst)
#define OF_CHANGE(n) OF(n, memory_order_acq_rel, memory_order_acquire, memory_order_release)
#define GET(x) atomic_load_explicit(&(x), OF_LOAD(__COUNTER__))
#define SET(x, v) atomic_store_explicit(&(x), v, OF_STORE(__COUNTER__))
#define ADD(x, v) atomic_fetch_add_explicit(&(x), v, OF_CHANGE(__COUNTER__))
#define SWAP(x, v) atomic_exchange_explicit(&(x), v, OF_CHANGE(__COUNTER__))
#define TRY(x, old, v) \
	atomic_compare_exchange_strong_explicit(&(x), old, v, OF_CHANGE(__COUNTER__), memory_order_acquire)
#else
#define GET(x) atomic_load(&(x))
#define SET(x, v) atomic_store(&(x), v)
#define ADD(x, v) atomic_fetch_add(&(x), v)
#define SWAP(x, v) atomic_exchange(&(x), v)
#define TRY(x, old, v) atomic_compare_exchange_strong(&(x), old, v)
#endif
struct two { int a, b; };
struct node { _Atomic(struct node *) next; atomic_int value; pthread_mutex_t lock; };
static void fill(int *p) { *p += 1; }
#undef m0
#define m0 m0_54
#undef m1
#define m1 m1_54
#undef c
#define c c_54
#undef s0
#define s0 s0_54
#undef bar
#define bar bar_54
#undef key
#define key key_54
#undef given
#define given given_54
#undef top
#define top top_54
#undef local
#define local local_54
#undef id
#define id id_54
#undef a0
#define a0 a0_54
#undef a1
#define a1 a1_54
#undef ready
#define ready ready_54
#undef x0
#define x0 x0_54
#undef x1
#define x1 x1_54
#undef rest
#define rest rest_54
#undef pair
#define pair pair_54
#undef t0
#define t0 t0_54
#undef t1
#define t1 t1_54
#undef program
#define program program_54
#undef apart
#define apart apart_54
pthread_mutex_t m0, m1;
pthread_cond_t c;
sem_t s0;
pthread_barrier_t bar;
pthread_key_t key;
_Atomic(int *) given;
_Atomic(struct node *) top;
_Thread_local int local;
atomic_int a0, a1, ready, x0, x1;
volatile int rest;
struct two pair;
pthread_t id[4];
pthread_attr_t apart;
static void *t0(void *argument)
{
	int r = (int)(intptr_t)argument & 3;
	r = bitspin_choose(0, 1);
	{ struct node *n = SWAP(top, 0); if (n) { r = GET(n->value); SET(top, GET(n->next)); } }
	pthread_cond_signal(&c);
	r = r & 0;
	return 0;
}
static void *t1(void *argument)
{
	int r = (int)(intptr_t)argument & 3;
	{ struct node *n = GET(top); if (n) r = GET(n->value); }
	return argument;
}
int program(void)
{
	int r = 0;
	sem_init(&s0, 0, 0);
	pthread_barrier_init(&bar, 0, 2);
	pthread_key_create(&key, 0);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t0, 0);
	{ struct node *n = SWAP(top, 0); if (n) { r = GET(n->value); SET(top, GET(n->next)); } }
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	pthread_join(id[1], 0);
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
