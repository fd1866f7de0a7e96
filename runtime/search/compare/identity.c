/* SPDX-License-Identifier: MIT
 *
 * See identity.h.
 *
 * With happens-before identity nodes match by state and graph, not by graph alone.  The graph determines the state, except for
 * the names of objects (a new one may take the number of one that an independent action has just forgotten); with the pair
 * no such exception and no collision of hashes can lose a state: the search is a refinement of the one by states.
 */
#include "identity.h"
#include "../../bitspin_vm.h"
#include "../bound/allowed.h"
#include "../base/ends.h"
#include "graph.h"
#include "../base/limits.h"
#include "../base/plan.h"
#include "../base/report.h"
#include "scale.h"
#include "../step/single.h"

#include <stdlib.h>

/* ---- local cycles -------------------------------------------------------------------------------------------------- */

/* Program states on the path of the search, by depth; with those bytes of the node that decide what it offers. */
struct visit {
	int state;
	unsigned char last, used;
};

/* Has the path been in `to`, for which the search at `depth` leaves `from`?  A node that is cut for that loses nothing.  The
 * earlier one offers all that it would, as their states are equal and no more preemptions were used before; and it is expanded
 * in full.  This holds even where the entries are not those of one path, as in a breadth-first search: each was expanded. */
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
			bigger[i] = (struct visit){ .state = vm_handle_of(vm_this.cut) };
		path = bigger;
		capacity = more;
	}
	path[depth] = from;
	for (long i = 0; i <= depth; i++)
		if (path[i].state == to.state && path[i].last == to.last && path[i].used <= to.used)
			return true;
	return false;
}

/* ---- guards -------------------------------------------------------------------------------------------------------- */

bool vm_identity_allows(int state, int identity, unsigned char last, unsigned char used, int thread, int choice)
{
	if (vm_this.image.options->identity == IDENTITY_SCALE)
		return vm_driver.replays || vm_scale_offers(identity, thread, choice);
	return vm_bound_allows(state, last, used, thread, choice);
}

/* ---- a step -------------------------------------------------------------------------------------------------------- */

/* Return what tells the node that a step leads to from others with the same state: the stored graph if `graph_wanted`, or a
 * number of the node's own. */
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
		*state = vm_handle_of(vm_this.cut);
	vm_count_end(*state, *identity, *last, *used);
}
