/* SPDX-License-Identifier: MIT
 *
 * See byte_sets.h.  A set is a sorted list of ranges, in one array with all the others.
 */
#include "byte_sets.h"
#include "../../state/state.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <stdlib.h>

enum { MEMO = 1 << 12 }; /* a power of two */

struct list { /* a set: where its ranges are */
	uint32_t first, count;
};

struct known {
	byte_set a, b, result; /* result 0: nothing */
};

static VM_OWN struct {
	struct bytes *ranges;
	uint32_t used, capacity;
	struct list *lists; /* by number */
	uint32_t count, list_capacity;
	byte_set *places; /* of sets, by a hash of their ranges; 0: free */
	uint32_t size;    /* a power of two */
	struct known united[MEMO], less[MEMO];
	struct bytes *scratch;
	uint32_t scratch_capacity;
} sets;

static uint64_t hash_of(const struct bytes *ranges, uint32_t count)
{
	return XXH3_64bits(ranges, count * sizeof *ranges);
}

static byte_set *place_of(const struct bytes *ranges, uint32_t count)
{
	uint32_t at = (uint32_t)hash_of(ranges, count) & (sets.size - 1);
	for (; sets.places[at]; at = (at + 1) & (sets.size - 1)) {
		const struct list *list = &sets.lists[sets.places[at]];
		if (list->count == count && memcmp(sets.ranges + list->first, ranges, count * sizeof *ranges) == 0)
			break;
	}
	return &sets.places[at];
}

static void make_places(void)
{
	if (2 * (sets.count + 1) < sets.size)
		return;
	uint32_t capacity = sets.size;
	sets.size = sets.size ? 2 * sets.size : 256;
	sets.places = vm_grow(sets.places, &capacity, sets.size, sizeof *sets.places);
	memset(sets.places, 0, sets.size * sizeof *sets.places);
	for (byte_set i = NO_BYTES; i < sets.count; i++)
		*place_of(sets.ranges + sets.lists[i].first, sets.lists[i].count) = i;
}

/* Return the set of these ranges, which are sorted and apart from each other. */
static byte_set number_of(const struct bytes *ranges, uint32_t count)
{
	make_places();
	byte_set *place = place_of(ranges, count);
	if (*place)
		return *place;
	sets.ranges = vm_grow(sets.ranges, &sets.capacity, (uint64_t)sets.used + count + 1, sizeof *sets.ranges);
	sets.lists = vm_grow(sets.lists, &sets.list_capacity, (uint64_t)sets.count + 1, sizeof *sets.lists);
	if (count)
		memcpy(sets.ranges + sets.used, ranges, count * sizeof *ranges);
	sets.lists[sets.count] = (struct list){ sets.used, count };
	sets.used += count;
	return *place = sets.count++;
}

static void begin(void)
{
	static const struct bytes nothing[1];
	if (sets.count)
		return;
	sets.lists = vm_grow(sets.lists, &sets.list_capacity, 1, sizeof *sets.lists);
	sets.count = NO_BYTES;
	byte_set empty = number_of(nothing, 0);
	assert(empty == NO_BYTES);
	(void)empty;
}

static int by_place(const void *a, const void *b)
{
	const struct bytes *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

static void sort(struct bytes *ranges, uint32_t count)
{
	enum { FEW = 12 };
	if (count > FEW) {
		qsort(ranges, count, sizeof *ranges, by_place);
		return;
	}
	for (uint32_t i = 1; i < count; i++) {
		struct bytes range = ranges[i];
		uint32_t k = i;
		for (; k && ranges[k - 1].low > range.low; k--)
			ranges[k] = ranges[k - 1];
		ranges[k] = range;
	}
}

/* Add a range, which begins behind the others, to the `count` ranges in `to`.  Return how many there are then. */
static uint32_t add(struct bytes *to, uint32_t count, struct bytes range)
{
	assert(range.low < range.high && (!count || to[count - 1].low <= range.low));
	if (!count || to[count - 1].high < range.low) {
		to[count] = range;
		return count + 1;
	}
	if (range.high > to[count - 1].high)
		to[count - 1].high = range.high;
	return count;
}

byte_set vm_bytes_set(struct bytes *ranges, uint32_t count)
{
	uint32_t kept = 0;
	begin();
	sort(ranges, count);
	for (uint32_t i = 0; i < count; i++)
		kept = add(ranges, kept, ranges[i]);
	return number_of(ranges, kept);
}

const struct bytes *vm_bytes_of(byte_set set, uint32_t *count)
{
	begin(); /* the empty set may be the first that anybody asks about */
	assert(set >= NO_BYTES && set < sets.count);
	*count = sets.lists[set].count;
	return sets.ranges + sets.lists[set].first;
}

static struct known *known_of(struct known *memo, byte_set a, byte_set b)
{
	return &memo[(a * 2654435761u ^ b * 2246822519u) >> 16 & (MEMO - 1)];
}

byte_set vm_bytes_unite(byte_set a, byte_set b)
{
	if (a == b || b == NO_BYTES)
		return a;
	if (a == NO_BYTES)
		return b;
	struct known *known = known_of(sets.united, a, b);
	if (known->result && known->a == a && known->b == b)
		return known->result;
	uint32_t x_count, y_count, count = 0;
	const struct bytes *x = vm_bytes_of(a, &x_count), *y = vm_bytes_of(b, &y_count);
	sets.scratch = vm_grow(sets.scratch, &sets.scratch_capacity, (uint64_t)x_count + y_count, sizeof *sets.scratch);
	for (uint32_t i = 0, k = 0; i < x_count || k < y_count;) {
		bool from_x = k == y_count || (i < x_count && x[i].low <= y[k].low);
		count = add(sets.scratch, count, from_x ? x[i++] : y[k++]);
	}
	*known = (struct known){ a, b, number_of(sets.scratch, count) };
	return known->result;
}

byte_set vm_bytes_minus(byte_set a, byte_set b)
{
	if (b == NO_BYTES || a == NO_BYTES)
		return a;
	struct known *known = known_of(sets.less, a, b);
	if (known->result && known->a == a && known->b == b)
		return known->result;
	uint32_t x_count, y_count, count = 0;
	const struct bytes *x = vm_bytes_of(a, &x_count), *y = vm_bytes_of(b, &y_count);
	sets.scratch = vm_grow(sets.scratch, &sets.scratch_capacity, (uint64_t)x_count + y_count, sizeof *sets.scratch);
	for (uint32_t i = 0, k = 0; i < x_count; i++) {
		uint32_t low = x[i].low;
		while (k < y_count && y[k].high <= low)
			k++;
		for (uint32_t at = k; at < y_count && y[at].low < x[i].high; at++) {
			if (low < y[at].low)
				sets.scratch[count++] = (struct bytes){ low, y[at].low };
			low = y[at].high;
		}
		if (low < x[i].high)
			sets.scratch[count++] = (struct bytes){ low, x[i].high };
	}
	*known = (struct known){ a, b, number_of(sets.scratch, count) };
	return known->result;
}

void vm_bytes_forget(void)
{
	sets.used = sets.count = 0;
	memset(sets.united, 0, sizeof sets.united);
	memset(sets.less, 0, sizeof sets.less);
	if (sets.size)
		memset(sets.places, 0, sets.size * sizeof *sets.places);
}
