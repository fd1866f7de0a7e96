/* SPDX-License-Identifier: MIT
 *
 * A queue of a fixed size between threads: who takes from an empty one waits, and so does who puts into a full one.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdbool.h>

enum { QUEUE_PLACES = 1 };

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void *items[QUEUE_PLACES];
	unsigned first, count;
	bool closed;
};

void queue_init(struct queue *queue);
void queue_destroy(struct queue *queue);

/* Append an item.  Return false if the queue is closed. */
bool queue_put(struct queue *queue, void *item);

/* Remove the oldest item and return it; NULL when the queue is closed and empty. */
void *queue_take(struct queue *queue);

/* Let nobody put anything any more, and wake all who wait. */
void queue_close(struct queue *queue);

#endif
