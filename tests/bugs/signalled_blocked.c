/* SPDX-License-Identifier: MIT
 *
 * A super-step went on past waking a thread whose mutex was held by another thread, whose super-step went on past giving it up:
 * in the middle of both, the woken thread can move.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check --search bfs
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
atomic_int asleep, held, x;
int seen;

static void *sleeper(void *argument)
{
	pthread_mutex_lock(&m);
	asleep = 1;
	pthread_cond_wait(&c, &m);
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}

static void *holder(void *argument)
{
	while (!asleep)
		sched_yield();
	pthread_mutex_lock(&m);
	held = 1;
	pthread_mutex_unlock(&m);
	seen = x;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, sleeper, 0);
	pthread_create(&b, 0, holder, 0);
	while (!held)
		sched_yield();
	pthread_cond_signal(&c);
	int first = x;
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(first == 1 && seen == 1)); /* ERROR */
	return 0;
}
