/* SPDX-License-Identifier: MIT
 *
 * N threads that each create one and join it.  Who creates first makes no difference.
 */
#include <pthread.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *child(void *p)
{
	pthread_mutex_lock(&m);
	sum++;
	pthread_mutex_unlock(&m);
	return p;
}

static void *creator(void *p)
{
	pthread_t id;
	pthread_create(&id, 0, child, p);
	pthread_join(id, 0);
	return p;
}

int main(void)
{
	pthread_t ids[N];
	for (int i = 0; i < N; i++)
		pthread_create(&ids[i], 0, creator, 0);
	for (int i = 0; i < N; i++)
		pthread_join(ids[i], 0);
	return 0;
}
