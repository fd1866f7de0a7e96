/* SPDX-License-Identifier: MIT
 *
 * See unread.h.  The idea is that of liveness, found out by the search itself: when a depth-first search leaves a state s for good,
 * it has seen all that follows.  So it knows R(s), the bytes of global variables that are read after s before they are overwritten.
 * Two states are *alike*, s ~ s', if they differ in nothing but bytes of global variables outside R(s).  A move that leads to a
 * state that is like one that is done leads to that one instead.  (What is known of s is an interpolant: McMillan, "Lazy annotation
 * for program testing and verification", CAV 2010.)
 *
 * R(s) is the least solution of these equations over the moves m that are offered in s, to states s_m:
 *     R(s) = looked(s) + the union of R(s_m) less overwritten(m)
 * looked(s): all that the runs of s read, offered or not, and main's joins after them (sort_threads.c, (3)); all that groups read
 * that were explored there (persistent.c); and what the blocked threads of s wait for, and those at the ends of the runs.  A write
 * counts as a read unless it is a store, which reads nothing: a lock may fail, and a counter is added to what was there.
 * overwritten(m): what stores of m have written, less what a thread waits for that is blocked at its end.  States that lead to each
 * other are done together, when the path leaves the first of them; each gets the union of what all of them look at, and nothing
 * counts as overwritten between them.
 *
 * Why nothing is lost: let s be done, and s ~ s'.  Offer in s' the moves that are offered in s.  By looked(s), each run finds
 * there what it found in s, so it does the same, and groups would, too: the set of threads is a set in s' for the same reason.  A
 * run leads to states s_m and s'_m that are alike: a byte of R(s_m) is in looked(s) or overwritten.  So (induction) what is offered
 * from s' on is what is offered from s on, and no more, and is enough (superstep.c, persistent.c).  There was no violation after s,
 * so there is none after s'.  The cycle proviso holds after s' as it does after s; and no cycle goes through the move that leads
 * to s instead of s', since nothing that follows s leads back to the path.
 *
 * What does not count as memory must be equal: threads with their registers, stacks and plain accesses still to be compared, all
 * other objects, who can go on, what flags variables have.  Addresses of objects that threads have made must be equal, too, also
 * where nobody reads them: they decide which number a new object gets.  No variable has bits that are not set.
 *
 * Deadlocks: who can go on is the same.  Hangs (hangs.h): let s' hang.  Then all states after it do, and what they read is as it is
 * in s'.  After s, take states that lead to each other and to no others.  All threads move there, as some state offers each of
 * them (the proviso), so they read there all that they read after s', and it is in R.  Bytes that they store have the value that is
 * stored, after a round.  So such a state hangs, and the search would have told.  States of which
 * that may be asked are not replaced.
 *
 * Where something looks at memory without a footprint, or at paths, the reduction is off (plan.def): formulas and invariants,
 * leaks, records of happens-before, and others.
 */
#include "unread.h"
#include "exits.h"
#include "global_bytes.h"
#include "groups.h"
#include "../base/path.h"
#include "../base/report.h"
#include "../../sync/sync.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <stdlib.h>

enum { NONE = UINT32_MAX, MOST_SETS = 8, WAITING = 1 << 10 };
enum { WINDOW = 2048, LEAST = WINDOW / 32 }; /* states that were looked for; states that were found */

enum status {
	EXPANDED, /* its runs are known */
	OPEN,     /* on the path */
	PENDING,  /* left, but something on the path follows it */
	DONE,
	SPOILED, /* not all that follows is known */
};

struct node { /* a state */
	vm_ref state;
	byte_set reads;
	uint32_t edges;      /* NONE: no more */
	uint32_t order, low; /* by when states came onto the path; the least that follows (Tarjan 1972) */
	uint8_t status;
	bool expanded, spoiled;
};

struct edge { /* a move */
	vm_ref end;
	byte_set overwritten;
	uint32_t next;
};

struct sort { /* states that are equal but for their global variables */
	uint64_t hash;
	byte_set sets[MOST_SETS]; /* that they read */
	unsigned count;
};

static VM_OWN struct {
	bool told, off, shows_ends;
	struct node *nodes;
	uint32_t count, capacity, *places, size; /* places: of nodes, by a hash of their states */
	struct edge *edges;
	uint32_t edge_count, edge_capacity, free;
	uint32_t *pending, pending_count, pending_capacity; /* nodes */
	uint32_t clock;
	struct sort *sorts;
	uint32_t sort_count, sort_capacity, *sort_places, sort_size;
	struct value {
		uint64_t hash; /* of all but what is not read */
		uint32_t node; /* NONE: free */
	} * values;
	uint32_t value_count, value_size;
	struct bytes *ranges;
	uint32_t range_count, range_capacity;
	struct waiting {
		vm_ref thread;
		byte_set bytes;
	} waiting[WAITING]; /* what threads wait for */
	byte_set looked;    /* at the state that is noted */
	unsigned asked, found;
} unread;

/* ---- tables ------------------------------------------------------------------------------------------------------------ */

static uint32_t *node_place(vm_ref state)
{
	uint32_t at = (uint32_t)((state * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (unread.size - 1);
	while (unread.places[at] != NONE && unread.nodes[unread.places[at]].state != state)
		at = (at + 1) & (unread.size - 1);
	return &unread.places[at];
}

/* Return an array of twice the size, all of it NONE. */
static uint32_t *bigger(uint32_t *old, uint32_t *size)
{
	uint32_t capacity = *size;
	*size = *size ? 2 * *size : 1024;
	uint32_t *places = vm_grow(old, &capacity, *size, sizeof *places);
	memset(places, 0xff, *size * sizeof *places);
	return places;
}

static struct node *known(vm_ref state)
{
	uint32_t *place = unread.size ? node_place(state) : NULL;
	return place && *place != NONE ? &unread.nodes[*place] : NULL;
}

static struct node *node_of(vm_ref state)
{
	if (2 * unread.count >= unread.size) {
		unread.places = bigger(unread.places, &unread.size);
		for (uint32_t i = 0; i < unread.count; i++)
			*node_place(unread.nodes[i].state) = i;
	}
	assert(2 * unread.count < unread.size); /* so that a search for a place ends */
	uint32_t *place = node_place(state);
	if (*place == NONE) {
		unread.nodes = vm_grow(unread.nodes, &unread.capacity, (uint64_t)unread.count + 1, sizeof *unread.nodes);
		unread.nodes[unread.count] = (struct node){ .state = state, .reads = NO_BYTES, .edges = NONE };
		*place = unread.count++;
	}
	return &unread.nodes[*place];
}

static struct sort *sort_of(uint64_t hash)
{
	if (2 * unread.sort_count >= unread.sort_size) {
		unread.sort_places = bigger(unread.sort_places, &unread.sort_size);
		for (uint32_t i = 0; i < unread.sort_count; i++) {
			uint32_t at = (uint32_t)unread.sorts[i].hash & (unread.sort_size - 1);
			while (unread.sort_places[at] != NONE)
				at = (at + 1) & (unread.sort_size - 1);
			unread.sort_places[at] = i;
		}
	}
	assert(2 * unread.sort_count < unread.sort_size);
	uint32_t at = (uint32_t)hash & (unread.sort_size - 1);
	while (unread.sort_places[at] != NONE && unread.sorts[unread.sort_places[at]].hash != hash)
		at = (at + 1) & (unread.sort_size - 1);
	if (unread.sort_places[at] == NONE) {
		unread.sorts = vm_grow(unread.sorts, &unread.sort_capacity, (uint64_t)unread.sort_count + 1, sizeof *unread.sorts);
		unread.sorts[unread.sort_count] = (struct sort){ .hash = hash };
		unread.sort_places[at] = unread.sort_count++;
	}
	return &unread.sorts[unread.sort_places[at]];
}

/* ---- what is equal ------------------------------------------------------------------------------------------------------ */

/* Return a hash of all of a state but its global variables, and of what these have beside their bytes. */
static uint64_t hash_of_rest(vm_ref state, const struct global_bytes *globals)
{
	const uint32_t *words = vm_state_words(state);
	uint32_t size = vm_words_size(words), before = STATE_GLOBALS * sizeof *words, after = before + sizeof *words;
	uint64_t hash = XXH3_64bits(words, before);
	hash = XXH3_64bits_withSeed((const uint8_t *)words + after, size - after, hash);
	return XXH3_64bits_withSeed(globals->headers, globals->count * sizeof *globals->headers, hash);
}

static uint64_t hash_of_values(const struct global_bytes *globals, byte_set set, uint64_t hash)
{
	uint32_t count;
	const struct bytes *ranges = vm_bytes_of(set, &count);
	hash += set;
	assert(!count || ranges[count - 1].high <= globals->size);
	for (uint32_t i = 0; i < count; i++)
		hash = XXH3_64bits_withSeed(globals->bytes + ranges[i].low, ranges[i].high - ranges[i].low, hash);
	return hash;
}

static bool rests_are_equal(vm_ref a, vm_ref b)
{
	const uint32_t *x = vm_state_words(a), *y = vm_state_words(b);
	uint32_t size = vm_words_size(x), before = STATE_GLOBALS * sizeof *x, after = before + sizeof *x;
	return size == vm_words_size(y) && memcmp(x, y, before) == 0 &&
		memcmp((const uint8_t *)x + after, (const uint8_t *)y + after, size - after) == 0;
}

/* Are the bytes of the set equal, and all addresses of objects that are made as the program runs? */
static bool values_are_equal(const struct global_bytes *a, const struct global_bytes *b, byte_set set)
{
	uint32_t count;
	const struct bytes *ranges = vm_bytes_of(set, &count);
	if (!a->whole || !b->whole || memcmp(a->headers, b->headers, a->count * sizeof *a->headers) != 0)
		return false;
	assert(a->size == b->size && a->size % sizeof(uint64_t) == 0);
	for (uint32_t i = 0; i < count; i++)
		if (memcmp(a->bytes + ranges[i].low, b->bytes + ranges[i].low, ranges[i].high - ranges[i].low) != 0)
			return false;
	for (uint32_t at = 0; at < a->size; at += sizeof(uint64_t)) {
		uint64_t x, y;
		memcpy(&x, a->bytes + at, sizeof x);
		memcpy(&y, b->bytes + at, sizeof y);
		if (x != y && (image_names_dynamic(x) || image_names_dynamic(y)))
			return false;
	}
	return true;
}

/* ---- states that are done ---------------------------------------------------------------------------------------------- */

static struct value *value_place(uint64_t hash)
{
	assert(unread.value_count < unread.value_size);
	uint32_t at = (uint32_t)(hash >> 32) & (unread.value_size - 1);
	while (unread.values[at].node != NONE && unread.values[at].hash != hash)
		at = (at + 1) & (unread.value_size - 1);
	return &unread.values[at];
}

static void make_value_room(void)
{
	if (2 * unread.value_count < unread.value_size)
		return;
	struct value *old = unread.values;
	uint32_t capacity = 0, count = unread.value_size;
	unread.value_size = count ? 2 * count : 1024;
	unread.values = vm_grow(NULL, &capacity, unread.value_size, sizeof *unread.values);
	for (uint32_t i = 0; i < unread.value_size; i++)
		unread.values[i].node = NONE;
	for (uint32_t i = 0; i < count; i++)
		if (old[i].node != NONE)
			*value_place(old[i].hash) = old[i];
	free(old);
}

static bool add_set(struct sort *sort, byte_set set)
{
	for (unsigned i = 0; i < sort->count; i++)
		if (sort->sets[i] == set)
			return true;
	if (sort->count == MOST_SETS)
		return false;
	sort->sets[sort->count++] = set;
	return true;
}

/* Let others be found to be like a state that the search is done with. */
static void add_done(uint32_t number)
{
	const struct node *node = &unread.nodes[number];
	const struct global_bytes *globals = vm_global_bytes(node->state, 0);
	assert(node->status == DONE && node->edges == NONE && !node->spoiled);
	if (!globals->whole)
		return;
	struct sort *sort = sort_of(hash_of_rest(node->state, globals));
	if (!add_set(sort, node->reads))
		return;
	make_value_room();
	struct value *value = value_place(hash_of_values(globals, node->reads, sort->hash));
	if (value->node != NONE)
		return;
	*value = (struct value){ hash_of_values(globals, node->reads, sort->hash), number };
	unread.value_count++;
}

static vm_ref like(vm_ref state, const struct global_bytes *globals, uint64_t hash, byte_set set)
{
	uint32_t number = value_place(hash)->node;
	if (number == NONE)
		return 0;
	const struct node *node = &unread.nodes[number];
	bool equal = node->status == DONE && node->reads == set && !vm_path_has(node->state) &&
		rests_are_equal(state, node->state) && values_are_equal(globals, vm_global_bytes(node->state, 1), set);
	return equal ? node->state : 0;
}

/* Count a state that was looked for.  Where few are found, the search is done sooner without looking. */
static void count(bool found)
{
	unread.asked++;
	unread.found += found;
	if (unread.asked < WINDOW)
		return;
	unread.off = unread.found < LEAST;
	unread.asked = unread.found = 0;
}

vm_ref vm_unread_known(vm_ref state)
{
	if (!vm_unread_is_on() || known(state) || !unread.value_size)
		return state;
	const struct global_bytes *globals = vm_global_bytes(state, 0);
	vm_ref found = 0;
	if (globals->whole) {
		const struct sort *sort = sort_of(hash_of_rest(state, globals));
		for (unsigned i = 0; i < sort->count && !found; i++)
			found = like(state, globals, hash_of_values(globals, sort->sets[i], sort->hash), sort->sets[i]);
	}
	count(found);
	vm_saved[REDUCTION_UNREAD_NUMBER] += found != 0;
	return found ? found : state;
}

/* ---- what a state reads ------------------------------------------------------------------------------------------------- */

/* Collect the bytes of a footprint that are overwritten, or those that are not.  Return what is collected, and begin again. */
static void collect(const struct footprint *footprint, bool overwritten)
{
	unread.ranges = vm_grow(unread.ranges, &unread.range_capacity, (uint64_t)unread.range_count + footprint->count + 1,
				sizeof *unread.ranges);
	for (uint32_t i = 0; i < footprint->count; i++)
		if (vm_footprint_is_overwritten(&footprint->ranges[i]) == overwritten)
			unread.range_count += vm_global_range(&footprint->ranges[i], &unread.ranges[unread.range_count]);
}

static byte_set collected(void)
{
	byte_set set = unread.range_count ? vm_bytes_set(unread.ranges, unread.range_count) : NO_BYTES;
	unread.range_count = 0;
	return set;
}

static byte_set all_bytes(void)
{
	struct bytes all = { 0, vm_global_bytes(unread.nodes[0].state, 0)->size };
	return vm_bytes_set(&all, 1);
}

static void look_at_group(struct group *group)
{
	if (!group->reads) {
		collect(&group->touched, false);
		collect(&group->awaited, false);
		group->reads = collected();
	}
	unread.looked = vm_bytes_unite(unread.looked, group->reads);
}

/* Return what the thread in `slot` waits for, which is blocked in `state`.  Its own parts say what that is. */
static byte_set awaited_by(vm_ref state, unsigned slot)
{
	static VM_OWN struct footprint awaited;
	vm_ref thread = vm_state_thread(vm_state_words(state), slot);
	const vm_stored_header *header = thread ? vm_table_get(thread) : NULL;
	struct waiting *waiting = &unread.waiting[thread % WAITING];
	if (!header || header->status != THREAD_RUNNING || (header->wait == WAIT_JOIN && !header->timed))
		return NO_BYTES; /* a thread to end */
	if (waiting->thread == thread)
		return waiting->bytes;
	vm_state_load(state);
	vm_footprint_record(&awaited);
	vm_footprint_add_awaited(vm_thread_load(slot));
	vm_footprint_record(NULL);
	collect(&awaited, false);
	byte_set bytes = collected();
	if (!vm_is_transient(thread))
		*waiting = (struct waiting){ thread, bytes };
	return bytes;
}

static byte_set awaited(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	unsigned slots = words[1];
	uint8_t outcomes[VM_MAX_SLOTS];
	byte_set bytes = NO_BYTES;
	memcpy(outcomes, vm_state_outcomes(words), slots);
	for (unsigned i = 0; i < slots; i++)
		if (outcomes[i] == 0)
			bytes = vm_bytes_unite(bytes, awaited_by(state, i));
	return bytes;
}

static bool is_stuck(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	const uint8_t *outcomes = vm_state_outcomes(words);
	for (unsigned i = 0; i < words[1]; i++)
		if (outcomes[i])
			return false;
	return true;
}

static void add_edge(struct node *node, vm_ref end, byte_set overwritten)
{
	assert(end && (node->status == EXPANDED || node->status == OPEN)); /* later, nobody would look at it */
	for (uint32_t i = node->edges; i != NONE; i = unread.edges[i].next)
		if (unread.edges[i].end == end && unread.edges[i].overwritten == overwritten)
			return;
	uint32_t number = unread.free ? unread.free - 1 : unread.edge_count;
	unread.edges = vm_grow(unread.edges, &unread.edge_capacity, (uint64_t)unread.edge_count + 1, sizeof *unread.edges);
	if (unread.free)
		unread.free = unread.edges[number].next;
	else
		unread.edge_count++;
	unread.edges[number] = (struct edge){ end, overwritten, node->edges };
	node->edges = number;
}

/* Return what the run overwrites.  Add to what is looked at what it reads, and main's joins after it. */
static byte_set note_steps(const struct superstep *run)
{
	bool all = !run->end && unread.shows_ends;
	for (unsigned k = 0; k < run->length; k++) {
		collect(&run->steps[k], true);
		all = all || (run->steps[k].everything && run->end);
	}
	byte_set overwritten = collected();
	for (unsigned k = 0; k < run->length; k++)
		collect(&run->steps[k], false);
	collect(&run->joins, false);
	unread.looked = vm_bytes_unite(unread.looked, collected());
	if (all || run->joins.everything)
		unread.looked = all_bytes();
	return overwritten;
}

static void note_run(struct node *node, const struct superstep *run)
{
	byte_set overwritten = note_steps(run);
	if (!run->end)
		return;
	byte_set waited = awaited(run->end);
	unread.looked = vm_bytes_unite(unread.looked, vm_bytes_minus(waited, overwritten));
	if (!run->kept)
		return;
	if (is_stuck(run->kept) || vm_exits_only(run->kept)) /* the search does not come there */
		unread.looked = unread.shows_ends ? all_bytes() : vm_bytes_unite(unread.looked, waited);
	else
		add_edge(node, run->kept, vm_bytes_minus(overwritten, waited));
}

/* ---- the path ----------------------------------------------------------------------------------------------------------- */

static void entered(vm_ref state)
{
	struct node *node = unread.off ? NULL : node_of(state);
	if (!node || node->status != EXPANDED)
		return;
	node->status = OPEN;
	node->order = node->low = ++unread.clock;
}

/* Put together what follows a state, as far as it is known. */
static void gather(struct node *node)
{
	node->spoiled = !node->expanded;
	while (node->edges != NONE) {
		uint32_t number = node->edges;
		struct edge *edge = &unread.edges[number];
		const struct node *to = known(edge->end);
		if (!to || to->status == EXPANDED || to->status == SPOILED) {
			node->spoiled = true;
		} else if (to->status == DONE) {
			node->reads = vm_bytes_unite(node->reads, vm_bytes_minus(to->reads, edge->overwritten));
		} else if (to->low < node->low) {
			assert(to->status == OPEN || to->status == PENDING);
			node->low = to->low; /* what both read is put together in finish() */
		}
		node->edges = edge->next;
		edge->next = unread.free;
		unread.free = number + 1;
	}
}

/* Finish the states from `number` on that are pending: they lead to each other, and to nothing on the path. */
static void finish(uint32_t number)
{
	byte_set reads = NO_BYTES;
	bool spoiled = false;
	uint32_t from = unread.pending_count;
	do {
		assert(from > 0 && unread.nodes[unread.pending[from - 1]].status == PENDING);
		const struct node *node = &unread.nodes[unread.pending[--from]];
		reads = vm_bytes_unite(reads, node->reads);
		spoiled = spoiled || node->spoiled;
	} while (unread.pending[from] != number);
	for (uint32_t i = from; i < unread.pending_count; i++) {
		struct node *node = &unread.nodes[unread.pending[i]];
		node->reads = reads;
		node->status = spoiled ? SPOILED : DONE;
		if (!spoiled)
			add_done(unread.pending[i]);
	}
	unread.pending_count = from;
}

static void left(vm_ref state)
{
	struct node *node = unread.off ? NULL : known(state);
	if (!node || node->status != OPEN)
		return;
	uint32_t number = (uint32_t)(node - unread.nodes);
	gather(node);
	node->status = PENDING;
	unread.pending = vm_grow(unread.pending, &unread.pending_capacity, (uint64_t)unread.pending_count + 1,
				 sizeof *unread.pending);
	unread.pending[unread.pending_count++] = number;
	assert(node->low && node->low <= node->order);
	if (node->low == node->order)
		finish(number);
}

void vm_unread_note(const struct expansion *expansion)
{
	if (!vm_unread_is_on())
		return;
	struct node *node = node_of(expansion->state);
	if (node->status >= PENDING)
		return;
	unread.looked = node->reads;
	for (unsigned i = 0; i < expansion->count; i++)
		note_run(node, &expansion->runs[i]);
	vm_groups_each(expansion->state, look_at_group);
	unread.looked = vm_bytes_unite(unread.looked, awaited(expansion->state));
	node->reads = unread.looked;
	node->expanded = true;
}

bool vm_unread_is_on(void)
{
	if (!vm_reduces(REDUCTION_UNREAD) || unread.off)
		return false;
	if (!unread.told) {
		vm_path_tell(entered, left);
		unread.told = true;
		unread.off = !vm_global_bytes_are_few();
	}
	unread.off = unread.off || !vm_path_is_known();
	return !unread.off;
}

void vm_unread_shows_ends(void)
{
	unread.shows_ends = true;
}

void vm_unread_end(void)
{
	unread.off = true;
}

void vm_unread_forget(void)
{
	unread.count = unread.edge_count = unread.free = unread.pending_count = unread.sort_count = unread.value_count = 0;
	if (unread.size)
		memset(unread.places, 0xff, unread.size * sizeof *unread.places);
	if (unread.sort_size)
		memset(unread.sort_places, 0xff, unread.sort_size * sizeof *unread.sort_places);
	for (uint32_t i = 0; i < unread.value_size; i++)
		unread.values[i].node = NONE;
	memset(unread.waiting, 0, sizeof unread.waiting);
	vm_global_bytes_forget();
	vm_bytes_forget();
}
