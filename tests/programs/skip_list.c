/* SPDX-License-Identifier: MIT
 *
 * A set as a skip list, after the lazy list of Heller and others: searches take no lock, insertion and removal lock the
 * predecessors of a node and check that they are still what they were.  Levels come from a table, so that runs are the same.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DREMOVER
 * EXPECT: verified
 * RUN: check -DBUG_NO_VALIDATION
 * EXPECT: violated assertion
 * RUN: check -DBUG_FREE_AT_ONCE -DREMOVER
 * EXPECT: violated data-race
 * RUN: check -DBUG_MISSING_UNLOCK -DREMOVER
 * EXPECT: violated mutex-misuse
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 2 };

struct node {
	int key;
	int levels;
	pthread_mutex_t mutex;
	atomic_bool linked, removed;
	struct node *grave; /* the next of the removed nodes */
	_Atomic(struct node *) next[];
};

struct skip_list {
	struct node *head;
	struct node *tail;
	pthread_mutex_t grave_mutex;
	struct node *graves;
};

struct place {
	struct node *before[LEVELS], *after[LEVELS];
	int found; /* the highest level on which the key was seen, or -1 */
};

static struct node *node_new(int key, int levels)
{
	struct node *node = malloc(sizeof *node + (size_t)levels * sizeof node->next[0]);
	if (node == NULL)
		abort();
	node->key = key;
	node->levels = levels;
	node->grave = NULL;
	pthread_mutex_init(&node->mutex, NULL);
	atomic_init(&node->linked, false);
	atomic_init(&node->removed, false);
	for (int i = 0; i < levels; i++)
		atomic_init(&node->next[i], NULL);
	return node;
}

static void node_free(struct node *node)
{
	pthread_mutex_destroy(&node->mutex); /* ERROR */
	free(node); /* ERROR */
}

static int levels_of(int key)
{
	static const unsigned char levels[] = { 1, 2, 1, 2 };
	return levels[(unsigned)key % sizeof levels];
}

static void list_init(struct skip_list *list)
{
	list->head = node_new(INT_MIN, LEVELS);
	list->tail = node_new(INT_MAX, LEVELS);
	for (int i = 0; i < LEVELS; i++)
		atomic_init(&list->head->next[i], list->tail);
	atomic_init(&list->head->linked, true);
	atomic_init(&list->tail->linked, true);
	pthread_mutex_init(&list->grave_mutex, NULL);
	list->graves = NULL;
}

static void list_find(const struct skip_list *list, int key, struct place *place)
{
	struct node *before = list->head;
	place->found = -1;
	for (int level = LEVELS - 1; level >= 0; level--) {
		struct node *node = atomic_load(&before->next[level]);
		while (node->key < key) { /* ERROR */
			before = node;
			node = atomic_load(&before->next[level]); /* ERROR */
		}
		if (place->found < 0 && node->key == key)
			place->found = level;
		place->before[level] = before;
		place->after[level] = node;
	}
}

static void unlock_places(const struct place *place, int highest)
{
	struct node *previous = NULL;
	for (int level = 0; level <= highest; level++) {
		if (place->before[level] != previous)
			pthread_mutex_unlock(&place->before[level]->mutex);
		previous = place->before[level];
	}
}

/* Locks the predecessors up to a level, from the bottom up; whether they are still neighbours of what follows. */
static bool lock_places(const struct place *place, int levels, bool removing, int *highest)
{
	struct node *previous = NULL;
	*highest = -1;
	for (int level = 0; level < levels; level++) {
		struct node *before = place->before[level], *after = place->after[level];
		if (before != previous)
			pthread_mutex_lock(&before->mutex); /* ERROR */
		previous = before;
		*highest = level;
#ifndef BUG_NO_VALIDATION
		if (atomic_load(&before->removed) || atomic_load(&before->next[level]) != after ||
			(!removing && atomic_load(&after->removed)))
			return false;
#else
		(void)after, (void)removing;
#endif
	}
	return true;
}

static bool list_insert(struct skip_list *list, int key)
{
	const int levels = levels_of(key);
	for (;;) {
		struct place place;
		list_find(list, key, &place);
		if (place.found >= 0) {
			struct node *node = place.after[place.found];
			if (atomic_load(&node->removed))
				continue;
			while (!atomic_load(&node->linked))
				;
			return false;
		}
		int highest;
		if (!lock_places(&place, levels, false, &highest)) {
#ifndef BUG_MISSING_UNLOCK
			unlock_places(&place, highest);
#endif
			continue;
		}
		struct node *node = node_new(key, levels);
		for (int level = 0; level < levels; level++)
			atomic_store(&node->next[level], place.after[level]);
		for (int level = 0; level < levels; level++)
			atomic_store(&place.before[level]->next[level], node);
		atomic_store(&node->linked, true);
		unlock_places(&place, highest);
		return true;
	}
}

static void list_bury(struct skip_list *list, struct node *node)
{
#ifdef BUG_FREE_AT_ONCE
	(void)list;
	node_free(node);
#else
	pthread_mutex_lock(&list->grave_mutex);
	node->grave = list->graves;
	list->graves = node;
	pthread_mutex_unlock(&list->grave_mutex);
#endif
}

static bool list_remove(struct skip_list *list, int key)
{
	struct place place;
	list_find(list, key, &place);
	if (place.found < 0)
		return false;
	struct node *node = place.after[place.found];
	if (!atomic_load(&node->linked) || place.found != node->levels - 1)
		return false;
	pthread_mutex_lock(&node->mutex);
	if (atomic_load(&node->removed)) {
		pthread_mutex_unlock(&node->mutex);
		return false;
	}
	atomic_store(&node->removed, true);
	for (int highest; !lock_places(&place, node->levels, true, &highest);) {
		unlock_places(&place, highest);
		list_find(list, key, &place);
	}
	for (int level = node->levels - 1; level >= 0; level--)
		atomic_store(&place.before[level]->next[level], atomic_load(&node->next[level]));
	pthread_mutex_unlock(&node->mutex);
	unlock_places(&place, node->levels - 1);
	list_bury(list, node);
	return true;
}

static bool list_contains(const struct skip_list *list, int key)
{
	struct place place;
	list_find(list, key, &place);
	return place.found >= 0 && atomic_load(&place.after[place.found]->linked) &&
		   !atomic_load(&place.after[place.found]->removed);
}

static void list_release(struct skip_list *list)
{
	for (struct node *node = list->head, *next; node != NULL; node = next) {
		next = atomic_load(&node->next[0]);
		node_free(node);
	}
	for (struct node *node = list->graves, *next; node != NULL; node = next) {
		next = node->grave;
		node_free(node);
	}
}

static struct skip_list list;

static void *insert_one(void *argument)
{
	const int key = *(int *)argument;
	const bool inserted = list_insert(&list, key);
	assert(inserted);
	return NULL;
}

#ifdef REMOVER
static void *remove_two(void *argument)
{
	(void)argument;
	const bool removed = list_remove(&list, 2);
	assert(removed);
	return NULL;
}
#endif

int main(void)
{
	static int keys[] = { 4, 3 };
	pthread_t threads[2];
	list_init(&list);
	list_insert(&list, 2);
	pthread_create(&threads[0], NULL, insert_one, &keys[1]);
#ifdef REMOVER
	pthread_create(&threads[1], NULL, remove_two, NULL);
#else
	pthread_create(&threads[1], NULL, insert_one, &keys[0]);
#endif
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(list_contains(&list, 3)); /* ERROR */
#ifdef REMOVER
	assert(!list_contains(&list, 2));
#else
	assert(list_contains(&list, 4) && list_contains(&list, 2)); /* ERROR */
#endif
	for (int level = 0; level < LEVELS; level++)
		for (const struct node *node = list.head; node != list.tail; node = node->next[level])
			assert(node->key < node->next[level]->key);
	list_release(&list);
	return EXIT_SUCCESS;
}
