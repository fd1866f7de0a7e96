/* SPDX-License-Identifier: MIT
 *
 * Lost update: two threads read x under a lock, compute, and write back under the lock; but they let go in between.
 *
 * One adds 1, the other doubles.  x starts at 2 and ends as 3 or 4 when an update is lost, as 6 or 5 when none is:
 * it must never end as 5, the author thinks.  It can.
 *
 *     bitspin check examples/lost_update.c
 *
 * RUN: check
 * EXPECT: violated assertion
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x = 2;

static int get(void)
{
	pthread_mutex_lock(&mutex);
	int value = x;
	pthread_mutex_unlock(&mutex);
	return value;
}

static void set(int value)
{
	pthread_mutex_lock(&mutex);
	x = value;
	pthread_mutex_unlock(&mutex);
}

static void *add(void *unused)
{
	set(get() + 1);
	return unused;
}

static void *twice(void *unused)
{
	set(get() * 2);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, twice, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x != 5); /* ERROR */
	return 0;
}
