/* SPDX-License-Identifier: MIT
 *
 * See queue.h.  Compiled with -DSIGNAL_ONE, it has a bug that tests which run it once hardly ever show: puts and takes wake one
 * thread, which may be one that waits for the other.
 */
#include "queue.h"

#include <stddef.h>

#ifdef SIGNAL_ONE
#define wake pthread_cond_signal
#else
#define wake pthread_cond_broadcast
#endif

void queue_init(struct queue *queue)
{
	pthread_mutex_init(&queue->lock, NULL);
	pthread_cond_init(&queue->changed, NULL);
	queue->first = queue->count = 0;
	queue->closed = false;
}

void queue_destroy(struct queue *queue)
{
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->lock);
}

bool queue_put(struct queue *queue, void *item)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->count == QUEUE_PLACES && !queue->closed)
		pthread_cond_wait(&queue->changed, &queue->lock);
	bool open = !queue->closed;
	if (open) {
		queue->items[(queue->first + queue->count++) % QUEUE_PLACES] = item;
		wake(&queue->changed);
	}
	pthread_mutex_unlock(&queue->lock);
	return open;
}

void *queue_take(struct queue *queue)
{
	void *item = NULL;
	pthread_mutex_lock(&queue->lock);
	while (queue->count == 0 && !queue->closed)
		pthread_cond_wait(&queue->changed, &queue->lock);
	if (queue->count) {
		item = queue->items[queue->first];
		queue->first = (queue->first + 1) % QUEUE_PLACES;
		queue->count--;
		wake(&queue->changed);
	}
	pthread_mutex_unlock(&queue->lock);
	return item;
}

void queue_close(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->closed = true;
	pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->lock);
}
