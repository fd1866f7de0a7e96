/* SPDX-License-Identifier: MIT
 *
 * See identity.h.
 *
 * With happens-before identity nodes match by state and graph, not by graph alone.  The graph determines the state, except for
 * the names of objects (a new one may take the number of one that an independent action has just forgotten); with the pair
 * no such exception and no collision of hashes can lose a state: the search is a refinement of the one by states.
 */
#include "identity.h"
#include "../bitspin_vm.h"
#include "bound.h"
#include "bounded.h"
#include "graph.h"
#include "limits.h"
#include "plan.h"
#include "results.h"
#include "scale.h"
#include "single.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static int cut(void)
{
	return (int)(vm_this.cut ^ vm_this.initial);
}

/* ---- local cycles -------------------------------------------------------------------------------------------------- */

/* Program states on the path of the search, by depth; with those bytes of the node that decide what it offers. */
struct visit {
	int state;
	unsigned char last, used;
};

/* The search at `depth` leaves `from` for `to`: has the path been there?  A node that is cut for that loses nothing: the
 * earlier one offers all that it would (equal states, and no more preemptions used), and is expanded in full.  This holds
 * even where the entries are not those of one path, as in a breadth-first search: each was expanded. */
static bool repeats(long depth, struct visit from, struct visit to)
{
	static VM_OWN struct visit *path;
	static VM_OWN long capacity;
	if (depth >= capacity) {
		long more = 2 * depth + 1000;
		struct visit *bigger = realloc(path, (size_t)more * sizeof *path);
		if (!bigger)
			return false;
		for (long i = capacity; i < more; i++)
			bigger[i] = (struct visit){ .state = cut() };
		path = bigger;
		capacity = more;
	}
	path[depth] = from;
	for (long i = 0; i <= depth; i++)
		if (path[i].state == to.state && path[i].last == to.last && path[i].used <= to.used)
			return true;
	return false;
}

/* ---- ends ---------------------------------------------------------------------------------------------------------- */

struct end {
	int state, graph;
	unsigned short bound; /* last and used */
	bool taken;
};

static VM_OWN struct {
	struct end *slots;
	uint64_t count, capacity; /* capacity: a power of two, or 0 */
} ends;

static bool add_end(struct end *slots, uint64_t capacity, const struct end *end)
{
	uint32_t key[3] = { (uint32_t)end->state, (uint32_t)end->graph, end->bound };
	uint64_t i = XXH3_64bits(key, sizeof key) & (capacity - 1);
	for (; slots[i].taken; i = (i + 1) & (capacity - 1))
		if (slots[i].state == end->state && slots[i].graph == end->graph && slots[i].bound == end->bound)
			return false;
	slots[i] = *end;
	return true;
}

static void grow_ends(void)
{
	uint64_t capacity = ends.capacity ? 2 * ends.capacity : 1024;
	struct end *bigger = calloc(capacity, sizeof *bigger);
	if (!bigger)
		return;
	for (uint64_t i = 0; i < ends.capacity; i++)
		if (ends.slots[i].taken)
			add_end(bigger, capacity, &ends.slots[i]);
	free(ends.slots);
	ends.slots = bigger;
	ends.capacity = capacity;
}

static bool offers_something(int state)
{
	const uint32_t *words = vm_state_words(vm_ref_of(state));
	const uint8_t *outcomes = vm_state_outcomes(words);
	for (uint32_t i = 0; i < words[1]; i++)
		if (outcomes[i])
			return true;
	return false;
}

void vm_count_end(int state, int identity, unsigned char last, unsigned char used)
{
	if (vm_plan_has(COMPACT_STATES) || offers_something(state))
		return;
	if (vm_this.image.options->identity == IDENTITY_PATH) { /* each is new */
		ends.count++;
		return;
	}
	if (2 * (ends.count + 1) > ends.capacity)
		grow_ends();
	struct end end = { .state = state, .graph = identity, .bound = (unsigned short)(last << 8 | used), .taken = true };
	if (ends.count + 1 < ends.capacity && add_end(ends.slots, ends.capacity, &end))
		ends.count++;
}

void vm_count_entered(int state)
{
	ends.count += !offers_something(state);
}

uint64_t vm_ends(void)
{
	const struct image_options *options = vm_this.image.options;
	if (options->identity == IDENTITY_SCALE)
		return vm_scale_figures().runs;
	return vm_is_bounded_by_vm() ? vm_bounded_figures().runs : ends.count;
}

/* ---- guards -------------------------------------------------------------------------------------------------------- */

bool vm_identity_allows(int state, int identity, unsigned char last, unsigned char used, int thread, int choice)
{
	if (vm_this.image.options->identity == IDENTITY_SCALE)
		return vm_driver.replays || vm_scale_offers(identity, thread, choice);
	return vm_bound_allows(state, last, used, thread, choice);
}

/* ---- a step -------------------------------------------------------------------------------------------------------- */

/* What tells the node that a step leads to from others with the same state: the stored graph, or a number of its own. */
static int identity_after(bool graph_wanted)
{
	static VM_OWN unsigned visits;
	if (!graph_wanted)
		return (int)++visits;
	vm_ref stored = vm_graph_store();
	if (!stored)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	return (int)stored;
}

void vm_identity_take(int *state, int *identity, unsigned char *last, unsigned char *used, long steps, int thread, int choice)
{
	const struct image_options *options = vm_this.image.options;
	if (options->identity == IDENTITY_SCALE) {
		*identity = vm_scale_follow(*identity, thread, choice);
		*state = vm_scale_step(*state, thread, choice);
		return;
	}
	struct visit from = { .state = *state, .last = *last, .used = *used };
	bool graph_wanted = options->identity == IDENTITY_HB && !vm_driver.replays;
	if (graph_wanted)
		vm_graph_load((vm_ref)*identity);
	vm_bound_take(state, last, used, thread, choice, graph_wanted ? vm_graph_single : NULL);
	*identity = identity_after(graph_wanted);
	struct visit to = { .state = *state, .last = *last, .used = *used };
	if (*identity == 0 || (options->local_cycles && !vm_driver.replays && repeats(steps, from, to)))
		*state = cut();
	vm_count_end(*state, *identity, *last, *used);
}
