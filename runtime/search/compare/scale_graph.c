/* SPDX-License-Identifier: MIT
 *
 * See scale_graph.h.  A graph is known by the exclusive or of a hash of each of its actions: the thread, the action's number
 * in it, its outcome, and the version of each variable that it accesses.  A write makes a new version; a read has that of the last
 * write.  So two paths have the same hash if they differ in the order of independent actions only.
 *
 * A variable is a byte: accesses may overlap in part.  Neighbouring bytes with the same version count as one, so it does not
 * matter where other accesses have begun and ended.  A thread is a variable, too: to create or join it is to write it.  It has
 * the next number, as in the thesis, so two threads that create one each depend on each other.
 */
#include "scale_graph.h"
#include "../base/limits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define THREADS 0x80000000u /* + the number of a thread: an object that is none */

struct segment { /* bytes [low, high) of an object, of one version */
	uint32_t object, low, high, version;
};

static VM_OWN struct {
	struct scale_hash hash;
	struct segment *segments; /* sorted; what is in none has version 0 */
	uint32_t count, capacity;
	uint32_t *steps; /* by the number of a thread: actions it has taken */
	uint32_t threads, steps_capacity;
	uint32_t numbers[VM_MAX_SLOTS];
	uint32_t everything; /* actions that depend on all others */
} graph = { .threads = 1 };

/* ---- versions ------------------------------------------------------------------------------------------------------ */

/* Return the index of the first segment that ends behind byte `at` of the object. */
static uint32_t find(uint32_t object, uint32_t at)
{
	uint32_t low = 0, high = graph.count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct segment *s = &graph.segments[middle];
		if (s->object < object || (s->object == object && s->high <= at))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool comes_before(const struct segment *a, const struct segment *b)
{
	return a->object != b->object ? a->object < b->object : a->high <= b->low;
}

static void insert(uint32_t index, struct segment segment)
{
	assert(index <= graph.count && segment.low < segment.high);
	assert(index == 0 || comes_before(&graph.segments[index - 1], &segment));
	assert(index == graph.count || comes_before(&segment, &graph.segments[index]));
	graph.segments = vm_grow(graph.segments, &graph.capacity, (uint64_t)graph.count + 1, sizeof *graph.segments);
	memmove(&graph.segments[index + 1], &graph.segments[index], (graph.count - index) * sizeof *graph.segments);
	graph.segments[index] = segment;
	graph.count++;
}

static void split(uint32_t object, uint32_t at)
{
	uint32_t i = find(object, at);
	if (i == graph.count || graph.segments[i].object != object || graph.segments[i].low >= at)
		return;
	struct segment left = graph.segments[i];
	left.high = graph.segments[i].low = at;
	insert(i, left);
}

/* Let the bytes be covered by segments that lie in them; index of the first of these. */
static uint32_t cover(uint32_t object, uint32_t low, uint32_t high)
{
	split(object, low);
	split(object, high);
	uint32_t first = find(object, low), i = first;
	for (uint32_t at = low; at < high; at = graph.segments[i++].high) {
		bool more = i < graph.count && graph.segments[i].object == object && graph.segments[i].low < high;
		uint32_t next = more ? graph.segments[i].low : high;
		if (next > at)
			insert(i, (struct segment){ .object = object, .low = at, .high = next });
	}
	return first;
}

static void change(uint32_t object, uint32_t low, uint32_t high, int by)
{
	for (uint32_t i = cover(object, low, high); i < graph.count; i++) {
		if (graph.segments[i].object != object || graph.segments[i].low >= high)
			break;
		assert(by > 0 || graph.segments[i].version > 0); /* only what was taken is undone */
		graph.segments[i].version += (uint32_t)by;
	}
}

static void change_all(const struct scale_action *action, int by)
{
	const struct scale_move *move = action->move;
	graph.everything += move->everything ? (uint32_t)by : 0;
	for (uint32_t i = 0; i < move->count; i++)
		if (move->ranges[i].write)
			change(move->ranges[i].object, move->ranges[i].low, move->ranges[i].high, by);
	for (unsigned i = 0; i < move->subjects; i++)
		if (move->subject[i].write)
			change(THREADS + action->subject[i], 0, 1, by);
}

/* ---- hashes -------------------------------------------------------------------------------------------------------- */

static VM_OWN struct {
	uint32_t *words;
	uint32_t count, capacity;
} extended; /* an action, with the versions of what it accesses */

static void add_words(const uint32_t *words, uint32_t count)
{
	extended.words = vm_grow(extended.words, &extended.capacity, extended.count + count, sizeof *extended.words);
	memcpy(extended.words + extended.count, words, count * sizeof *words);
	extended.count += count;
}

static void add_access(uint32_t object, uint32_t low, uint32_t high, bool write)
{
	uint32_t i = cover(object, low, high);
	while (low < high) {
		uint32_t version = graph.segments[i].version, end = graph.segments[i++].high;
		for (; end < high && graph.segments[i].version == version; i++)
			end = graph.segments[i].high;
		add_words((const uint32_t[]){ object, low, end, write, version }, 5);
		low = end;
	}
}

struct scale_hash vm_scale_graph_with(const struct scale_action *action)
{
	const struct scale_move *move = action->move;
	uint32_t step = action->thread < graph.steps_capacity ? graph.steps[action->thread] : 0;
	extended.count = 0;
	add_words((const uint32_t[]){ action->thread, step, move->choice, graph.everything, move->everything }, 5);
	for (uint32_t i = 0; i < move->count; i++)
		add_access(move->ranges[i].object, move->ranges[i].low, move->ranges[i].high, move->ranges[i].write);
	for (unsigned i = 0; i < move->subjects; i++)
		add_access(THREADS + action->subject[i], 0, 1, move->subject[i].write);
	XXH128_hash_t hash = XXH3_128bits(extended.words, extended.count * sizeof *extended.words);
	return (struct scale_hash){ .low = graph.hash.low ^ hash.low64, .high = graph.hash.high ^ hash.high64 };
}

struct scale_hash vm_scale_graph(void)
{
	return graph.hash;
}

/* ---- actions ------------------------------------------------------------------------------------------------------- */

struct scale_action vm_scale_action(const struct scale_move *move)
{
	struct scale_action action = { .move = move, .thread = graph.numbers[move->slot] };
	for (unsigned i = 0; i < move->subjects; i++)
		action.subject[i] = move->subject[i].created ? graph.threads : graph.numbers[move->subject[i].slot];
	return action;
}

void vm_scale_graph_take(struct scale_action *action)
{
	const struct scale_move *move = action->move;
	graph.hash = vm_scale_graph_with(action);
	change_all(action, 1);
	graph.steps = vm_grow(graph.steps, &graph.steps_capacity, (uint64_t)graph.threads + 1, sizeof *graph.steps);
	graph.steps[action->thread]++;
	for (unsigned i = 0; i < move->subjects; i++)
		if (move->subject[i].created) {
			action->replaced = graph.numbers[move->subject[i].slot];
			graph.numbers[move->subject[i].slot] = graph.threads++;
		}
}

void vm_scale_graph_undo(const struct scale_action *action)
{
	const struct scale_move *move = action->move;
	for (unsigned i = 0; i < move->subjects; i++)
		if (move->subject[i].created) {
			graph.numbers[move->subject[i].slot] = action->replaced;
			assert(graph.threads > 1);
			graph.threads--;
		}
	assert(graph.steps[action->thread] > 0);
	graph.steps[action->thread]--;
	change_all(action, -1);
	graph.hash = vm_scale_graph_with(action); /* an exclusive or undoes itself */
}

bool vm_scale_writes(const struct scale_action *action)
{
	const struct scale_move *move = action->move;
	for (uint32_t i = 0; i < move->count; i++)
		if (move->ranges[i].write)
			return true;
	for (unsigned i = 0; i < move->subjects; i++)
		if (move->subject[i].write)
			return true;
	return move->everything;
}

static bool overlap(const struct vm_range *x, const struct vm_range *y)
{
	return x->object == y->object && (x->write || y->write) && x->low < y->high && y->low < x->high;
}

bool vm_scale_dependent(const struct scale_action *a, const struct scale_action *b)
{
	if (a->move->everything || b->move->everything)
		return true;
	for (unsigned i = 0; i < a->move->subjects; i++)
		for (unsigned k = 0; k < b->move->subjects; k++)
			if (a->subject[i] == b->subject[k] && (a->move->subject[i].write || b->move->subject[k].write))
				return true;
	for (uint32_t i = 0; i < a->move->count; i++)
		for (uint32_t k = 0; k < b->move->count; k++)
			if (overlap(&a->move->ranges[i], &b->move->ranges[k]))
				return true;
	return false;
}

/* ---- what was visited ---------------------------------------------------------------------------------------------- */

static VM_OWN struct {
	struct scale_hash *slots; /* of both parts 0: none, as no graph is expected to have that hash */
	uint64_t count, capacity; /* capacity: a power of two, or 0 */
} visited;

static struct scale_hash *slot_of(struct scale_hash *slots, uint64_t capacity, struct scale_hash hash)
{
	assert((hash.low || hash.high) && capacity && (capacity & (capacity - 1)) == 0);
	uint64_t i = hash.low & (capacity - 1);
	while ((slots[i].low || slots[i].high) && (slots[i].low != hash.low || slots[i].high != hash.high))
		i = (i + 1) & (capacity - 1);
	return &slots[i];
}

static void grow(void)
{
	uint64_t capacity = visited.capacity ? 2 * visited.capacity : 1024;
	struct scale_hash *bigger = vm_limit_allows(capacity * sizeof *bigger) ? calloc(capacity, sizeof *bigger) : NULL;
	if (!bigger)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	for (uint64_t i = 0; i < visited.capacity; i++)
		if (visited.slots[i].low || visited.slots[i].high)
			*slot_of(bigger, capacity, visited.slots[i]) = visited.slots[i];
	free(visited.slots);
	visited.slots = bigger;
	visited.capacity = capacity;
}

/* Return the key of the graph with this hash.  The key differs from the hash, so that the empty graph has one like others. */
static struct scale_hash key_of(struct scale_hash graph_hash)
{
	graph_hash.low ^= UINT64_C(0x9e3779b97f4a7c15);
	return graph_hash;
}

void vm_scale_visited(struct scale_hash hash)
{
	if (2 * (visited.count + 1) > visited.capacity)
		grow();
	struct scale_hash key = key_of(hash), *slot = slot_of(visited.slots, visited.capacity, key);
	visited.count += !slot->low && !slot->high;
	*slot = key;
}

bool vm_scale_was_visited(struct scale_hash hash)
{
	struct scale_hash *slot = slot_of(visited.slots, visited.capacity, key_of(hash));
	return slot->low || slot->high;
}

uint64_t vm_scale_graphs(void)
{
	return visited.count;
}
