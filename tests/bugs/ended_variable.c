/* SPDX-License-Identifier: MIT
 *
 * A variable of one thread that another one uses ends in the middle of a step about something else; or with its thread.
 * Persistent sets and breadth-first search did not know that the other's access depends on that, and verified.
 *
 * RUN: check
 * EXPECT: violated use-after-free
 * RUN: check --search bfs
 * EXPECT: violated use-after-free
 * RUN: check -DTHREAD_LOCAL
 * EXPECT: violated use-after-free
 * RUN: check -DVLA
 * EXPECT: violated use-after-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local atomic_int own;

static void publish(void)
{
#ifdef THREAD_LOCAL
	atomic_store(&shared, &own);
#elif defined VLA
	volatile int size = 1;
	{
		atomic_int variables[size];
		atomic_init(&variables[0], 1);
		atomic_store(&shared, &variables[0]);
		pthread_mutex_lock(&mutex);
	}
	pthread_mutex_unlock(&mutex);
#else
	atomic_int variable;
	atomic_init(&variable, 1);
	atomic_store(&shared, &variable);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#endif
}

static void *work(void *unused)
{
	publish();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	atomic_int *pointer = atomic_load(&shared);
	if (pointer) {
		atomic_fetch_add(pointer, 1); /* ERROR */
		atomic_fetch_add(pointer, 1); /* ERROR */
	}
	pthread_join(thread, NULL);
	return 0;
}
