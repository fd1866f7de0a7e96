/* SPDX-License-Identifier: MIT
 *
 * See graph.h.  An action happens after all earlier actions that it depends on (footprint.h), and after all of its thread.
 * A graph is known by the exclusive or of a hash of each of its actions: its thread, its outcome, and its vector clock,
 * which gives its position in the thread and all that happens before it.  The order in which the actions happened to be
 * taken leaves no trace in it.  (What an action does follows from these, so it need not be hashed.)  After Musuvathi and
 * Qadeer, "Iterative context bounding" (PLDI 2007), and Florian's thesis on SCALE (2010), section 5.3.4.
 *
 * To compute the clock of the next action, a graph also has a clock for each thread, and for each byte of shared memory
 * that was accessed the clock of its last write and the join of those of the reads since.  All are functions of the graph,
 * so equal graphs have equal blobs, and the ref of a blob is the graph's identity:
 *
 *     struct graph_header; a ref to a clock for each thread; struct access, sorted by object and bytes
 *
 * Neighbouring accesses with equal clocks are one.  A clock is a blob of its own, an array of counts without trailing zeros.
 */
#include "graph.h"
#include "../../memory/footprint.h"
#include "../step/single.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_THREADS = 256 };

struct graph_header {
	uint64_t low, high; /* exclusive or of the actions' hashes */
	uint32_t threads, accesses;
};

/* to bytes [low, high) of an object */
struct access {
	uint32_t object, low, high;
	vm_ref written, read; /* clocks; 0: never, since the write never */
};

struct clock {
	uint32_t counts[MOST_THREADS];
};

/* the working graph */
static VM_OWN struct {
	struct graph_header header;
	vm_ref clocks[MOST_THREADS];
	struct access *accesses;
	uint32_t capacity;
} graph;

/* ---- clocks -------------------------------------------------------------------------------------------------------- */

static void join(struct clock *clock, vm_ref other)
{
	const uint32_t *counts = other ? vm_table_get(other) : NULL;
	uint32_t n = other ? vm_table_size(other) / sizeof *counts : 0;
	for (uint32_t i = 0; i < n; i++)
		if (counts[i] > clock->counts[i])
			clock->counts[i] = counts[i];
}

static uint32_t clock_length(const struct clock *clock)
{
	uint32_t n = MOST_THREADS;
	while (n > 0 && clock->counts[n - 1] == 0)
		n--;
	return n;
}

static vm_ref put(const void *bytes, size_t size)
{
	vm_ref ref = vm_table_put(bytes, (uint32_t)size);
	if (!ref)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	return ref;
}

static vm_ref put_clock(const struct clock *clock)
{
	return put(clock->counts, clock_length(clock) * sizeof *clock->counts);
}

static vm_ref joined(vm_ref a, vm_ref b)
{
	struct clock clock = { 0 };
	join(&clock, a);
	join(&clock, b);
	return put_clock(&clock);
}

/* ---- accesses ------------------------------------------------------------------------------------------------------ */

/* Return the index of the first access that ends behind byte `at` of the object. */
static uint32_t find(uint32_t object, uint32_t at)
{
	uint32_t i = 0;
	while (i < graph.header.accesses &&
	       (graph.accesses[i].object < object || (graph.accesses[i].object == object && graph.accesses[i].high <= at)))
		i++;
	return i;
}

static bool comes_before(const struct access *a, const struct access *b)
{
	return a->object != b->object ? a->object < b->object : a->high <= b->low;
}

static void insert(uint32_t index, struct access access)
{
	assert(index <= graph.header.accesses && access.low < access.high);
	assert(index == 0 || comes_before(&graph.accesses[index - 1], &access));
	assert(index == graph.header.accesses || comes_before(&access, &graph.accesses[index]));
	graph.accesses = vm_grow(graph.accesses, &graph.capacity, (uint64_t)graph.header.accesses + 1, sizeof *graph.accesses);
	memmove(&graph.accesses[index + 1], &graph.accesses[index], (graph.header.accesses - index) * sizeof *graph.accesses);
	graph.accesses[index] = access;
	graph.header.accesses++;
}

/* Let no access lie on both sides of a byte. */
static void split(uint32_t object, uint32_t at)
{
	uint32_t i = find(object, at);
	if (i == graph.header.accesses || graph.accesses[i].object != object || graph.accesses[i].low >= at)
		return;
	struct access left = graph.accesses[i];
	left.high = graph.accesses[i].low = at;
	insert(i, left);
}

/* Let the bytes of a range be covered by accesses that lie in it; index of the first of them. */
static uint32_t cover(const struct vm_range *range)
{
	split(range->object, range->low);
	split(range->object, range->high);
	uint32_t first = find(range->object, range->low), i = first;
	for (uint32_t at = range->low; at < range->high; at = graph.accesses[i++].high) {
		bool more = i < graph.header.accesses && graph.accesses[i].object == range->object;
		uint32_t next = more && graph.accesses[i].low < range->high ? graph.accesses[i].low : range->high;
		if (next > at)
			insert(i, (struct access){ .object = range->object, .low = at, .high = next });
	}
	return first;
}

static void note(const struct vm_range *range, vm_ref clock)
{
	for (uint32_t i = cover(range); i < graph.header.accesses; i++) {
		struct access *access = &graph.accesses[i];
		if (access->object != range->object || access->low >= range->high)
			break;
		access->read = range->write ? 0 : joined(access->read, clock);
		if (range->write)
			access->written = clock;
	}
}

static void merge(void)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < graph.header.accesses; i++) {
		struct access next = graph.accesses[i], *before = n ? &graph.accesses[n - 1] : NULL;
		if (before && before->object == next.object && before->high == next.low && before->written == next.written &&
		    before->read == next.read)
			before->high = next.high;
		else
			graph.accesses[n++] = next;
	}
	graph.header.accesses = n;
}

/* Join to `clock` what an access to `range` happens after. */
static void join_accesses(struct clock *clock, const struct vm_range *range)
{
	for (uint32_t i = find(range->object, range->low); i < graph.header.accesses; i++) {
		const struct access *access = &graph.accesses[i];
		if (access->object != range->object || access->low >= range->high)
			break;
		join(clock, access->written);
		if (range->write)
			join(clock, access->read);
	}
}

/* ---- actions ------------------------------------------------------------------------------------------------------- */

static void hash_action(unsigned slot, uint32_t choice, const struct clock *clock)
{
	uint32_t words[MOST_THREADS + 2] = { slot, choice }, n = clock_length(clock);
	memcpy(words + 2, clock->counts, n * sizeof *words);
	XXH128_hash_t hash = XXH3_128bits(words, (n + 2) * sizeof *words);
	graph.header.low ^= hash.low64;
	graph.header.high ^= hash.high64;
}

/* Did a step change the thread in `slot` itself: start, wake or forget it?  What that thread does next happens after the step. */
static bool affected(vm_ref before, vm_ref after, uint32_t slot)
{
	const uint32_t *old = vm_state_words(before), *new = vm_state_words(after);
	vm_ref was = vm_state_thread(old, slot);
	vm_ref is = vm_state_thread(new, slot);
	return was != is;
}

/* Return the clock of an action of the thread in `slot`.  The action raises the thread's own count. */
static struct clock clock_of(unsigned slot, const struct footprint *footprint)
{
	assert(slot < MOST_THREADS);
	struct clock clock = { 0 };
	join(&clock, graph.clocks[slot]);
	for (uint32_t i = 0; i < (footprint->everything ? graph.header.threads : 0); i++)
		join(&clock, graph.clocks[i]);
	for (uint32_t i = 0; i < footprint->count; i++)
		join_accesses(&clock, &footprint->ranges[i]);
	clock.counts[slot]++;
	return clock;
}

/* Add the action that led from one state to another (0: to an end); may leave through vm_this.escape. */
static void add_action(unsigned slot, uint32_t choice, const struct footprint *footprint, vm_ref before, vm_ref after)
{
	struct clock clock = clock_of(slot, footprint);
	vm_ref ref = put_clock(&clock);
	hash_action(slot, choice, &clock);
	for (int write = 0; write <= 1; write++) /* reads first: a write to the same bytes leaves none */
		for (uint32_t i = 0; i < footprint->count; i++)
			if (footprint->ranges[i].write == (uint32_t)write)
				note(&footprint->ranges[i], ref);
	merge();
	uint32_t slots = after ? vm_state_words(after)[1] : 0;
	if (graph.header.threads < slots)
		graph.header.threads = slots;
	if (graph.header.threads <= slot)
		graph.header.threads = slot + 1;
	for (uint32_t i = 0; i < graph.header.threads; i++)
		if (i != slot && (footprint->everything || (after && affected(before, after, i))))
			graph.clocks[i] = joined(graph.clocks[i], ref);
	graph.clocks[slot] = ref;
}

vm_ref vm_graph_single(vm_ref state, unsigned slot, uint32_t choice)
{
	static VM_OWN struct footprint footprint;
	struct vm *vm = &vm_this;
	vm_footprint_record(&footprint);
	volatile vm_ref next = vm_single(state, slot, choice);
	vm_footprint_record(NULL);
	if (next == 0 && vm->ending.end == END_INCONCLUSIVE)
		return 0;
	if (vm_excludes(next, slot))
		footprint.everything = true;
	vm->stepping = true;
	if (setjmp(vm->escape) == 0)
		add_action(slot, choice, &footprint, state, next);
	else
		next = 0; /* the table is full */
	vm->stepping = false;
	return next;
}

/* ---- from and to the table ----------------------------------------------------------------------------------------- */

void vm_graph_load(vm_ref ref)
{
	memset(&graph.header, 0, sizeof graph.header);
	memset(graph.clocks, 0, sizeof graph.clocks);
	if (!ref)
		return;
	const char *bytes = vm_table_get(ref);
	struct graph_header header;
	memcpy(&header, bytes, sizeof header);
	assert(vm_table_size(ref) ==
	       sizeof header + header.threads * sizeof *graph.clocks + header.accesses * sizeof(struct access));
	bytes += sizeof header;
	memcpy(graph.clocks, bytes, header.threads * sizeof *graph.clocks);
	bytes += header.threads * sizeof *graph.clocks;
	graph.header.threads = header.threads;
	graph.header.low = header.low;
	graph.header.high = header.high;
	for (uint32_t i = 0; i < header.accesses; i++) {
		struct access access;
		memcpy(&access, bytes + i * sizeof access, sizeof access);
		insert(i, access);
	}
}

vm_ref vm_graph_store(void)
{
	static VM_OWN char *bytes;
	static VM_OWN size_t capacity;
	size_t clocks = graph.header.threads * sizeof *graph.clocks, accesses = graph.header.accesses * sizeof *graph.accesses;
	size_t size = sizeof graph.header + clocks + accesses;
	if (size > capacity) {
		char *bigger = realloc(bytes, 2 * size);
		if (!bigger)
			return 0;
		bytes = bigger;
		capacity = 2 * size;
	}
	memcpy(bytes, &graph.header, sizeof graph.header);
	memcpy(bytes + sizeof graph.header, graph.clocks, clocks);
	if (accesses)
		memcpy(bytes + sizeof graph.header + clocks, graph.accesses, accesses);
	return vm_table_put(bytes, (uint32_t)size);
}
