/* SPDX-License-Identifier: MIT
 *
 * A bounded stack: one thread pushes N values, another pops them; nobody looks at the values.
 */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 10
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[N], top;
static void *push(void *unused)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&lock);
		if (top < N)
			items[top++] = i + 1;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}
static void *pop(void *unused)
{
	int last = 0;
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&lock);
		if (top > 0)
			last = items[--top];
		pthread_mutex_unlock(&lock);
	}
	(void)last;
	return unused;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, push, NULL);
	pthread_create(&b, NULL, pop, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(top >= 0 && top <= N);
}
