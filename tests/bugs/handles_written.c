/* SPDX-License-Identifier: MIT
 *
 * A thread wrote over handles of threads that main had yet to create.  Main created them first, as if nobody else touched them, so
 * the race was lost; or, where races are none, what is left in the handles.
 *
 * RUN: check
 * EXPECT: violated data-race
 * RUN: check --search bfs
 * EXPECT: violated data-race
 * RUN: check -DCLEAR
 * EXPECT: violated data-race
 * RUN: check --races ignore -DNAMED
 * EXPECT: violated thread-misuse
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static pthread_t threads[3];
static atomic_int x;

static void *writes(void *argument)
{
	x = 1; /* main may have created more threads before this, or not */
#ifdef CLEAR
	memset(threads, 0, sizeof threads);
#else
	threads[2] = 0;
#endif
	return argument;
}

static void *rests(void *argument)
{
	return argument;
}

int main(void)
{
	pthread_create(&threads[0], NULL, writes, NULL);
	pthread_create(&threads[1], NULL, rests, NULL); /* ERROR */
	pthread_create(&threads[2], NULL, rests, NULL); /* ERROR */
#ifdef NAMED
	pthread_join(threads[2], NULL); /* ERROR */
#else
	while (x == 0)
		;
#endif
	pthread_exit(NULL);
}
