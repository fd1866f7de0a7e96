/* SPDX-License-Identifier: MIT
 *
 * With --all the search goes on: a deadlock and a failed assertion in one program.
 *
 * RUN: check --all
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	x++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	assert(x == 0); /* ERROR */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(thread, NULL);
	return 0;
}
