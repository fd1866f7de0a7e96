/* SPDX-License-Identifier: MIT
 *
 * N threads keep statistics under a lock, N times each; nobody reads them.
 */
#include <pthread.h>
#ifndef N
#define N 5
#endif
#include "../pairs/threads.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	long sum, count, largest;
	int last[N];
} stats;
static void *work(void *number)
{
	for (long i = 0; i < N; i++) {
		pthread_mutex_lock(&lock);
		stats.sum += i * (long)number;
		stats.count++;
		stats.last[i] = (int)(long)number;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
int main(void)
{
	return run(work);
}
