/* SPDX-License-Identifier: MIT
 *
 * Found by soundness.sh (seed 1076): numbers of new objects depended on what dead registers happened to hold, and on how
 * many objects were left; a number was used again while an open segment named it, which made a race of nothing.
 *
 * RUN: check --reduction none
 * EXPECT: verified
 * RUN: check --reduction none --search bfs -O1
 * EXPECT: verified
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m0, m1;
static atomic_int a1;
static _Atomic(int *) cell;
static int *box, rest;

static int hand_over(int value)
{
	int r = 0, *p = malloc(sizeof *p);
	*p = value;
	p = atomic_exchange(&cell, p);
	if (p) {
		r = *p;
		free(p);
	}
	return r;
}

static void *t0(void *argument)
{
	pthread_mutex_lock(&m1);
	{ int *p = malloc(sizeof *p); *p = 1; p = atomic_exchange(&cell, p); if (p) { rest = *p; free(p); } }
	pthread_mutex_unlock(&m1);
	if (pthread_mutex_trylock(&m0) == 0) {
		if (!box) { box = malloc(sizeof *box); *box = 1; }
		pthread_mutex_unlock(&m0);
	}
	{ int *p = malloc(sizeof *p); *p = 0; p = atomic_exchange(&cell, p); if (p) { rest = *p; free(p); } }
	for (int i = 0; i < 2; i++)
		sched_yield();
	return argument;
}

static void *t1(void *argument)
{
	hand_over(0);
	pthread_mutex_lock(&m0);
	atomic_store(&a1, 0);
	pthread_mutex_unlock(&m0);
	return argument;
}

int main(void)
{
	pthread_t id[2];
	pthread_create(&id[0], 0, t0, 0);
	pthread_create(&id[1], 0, t1, 0);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
	return rest + (box ? *box : 0);
}
