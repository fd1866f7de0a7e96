/* SPDX-License-Identifier: MIT
 *
 * Mutexes: static initialiser, pthread_mutex_init, calloc'ed zero bytes, in a struct, in an array; destroy and init
 * again.
 *
 * RUN: check
 * EXPECT: verified
 * ALSO: --races ignore
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { int balance; pthread_mutex_t mutex; pthread_cond_t changed; };

static struct account fixed = {0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct account zero;
static struct account *heap;
static struct account made[2];

static void pay(struct account *a)
{
	pthread_mutex_lock(&a->mutex);
	a->balance++;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->mutex);
}

static void *work(void *unused)
{
	pay(&fixed);
	pay(&zero);
	pay(heap);
	pay(&made[1]);
	return unused;
}

int main(void)
{
	heap = calloc(1, sizeof *heap);
	pthread_mutex_init(&made[1].mutex, NULL);
	pthread_cond_init(&made[1].changed, NULL);
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	pthread_join(thread, NULL);
	assert(fixed.balance == 2 && zero.balance == 2 && heap->balance == 2 && made[1].balance == 2);
	assert(pthread_mutex_destroy(&made[1].mutex) == 0 && pthread_cond_destroy(&made[1].changed) == 0);
	pthread_mutex_init(&made[1].mutex, NULL);
	pthread_cond_init(&made[1].changed, NULL);
	pay(&made[1]);
	free(heap);
	return 0;
}
