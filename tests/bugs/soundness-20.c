/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh, seed 20:
 * pan --search bfs: final states  of 0
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "bitspin.h"
struct pair {
	int x, y;
};
#undef a
#define a a_20
#undef both
#define both both_20
#undef local
#define local local_20
#undef lent
#define lent lent_20
#undef p
#define p p_20
#undef given
#define given given_20
#undef d
#define d d_20
#undef two
#define two two_20
#undef m
#define m m_20
#undef s
#define s s_20
#undef c
#define c c_20
#undef both_here
#define both_here both_here_20
#undef id
#define id id_20
#undef t0
#define t0 t0_20
#undef t1
#define t1 t1_20
#undef t2
#define t2 t2_20
#undef t3
#define t3 t3_20
#undef t4
#define t4 t4_20
#undef program
#define program program_20
atomic_int a[5];
union {
	atomic_short whole;
	atomic_char bytes[2];
} both;
_Thread_local atomic_int local;
_Atomic(atomic_int *) lent;
_Atomic(atomic_int *) p = &a[0];
_Atomic(int *) given;
volatile int d;
volatile struct pair two;
pthread_mutex_t m;
sem_t s;
pthread_cond_t c;
pthread_barrier_t both_here;
pthread_t id[5];
static void *t0(void *argument)
{
	int r = 0;
	if (a[4] > 0) r = atomic_exchange(&a[2], 3);
	{ int old = 0; r = atomic_compare_exchange_strong(&a[4], &old, 3); }
	two.x = 2;
	r = r & 0;
	return argument;
}
static void *t1(void *argument)
{
	int r = 0;
	if (a[3] > 0) assert(a[3] != 2 || a[4] != 2);
	{ pthread_mutex_lock(&m);
		if (a[1] == 0 && a[3] == 2) two.x = 1;
		two = (struct pair){ 1, 2 };
		pthread_mutex_unlock(&m); }
	r = r & 0;
	return argument;
}
static void *t2(void *argument)
{
	int r = 0;
	if (a[4] == 2) { pthread_mutex_lock(&m);
		if (both.whole == 768) two.x = 2;
		pthread_mutex_unlock(&m); }
	a[2] = a[3] + 1;
	r = a[a[2] % 5];
	r = r & 0;
	return argument;
}
static void *t3(void *argument)
{
	int r = 0;
	if (pthread_mutex_trylock(&m)) r = 1; else {
		r = a[2];
		pthread_mutex_unlock(&m); }
	if (a[1] > 3) assert(a[1] != 3 || a[0] == 0);
	r = r & 0;
	return argument;
}
int program(void)
{
	sem_init(&s, 0, 0);
	pthread_barrier_init(&both_here, 0, 2);
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, 0);
	pthread_create(&id[2], 0, t2, 0);
	pthread_create(&id[3], 0, t3, 0);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	pthread_join(id[2], 0);
	pthread_join(id[3], 0);
	assert(a[1] != 2);
	return 0;
}
int main(void)
{
	int status = program();
#ifdef FINAL
#include FINAL
#endif
	return status;
}
