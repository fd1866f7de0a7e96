/* SPDX-License-Identifier: MIT
 *
 * A persistent set's super-step went on past giving up a mutex that a thread left out of the set would want later: it can have
 * the mutex in the middle.
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check --search bfs
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int own, x;

static void *other(void *argument)
{
	own = 1;
	pthread_mutex_lock(&m);
	x = 1;
	pthread_mutex_unlock(&m);
	return argument;
}

int main(void)
{
	pthread_t a;
	pthread_mutex_lock(&m);
	pthread_create(&a, 0, other, 0);
	pthread_mutex_unlock(&m);
	assert(x == 0); /* ERROR */
	pthread_join(a, 0);
	return 0;
}
