/* SPDX-License-Identifier: MIT
 *
 * Producer and consumer over a ring buffer, with semaphores made of a mutex and a condition variable.
 *
 * The buffer is right, but the consumer believes that after it has taken an item there is none left.  That holds in
 * most runs; it fails when the producer was two items ahead.  With -DRIGHT the consumer only believes what is true.
 *
 *     bitspin check examples/semaphores.c
 *
 * RUN: check
 * EXPECT: violated assertion
 * RUN: check -DRIGHT
 * EXPECT: verified
 * RUN: check -DRIGHT -DSIZE=1 -DITEMS=4
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>

#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

struct semaphore {
	pthread_mutex_t mutex;
	pthread_cond_t raised;
	int value;
};

static struct semaphore empty_slots = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, SIZE};
static struct semaphore full_slots = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], head, items;

static void down(struct semaphore *s)
{
	pthread_mutex_lock(&s->mutex);
	while (s->value == 0)
		pthread_cond_wait(&s->raised, &s->mutex);
	s->value--;
	pthread_mutex_unlock(&s->mutex);
}

static void up(struct semaphore *s)
{
	pthread_mutex_lock(&s->mutex);
	s->value++;
	pthread_cond_signal(&s->raised);
	pthread_mutex_unlock(&s->mutex);
}

static void *producer(void *unused)
{
	(void)unused;
	for (int i = 1; i <= ITEMS; i++) {
		down(&empty_slots);
		pthread_mutex_lock(&mutex);
		buffer[(head + items) % SIZE] = i;
		items++;
		pthread_mutex_unlock(&mutex);
		up(&full_slots);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, producer, NULL);
	for (int i = 1; i <= ITEMS; i++) {
		down(&full_slots);
		pthread_mutex_lock(&mutex);
		assert(buffer[head] == i);
		head = (head + 1) % SIZE;
		items--;
#ifndef RIGHT
		assert(items == 0); /* ERROR */
#endif
		pthread_mutex_unlock(&mutex);
		up(&empty_slots);
	}
	pthread_join(thread, NULL);
	assert(items == 0);
	return 0;
}
