/* SPDX-License-Identifier: MIT
 *
 * A super-step went on past the creation of a thread that could not move yet, as another thread held a mutex, and that thread's
 * super-step went on past giving the mutex up: in the middle of both, the new thread can move.
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
atomic_int held, x;
int seen;

static void *late(void *argument)
{
	pthread_mutex_lock(&m);
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}

static void *holder(void *argument)
{
	pthread_mutex_lock(&m);
	held = 1;
	pthread_mutex_unlock(&m);
	seen = x;
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, holder, 0);
	while (!held)
		sched_yield();
	pthread_create(&b, 0, late, 0);
	int first = x;
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(!(first == 1 && seen == 1)); /* ERROR */
	return 0;
}
