/* SPDX-License-Identifier: MIT
 *
 * To close a queue ends those who wait, and loses nothing that was put before.
 */
#include "../src/queue.h"

#include <assert.h>

static struct queue queue;
static int item;

static void *take(void *unused)
{
	int count = 0;
	while (queue_take(&queue))
		count++;
	(void)unused;
	return (void *)(long)count;
}

int main(void)
{
	pthread_t threads[2];
	void *counts[2];
	queue_init(&queue);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, take, NULL);
	assert(queue_put(&queue, &item));
	queue_close(&queue);
	assert(!queue_put(&queue, &item));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], &counts[i]);
	assert((long)counts[0] + (long)counts[1] == 1);
	queue_destroy(&queue);
	return 0;
}
