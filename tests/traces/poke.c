/* SPDX-License-Identifier: MIT
 *
 * The shape of poke of the same paper as mpat.c: N threads set a flag each; K times, one thread counts an index up, and another one
 * clears the flag at the index.  With ATOMIC, a critical section is one access to an atomic variable, with the same traces in fewer
 * states: who writes depends on who accesses, and two threads never read the index at a time.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 1
#endif
static pthread_mutex_t of_index = PTHREAD_MUTEX_INITIALIZER, of_flag[N];
#ifdef ATOMIC
static atomic_int at, flags[N];
#define lock(mutex)   ((void)(mutex))
#define unlock(mutex) ((void)(mutex))
#else
static int at, flags[N];
#define lock   pthread_mutex_lock
#define unlock pthread_mutex_unlock
#endif
static void set(int i, int value)
{
	lock(&of_flag[i]);
	flags[i] = value;
	unlock(&of_flag[i]);
}
static void *raise_flag(void *lock)
{
	set((int)((pthread_mutex_t *)lock - of_flag), 1);
	return NULL;
}
static void *count(void *unused)
{
	for (int i = 1; i < N; i++) {
		lock(&of_index);
		at = i;
		unlock(&of_index);
	}
	return unused;
}
static void *clear(void *unused)
{
	lock(&of_index);
	int i = at;
	unlock(&of_index);
	set(i, 0);
	return unused;
}
int main(void)
{
	pthread_t threads[N], counter, clearer;
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&of_flag[i], NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&threads[i], NULL, raise_flag, &of_flag[i]);
	for (int k = 0; k < K; k++) {
		pthread_create(&counter, NULL, count, NULL);
		pthread_create(&clearer, NULL, clear, NULL);
		pthread_join(counter, NULL);
		pthread_join(clearer, NULL);
	}
	for (int i = 0; i < N; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
