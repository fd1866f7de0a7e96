/* SPDX-License-Identifier: MIT
 *
 * N threads print under a lock, four times each, with a number that all count up.
 */
#include <pthread.h>
#include <stdio.h>
#ifndef N
#define N 3
#endif
#include "../pairs/threads.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int line;
static void *work(void *number)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&lock);
		printf("%d: %ld\n", ++line, (long)number);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
int main(void)
{
	return run(work);
}
