/* SPDX-License-Identifier: MIT
 *
 * A lock-free hash table from keys to counters: open addressing, linear probing, a slot is claimed by compare-and-swap of its
 * key and never given up.  Counters are added to by compare-and-swap, too; a removed key keeps its slot, its counter is TOMB.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DTHREADS=3 -DSAME
 * EXPECT: verified
 * RUN: check -DREMOVE
 * EXPECT: verified
 * RUN: check -DBUG_CLAIM
 * EXPECT: violated assertion
 * RUN: check -DBUG_PROBE
 * EXPECT: violated out-of-bounds
 * RUN: check -DBUG_ADD -DSAME
 * EXPECT: violated assertion
 * RUN: check -DBUG_PLAIN_KEY
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#define SLOTS 4 /* a power of two */

enum { EMPTY = 0 };
#define TOMB INT64_MIN

struct slot {
#ifdef BUG_PLAIN_KEY
	uint32_t key;
#else
	_Atomic uint32_t key;
#endif
	_Atomic int64_t value;
};

struct table {
	atomic_uint used;
	struct slot slots[SLOTS];
};

static struct table *table;

static unsigned hash(uint32_t key)
{
	key *= 2654435769u;
	return key >> 30;
}

/* The slot is the key's from now on, or somebody else's. */
static bool claim(struct table *t, struct slot *slot, uint32_t key)
{
#if defined BUG_CLAIM
	if (slot->key != EMPTY)
		return slot->key == key;
	slot->key = key; /* the other one may have looked as well */
	t->used++;
	return true;
#elif defined BUG_PLAIN_KEY
	if (slot->key == EMPTY) {
		slot->key = key;
		t->used++;
	}
	return slot->key == key;
#else
	uint32_t found = EMPTY;
	if (!atomic_compare_exchange_strong(&slot->key, &found, key))
		return found == key;
	t->used++;
	return true;
#endif
}

static struct slot *find(struct table *t, uint32_t key, bool insert)
{
	unsigned start = hash(key);
	for (unsigned i = 0; i < SLOTS; i++) {
#ifdef BUG_PROBE
		struct slot *slot = &t->slots[start + i];
#else
		struct slot *slot = &t->slots[(start + i) % SLOTS];
#endif
		uint32_t there = slot->key; /* ERROR */
		if (there == key)
			return slot;
		if (there != EMPTY)
			continue;
		if (!insert)
			return NULL;
		if (claim(t, slot, key))
			return slot;
	}
	return NULL;
}

static bool add(struct table *t, uint32_t key, int64_t n)
{
	struct slot *slot = find(t, key, true);
	if (!slot)
		return false;
	int64_t old = slot->value;
#ifdef BUG_ADD
	slot->value = (old == TOMB ? 0 : old) + n;
#else
	while (!atomic_compare_exchange_weak(&slot->value, &old, (old == TOMB ? 0 : old) + n))
		;
#endif
	return true;
}

static int64_t take(struct table *t, uint32_t key)
{
	struct slot *slot = find(t, key, false);
	if (!slot)
		return 0;
	int64_t old = atomic_exchange(&slot->value, TOMB);
	return old == TOMB ? 0 : old;
}

static int64_t total(const struct table *t, uint32_t key)
{
	int64_t sum = 0;
	unsigned slots = 0;
	for (unsigned i = 0; i < SLOTS; i++) {
		if (t->slots[i].key != key)
			continue;
		slots++;
		sum += t->slots[i].value == TOMB ? 0 : t->slots[i].value;
	}
	assert(slots <= 1);
	return sum;
}

/* Keys 1, 2 and 3 begin at slots 2, 0 and 3; 4 and 9 at 1 and 2, so that 9 meets 1. */
static void *work(void *argument)
{
	uint32_t me = (uint32_t)(uintptr_t)argument;
#ifdef SAME
	uint32_t key = 1;
	bool done = add(table, key, me);
#else
	bool done = add(table, me % 2 ? 1 : 9, 10) && add(table, 9, me);
#endif
	assert(done);
#ifdef REMOVE
	return (void *)(uintptr_t)take(table, 9);
#else
	return NULL;
#endif
}

int main(void)
{
	pthread_t threads[THREADS];
	int64_t taken = 0;
	table = calloc(1, sizeof *table);
#ifdef BUG_PROBE
	add(table, 3, 5);
	add(table, 3 + 5, 5);
#endif
	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1));
	for (unsigned i = 0; i < THREADS; i++) {
		void *got;
		pthread_join(threads[i], &got);
		taken += (int64_t)(uintptr_t)got;
	}
#ifdef SAME
	assert(total(table, 1) == THREADS * (THREADS + 1) / 2 && table->used == 1); /* ERROR */
#else
	assert(total(table, 1) == 10 && total(table, 9) + taken == 13); /* ERROR */
#endif
	free(table);
	return 0;
}
