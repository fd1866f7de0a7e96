/* SPDX-License-Identifier: MIT
 *
 * Accesses ordered by create, join, lock and atomics are no races.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int by_create, by_join, by_lock, by_atomic;
static atomic_int turn;

static void *work(void *unused)
{
	assert(by_create == 1);
	by_join = 1;
	pthread_mutex_lock(&mutex);
	by_lock++;
	pthread_mutex_unlock(&mutex);
	by_atomic = 1;
	turn = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	by_create = 1;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	by_lock++;
	pthread_mutex_unlock(&mutex);
	if (turn)
		by_atomic++;
	pthread_join(thread, NULL);
	assert(by_join == 1 && by_lock == 2 && by_atomic >= 1);
	return 0;
}
