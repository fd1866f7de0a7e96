/* SPDX-License-Identifier: MIT
 *
 * A sorted list without locks, of the kind that van der Berg checks with llmc (CAV 2021): a node is put between two others by a
 * compare-exchange of the pointer of the first, and the search for the place goes on from there if that fails.  N threads put KEYS
 * keys each, of which the last is the same for all and stays once.  What they do is ours.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif
#ifndef KEYS
#define KEYS 2
#endif
#include "../pairs/threads.h"

struct node {
	int key;
	_Atomic(struct node *) next;
};
static _Atomic(struct node *) list;

static void put(int key)
{
	struct node *node = malloc(sizeof *node);
	_Atomic(struct node *) *place = &list;
	node->key = key;
	for (;;) {
		struct node *next = atomic_load(place);
		if (next && next->key < key) {
			place = &next->next;
		} else if (next && next->key == key) {
			free(node);
			return;
		} else {
			atomic_store(&node->next, next);
			if (atomic_compare_exchange_strong(place, &next, node))
				return;
		}
	}
}

static void *work(void *argument)
{
	int me = NUMBER(argument);
	for (int i = 0; i < KEYS - 1; i++)
		put(1 + me + i * N);
	put(KEYS * N);
	return NULL;
}

int main(void)
{
	run(work);
	int count = 0;
	for (struct node *node = list, *next; node; node = next, count++) {
		next = node->next;
		assert(!next || node->key < next->key);
		free(node);
	}
	assert(count == N * (KEYS - 1) + 1);
	return 0;
}
