/* SPDX-License-Identifier: MIT
 *
 * A bounded queue whose producers do not look again when they have waited.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#define CAPACITY 2
struct queue {
	pthread_mutex_t mutex;
	pthread_cond_t not_full, not_empty;
	int items[CAPACITY], first, count;
	bool closed;
};
static struct queue q = { .mutex = PTHREAD_MUTEX_INITIALIZER };
static bool put(struct queue *queue, int item)
{
	pthread_mutex_lock(&queue->mutex);
	if (queue->count == CAPACITY && !queue->closed)
		pthread_cond_wait(&queue->not_full, &queue->mutex);
	if (queue->closed) {
		pthread_mutex_unlock(&queue->mutex);
		return false;
	}
	queue->items[(queue->first + queue->count++) % CAPACITY] = item;
	pthread_cond_signal(&queue->not_empty);
	pthread_mutex_unlock(&queue->mutex);
	return true;
}
static bool take(struct queue *queue, int *item)
{
	pthread_mutex_lock(&queue->mutex);
	while (queue->count == 0 && !queue->closed)
		pthread_cond_wait(&queue->not_empty, &queue->mutex);
	if (queue->count == 0) {
		pthread_mutex_unlock(&queue->mutex);
		return false;
	}
	*item = queue->items[queue->first];
	queue->first = (queue->first + 1) % CAPACITY;
	queue->count--;
	assert(queue->count < CAPACITY);
	pthread_cond_signal(&queue->not_full);
	pthread_mutex_unlock(&queue->mutex);
	return true;
}
static void *producer(void *first)
{
	for (int i = 0; i < 2; i++)
		put(&q, (int)(long)first + i);
	return NULL;
}
static void *consumer(void *unused)
{
	int item, sum = 0;
	while (take(&q, &item))
		sum += item;
	return (void *)(long)sum;
}
int main(void)
{
	pthread_t producers[2], reader;
	pthread_create(&producers[0], NULL, producer, (void *)1);
	pthread_create(&producers[1], NULL, producer, (void *)10);
	pthread_create(&reader, NULL, consumer, NULL);
	pthread_join(producers[0], NULL);
	pthread_join(producers[1], NULL);
	pthread_mutex_lock(&q.mutex);
	q.closed = true;
	pthread_cond_broadcast(&q.not_empty);
	pthread_mutex_unlock(&q.mutex);
	void *sum;
	pthread_join(reader, &sum);
	assert((long)sum == 1 + 2 + 10 + 11);
	return 0;
}
