/* SPDX-License-Identifier: MIT
 *
 * A set kept as a list: in which order the elements came does not matter, and the abstraction forgets it.  Elements are
 * moved to the front for ever, and a stamp grows.
 *
 * RUN: check --abstract elements
 * EXPECT: verified
 * RUN: check --abstract elements --preemptions 0
 * EXPECT: inconclusive: no violation without preemptions
 * RUN: check --abstract elements --preemptions 1
 * EXPECT: verified
 * RUN: check --abstract elements -DWRONG
 * EXPECT: violated assertion
 * RUN: check --abstract elements --abstract nothing --invariant 'list != 0 || !started'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "bitspin.h"

struct node { struct node *next; int element; };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
static unsigned stamp;
static int started;

static void elements(void)
{
	unsigned set = 0, size = 0;
	for (const struct node *n = list; n; n = n->next) {
		set |= 1u << n->element;
		size++;
	}
	bitspin_view(&set, sizeof set);
	bitspin_view(&size, sizeof size);
	bitspin_view(&started, sizeof started);
}

void nothing(void)
{
}

static void add(int element)
{
	struct node *n = malloc(sizeof *n);
	n->element = element;
	n->next = list;
	list = n;
}

static void *rotate(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		struct node *first = list, *last = first;
		while (last->next)
			last = last->next;
		list = first->next;
		last->next = first;
		first->next = 0;
		stamp++;
#ifdef WRONG
		assert(list->element != 2); /* ERROR */
#endif
		pthread_mutex_unlock(&mutex);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 4; i++)
		add(i);
	started = 1;
	pthread_create(&thread, 0, rotate, 0);
	rotate(0);
	return 0;
}
