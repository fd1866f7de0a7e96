/* SPDX-License-Identifier: MIT
 *
 * A lock for several readers or one writer, of a mutex and a condition variable.  The first WRITERS of N threads write, the others
 * read.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers;
static bool writing;
static void take(bool to_write)
{
	pthread_mutex_lock(&mutex);
	while (writing || (to_write && readers))
		pthread_cond_wait(&changed, &mutex);
	if (to_write)
		writing = true;
	else
		readers++;
	pthread_mutex_unlock(&mutex);
}
static void give_back(bool to_write)
{
	pthread_mutex_lock(&mutex);
	if (to_write)
		writing = false;
	else
		readers--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}
static void *work(void *number)
{
	bool to_write = (long)number < WRITERS;
	take(to_write);
	give_back(to_write);
	return NULL;
}
#include "threads.h"
int main(void)
{
	return run(work);
}
