/* SPDX-License-Identifier: MIT
 *
 * An invariant over globals, checked in every state.
 *
 * RUN: check --invariant 'count <= 1'
 * EXPECT: violated invariant
 * RUN: check --invariant 'count <= 2'
 * EXPECT: verified
 * RUN: check --invariant 'count >= 0 && limit == 2'
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int count, limit = 2;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	count++; /* ERROR */
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
	count--;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	return 0;
}
