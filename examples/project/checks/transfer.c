/* SPDX-License-Identifier: MIT
 *
 * Whatever two threads put, two others take, each item once.
 */
#include "../src/queue.h"

#include <assert.h>

enum { EACH = 2 };

static struct queue queue;
static int items[2 * EACH], taken[2 * EACH];

static void *put(void *first)
{
	for (int i = 0; i < EACH; i++)
		assert(queue_put(&queue, (int *)first + i));
	return NULL;
}

static void *take(void *unused)
{
	for (int i = 0; i < EACH; i++)
		__atomic_fetch_add(&taken[(int *)queue_take(&queue) - items], 1, __ATOMIC_SEQ_CST);
	return unused;
}

int main(void)
{
	pthread_t threads[4];
	queue_init(&queue);
	for (int i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, put, &items[EACH * i]);
		pthread_create(&threads[2 + i], NULL, take, NULL);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2 * EACH; i++)
		assert(taken[i] == 1);
	queue_destroy(&queue);
	return 0;
}
