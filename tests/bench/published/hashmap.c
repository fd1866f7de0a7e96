/* SPDX-License-Identifier: MIT
 *
 * A hash map without locks, of the kind that van der Berg checks with llmc (CAV 2021): a key is put into the first free place from
 * its hash on, by compare-exchange; then its value is stored.  N threads put KEYS keys each, the second half of which the next
 * thread puts, too, and look them up.  What they do is ours.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef KEYS
#define KEYS 2
#endif
#include "../pairs/threads.h"
enum { PLACES = 8, APART = KEYS - KEYS / 2, DIFFERENT = N * APART };
_Static_assert((int)DIFFERENT <= (int)PLACES, "there is a place for each key");

static struct {
	atomic_int key, value; /* 0: none */
} places[PLACES];

static void put(int key, int value)
{
	for (int at = key * 5 % PLACES;; at = (at + 1) % PLACES) {
		int there = 0;
		if (atomic_compare_exchange_strong(&places[at].key, &there, key) || there == key) {
			atomic_store(&places[at].value, value);
			return;
		}
	}
}

static int get(int key)
{
	for (int at = key * 5 % PLACES;; at = (at + 1) % PLACES) {
		int there = atomic_load(&places[at].key);
		if (there == key)
			return atomic_load(&places[at].value);
		if (!there)
			return 0;
	}
}

/* Return the key number `i` of thread `me`. */
static int key_of(int me, int i)
{
	return 1 + (me * APART + i) % DIFFERENT;
}

static void *work(void *argument)
{
	int me = NUMBER(argument);
	for (int i = 0; i < KEYS; i++)
		put(key_of(me, i), me + 1);
	for (int i = 0; i < KEYS; i++)
		assert(get(key_of(me, i)));
	return NULL;
}

int main(void)
{
	run(work);
	int count = 0;
	for (int i = 0; i < PLACES; i++)
		count += places[i].key != 0;
	assert(count == DIFFERENT);
	return 0;
}
