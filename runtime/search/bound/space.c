/* SPDX-License-Identifier: MIT
 *
 * See space.h.  First the graph is explored.  Then each of its edges is told by a replay of its own, from the beginning of the
 * program along a shortest path: what an object is called depends on the path (history.h), so the VM is opened anew each time.
 */
#include "space.h"
#include "../reduce/search_step.h"
#include "../replay/replay.h"
#include "../step/start.h"
#include "../../bitspin_vm.h"
#include "allowed.h"
#include "../step/layers.h"
#include "../base/path.h"
#include "../base/plan.h"
#include "../base/report.h"
#include "../reduce/successors.h"
#include "../../trace/record.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

struct node {
	int state, view;   /* view: what tells it from others (bitspin_vm.h) */
	uint32_t found_by; /* an edge; NONE: the first node */
	bool violates;
};

struct edge {
	uint32_t from, to;            /* nodes */
	uint32_t length;              /* steps one by one, without reductions */
	unsigned char thread, choice; /* the outcome of the first */
};

static VM_SHARED struct {
	struct node *nodes;
	struct edge *edges;
	uint32_t nnodes, nedges, node_capacity, edge_capacity, most;
	uint64_t left_out; /* steps to states that are not in the graph */
} space;

/* ---- exploring ----------------------------------------------------------------------------------------------------- */

/* Return the node of `state`.  Make a new one if there is none, or if the state violates: each violation is a node of its
 * own.  Return NONE if there is no room. */
static uint32_t node_of(int state, bool violates)
{
	int view = vm_view(state);
	for (uint32_t i = 0; i < space.nnodes && !violates; i++)
		if (space.nodes[i].view == view && !space.nodes[i].violates)
			return i;
	if (space.nnodes >= space.most)
		return NONE;
	space.nodes = vm_grow(space.nodes, &space.node_capacity, (uint64_t)space.nnodes + 1, sizeof *space.nodes);
	space.nodes[space.nnodes] = (struct node){ .state = state, .view = view, .found_by = NONE, .violates = violates };
	return space.nnodes++;
}

static void add_edge(uint32_t from, unsigned thread, unsigned choice)
{
	assert(from < space.nnodes);
	struct vm_found found;
	int state = space.nodes[from].state;
	uint32_t before = space.nnodes, length = vm_top()->take(vm_ref_of(state), thread, choice).length;
	int next = vm_step_quietly(state, (int)thread, (int)choice, &found);
	uint32_t to = node_of(next, found.violates);
	if (to == NONE) {
		space.left_out++;
		return;
	}
	if (to == before)
		space.nodes[to].found_by = space.nedges;
	space.edges = vm_grow(space.edges, &space.edge_capacity, (uint64_t)space.nedges + 1, sizeof *space.edges);
	unsigned char outcome = vm_way_of(choice) == VM_AS_RUN ? (unsigned char)choice : 0;
	space.edges[space.nedges++] = (struct edge){ from, to, length, (unsigned char)thread, outcome };
}

static void explore(void)
{
	vm_path_leave();
	node_of(0, false);
	for (uint32_t i = 0; i < space.nnodes; i++) {
		int state = space.nodes[i].state;
		unsigned slots = vm_terminated(state) ? 0 : vm_state_words(vm_ref_of(state))[1];
		for (unsigned thread = 0; thread < slots; thread++)
			for (unsigned choice = 0; choice < VM_OPTIONS; choice++)
				if (vm_bound_offers(state, (int)thread, (int)choice))
					add_edge(i, thread, choice);
	}
}

/* ---- telling ------------------------------------------------------------------------------------------------------- */

/* Return where the threads are in a state. */
static json_t *threads_json(int state)
{
	json_t *threads = json_array();
	vm_state_load(vm_ref_of(state));
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.status != THREAD_RUNNING)
			continue;
		json_t *record = vm_record_at("thread", vm_thread_location(thread), thread);
		if (!vm_enabled(state, (int)i, 0))
			json_object_set_new(record, "waits", vm_record_string(vm_thread_waits_for(thread)));
		json_array_append_new(threads, record);
	}
	return threads;
}

static void write_node(uint32_t number, int state)
{
	bool final = vm_terminated(state);
	uint32_t flags = vm_state_words(vm_ref_of(state))[0];
	const char *end = !final ? NULL : flags & STATE_VIOLATED ? "violation" : flags & STATE_ENDED ? "end" : "cut";
	vm_record_write(json_pack("{s:s, s:i, s:s*, s:o}", "type", "node", "node", (int)number, "final", end, "threads",
				  final ? json_array() : threads_json(state)));
}

static int follow(const struct edge *edge, int state)
{
	for (uint32_t i = 0; i < edge->length && !vm_terminated(state); i++)
		state = vm_step(state, edge->thread, i ? 0 : edge->choice);
	return state;
}

/* Go from the beginning of the program to a node. */
static int go_to(uint32_t node)
{
	uint32_t number = space.nodes[node].found_by;
	assert(number == NONE || space.edges[number].from < node); /* so the way back comes to an end */
	return number == NONE ? 0 : follow(&space.edges[number], go_to(space.edges[number].from));
}

static void tell(uint32_t number)
{
	const struct edge *edge = &space.edges[number];
	vm_record_mute(true);
	int state = go_to(edge->from);
	vm_story_flush();
	vm_record_mute(false);
	vm_state_load(vm_ref_of(state));
	struct vm_thread *thread = vm_thread_load(edge->thread);
	json_t *record = vm_record_at("edge", vm_thread_location(thread), thread);
	json_object_set_new(record, "from", json_integer(edge->from));
	json_object_set_new(record, "to", json_integer(edge->to));
	vm_record_write(record);
	int next = follow(edge, state);
	vm_story_flush();
	if (space.nodes[edge->to].found_by == number)
		write_node(edge->to, next);
}

void vm_space_write(uint32_t most)
{
	space.most = most;
	explore();
	vm_plan_replay();
	write_node(0, 0);
	for (uint32_t i = 0; i < space.nedges; i++) {
		vm_open_again();
		vm_plan_single_steps(); /* which runs there are depends on what was explored before */
		tell(i);
	}
	vm_record_write(json_pack("{s:s, s:I, s:I, s:I}", "type", "graph", "states", (json_int_t)space.nnodes, "steps",
				  (json_int_t)space.nedges, "left_out", (json_int_t)space.left_out));
	free(space.nodes);
	free(space.edges);
}
