/* SPDX-License-Identifier: MIT
 *
 * Michael and Scott's queue with hazard pointers: a node is freed when no thread says that it still looks at it.
 *
 * RUN: check --leaks
 * EXPECT: verified
 * RUN: check -DCONSUMERS=2 -DITEMS=1
 * EXPECT: verified
 * RUN: check -DBUG_FREE -DCONSUMERS=2 -DITEMS=1
 * EXPECT: violated use-after-free
 * RUN: check -DBUG_RECHECK -DCONSUMERS=2 -DITEMS=1
 * EXPECT: violated use-after-free
 * RUN: check -DBUG_LINK -DPRODUCERS=2
 * EXPECT: violated assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
enum { THREADS = PRODUCERS + CONSUMERS + 1, HAZARDS = 2, MOST = 4 };

struct node {
	struct node *_Atomic next;
	int value;
};

struct thread { /* one each; others read the hazards */
	struct node *_Atomic hazard[HAZARDS];
	struct node *retired[MOST];
	int count;
};

static struct node *_Atomic head, *_Atomic tail;
static struct thread all[THREADS];

static bool is_hazardous(const struct node *node)
{
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < HAZARDS; k++)
			if (all[i].hazard[k] == node)
				return true;
	return false;
}

static void scan(struct thread *self)
{
	int kept = 0;
	for (int i = 0; i < self->count; i++) {
		if (is_hazardous(self->retired[i]))
			self->retired[kept++] = self->retired[i];
		else
			free(self->retired[i]);
	}
	self->count = kept;
}

static void retire(struct thread *self, struct node *node)
{
#ifdef BUG_FREE
	free(node);
	(void)self;
	(void)scan;
#else
	assert(self->count < MOST);
	self->retired[self->count++] = node;
	scan(self);
#endif
}

/* What `from` points to, which is not freed before the hazard is set to something else. */
static struct node *protect(struct thread *self, int hazard, struct node *_Atomic *from)
{
	struct node *node;
	do {
		node = *from; /* ERROR */
		self->hazard[hazard] = node;
#ifdef BUG_RECHECK
		break; /* it may have been retired and freed before the hazard was seen */
#endif
	} while (node != *from); /* ERROR */
	return node;
}

static void clear(struct thread *self)
{
	for (int i = 0; i < HAZARDS; i++)
		self->hazard[i] = NULL;
}

static void enqueue(struct thread *self, int value)
{
	struct node *node = malloc(sizeof *node);
	node->value = value;
	atomic_init(&node->next, NULL);
	for (;;) {
		struct node *last = protect(self, 0, &tail), *next = last->next;
		if (next) { /* help whoever has not moved the tail yet */
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
#ifdef BUG_LINK
		last->next = node;
		tail = node;
		break;
#else
		if (atomic_compare_exchange_strong(&last->next, &next, node)) {
			atomic_compare_exchange_strong(&tail, &last, node);
			break;
		}
#endif
	}
	clear(self);
}

static int dequeue(struct thread *self)
{
	for (;;) {
		struct node *first = protect(self, 0, &head), *last = tail;
		struct node *next = protect(self, 1, &first->next);
		if (first != head)
			continue;
		if (!next)
			break;
		if (first == last) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		int value = next->value;
		if (atomic_compare_exchange_strong(&head, &first, next)) {
			clear(self);
			retire(self, first);
			return value;
		}
	}
	clear(self);
	return 0;
}

static void *produce(void *argument)
{
	struct thread *self = argument;
	for (int i = 0; i < ITEMS; i++)
		enqueue(self, (int)(self - all) * 10 + i + 1);
	return NULL;
}

static void *consume(void *argument)
{
	int sum = 0, last = 0;
	for (int i = 0; i < ITEMS; i++) {
		int value = dequeue(argument);
		assert(PRODUCERS > 1 || !value || value > last); /* in the order of the one producer */
		last = value ? value : last;
		sum += value;
	}
	return (void *)(long)sum;
}

int main(void)
{
	pthread_t threads[THREADS];
	struct thread *self = &all[THREADS - 1];
	head = calloc(1, sizeof(struct node));
	tail = head;
	int sum = 0, value, expected = 0;
	for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
		pthread_create(&threads[i], NULL, i < PRODUCERS ? produce : consume, &all[i]);
	for (int i = 0; i < PRODUCERS + CONSUMERS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		sum += (int)(long)result;
	}
	while ((value = dequeue(self)))
		sum += value;
	for (int i = 0; i < PRODUCERS; i++)
		expected += ITEMS * i * 10 + ITEMS * (ITEMS + 1) / 2;
	assert(sum == expected); /* ERROR */
	for (int i = 0; i < THREADS; i++)
		scan(&all[i]);
	free(head);
	return 0;
}
