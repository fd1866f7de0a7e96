/* SPDX-License-Identifier: MIT
 *
 * lost_update.c with each update under the lock from end to end: no update is lost, x ends as 5 or 6.
 *
 *     bitspin check examples/lost_update_fixed.c
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x = 2;

static void *add(void *unused)
{
	pthread_mutex_lock(&mutex);
	x = x + 1;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *twice(void *unused)
{
	pthread_mutex_lock(&mutex);
	x = x * 2;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, twice, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x == 5 || x == 6);
	return 0;
}
