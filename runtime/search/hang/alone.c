/* SPDX-License-Identifier: MIT
 *
 * See alone.h.
 */
#include "alone.h"
#include "../step/single.h"
#include "../step/bounded_waits.h"
#include "../../symbolic/symbolic.h"
#include "../../trace/trace.h"

#include <assert.h>
#include <string.h>

struct vm_trial vm_alone_begin(vm_ref state)
{
	struct vm_trial trial = { .tracing = vm_tracing, .nested = vm_transient_is_on() };
	vm_tracing = false;
	vm_this.silent = true;
	if (!trial.nested)
		vm_transient_begin();
	if (vm_symbolic_on())
		vm_symbolic_keep(state);
	return trial;
}

void vm_alone_end(const struct vm_trial *trial)
{
	if (vm_symbolic_on())
		vm_symbolic_keep(0);
	if (!trial->nested) {
		vm_transient_end();
		vm_transient_clear();
	}
	vm_state_forget();
	vm_this.silent = false;
	vm_tracing = trial->tracing;
}

uint32_t vm_alone_add(struct vm_alone *alone, vm_ref state)
{
	for (uint32_t i = alone->count; i-- > 0;)
		if (alone->states[i] == state)
			return i;
	alone->states = vm_grow(alone->states, &alone->capacity, alone->count + 1, sizeof *alone->states);
	alone->states[alone->count] = state;
	return alone->count++;
}

static void add_edge(struct vm_alone *alone, uint32_t from, uint32_t to)
{
	assert(from < alone->count && to < alone->count);
	alone->edges = vm_grow(alone->edges, &alone->edge_capacity, alone->edge_count + 1, sizeof *alone->edges);
	alone->edges[alone->edge_count++] = (struct vm_alone_edge){ from, to };
}

vm_ref vm_alone_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *step, bool *told)
{
	uint64_t changes = vm_this.unseen_changes;
	vm_this.outward = false;
	vm_footprint_record(step);
	vm_ref next = vm_joined(state, slot, choice);
	vm_footprint_record(NULL);
	*told = vm_this.outward || vm_this.unseen_changes != changes;
	return next && !vm_excludes(next, slot) ? next : 0;
}

bool vm_alone_explore(struct vm_alone *alone, vm_ref state, unsigned slot, uint32_t most,
		      bool (*allowed)(vm_ref before, vm_ref after, unsigned slot, const struct footprint *step, bool told))
{
	static VM_OWN struct footprint step;
	uint64_t work = 0;
	assert(slot < vm_state_words(state)[1]);
	alone->slot = slot;
	alone->left_out = false;
	alone->count = alone->edge_count = 0;
	const uint64_t unseen = vm_this.unseen_shared;
	vm_alone_add(alone, state);
	for (alone->expanded = 0; alone->expanded < alone->count; alone->expanded++) {
		vm_ref from = alone->states[alone->expanded];
		uint32_t offered = vm_offered(vm_state_outcomes(vm_state_words(from))[slot]);
		for (uint32_t choice = 0; choice < offered; choice++) {
			bool told;
			if (work > most || vm_transient_is_crowded())
				return false;
			vm_ref next = vm_alone_step(from, slot, choice, &step, &told);
			alone->left_out = vm_this.unseen_shared != unseen;
			work += 1 + vm_spin_rounds;
			if (!next || (allowed && !allowed(from, next, slot, &step, told)))
				return false;
			add_edge(alone, alone->expanded, vm_alone_add(alone, next));
		}
	}
	return true;
}

/* ---- loops --------------------------------------------------------------------------------------------------------------- */

/* Mark in `reached` all states to which `from` leads. */
static void reach(const struct vm_alone *alone, uint32_t from, bool *reached)
{
	assert(from < alone->count);
	memset(reached, 0, alone->count * sizeof *reached);
	reached[from] = true;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < alone->edge_count; i++)
			if (reached[alone->edges[i].from] && !reached[alone->edges[i].to])
				more = reached[alone->edges[i].to] = true;
	}
}

static void mark_second_half(const struct vm_alone *alone, bool *marks)
{
	for (uint32_t i = 0; i < alone->count; i++)
		marks[i] = i >= alone->expanded / 2 && i < alone->expanded;
}

/* Find the last part by going on from each state that does not lead back: that state leads to a part that is nearer to the end. */
const bool *vm_alone_last_loop(const struct vm_alone *alone)
{
	assert(alone->count > 0 && alone->expanded <= alone->count);
	static VM_OWN bool *reached, *back;
	static VM_OWN uint32_t capacity, back_capacity;
	reached = vm_grow(reached, &capacity, alone->count, sizeof *reached);
	back = vm_grow(back, &back_capacity, alone->count, sizeof *back);
	if (alone->expanded < alone->count) {
		mark_second_half(alone, reached);
		return reached;
	}
	uint32_t from = 0;
	reach(alone, from, reached);
	for (uint32_t i = 0; i < alone->count; i++) {
		if (!reached[i])
			continue;
		reach(alone, i, back);
		if (back[from])
			continue;
		from = i;
		reach(alone, from, reached);
	}
	return reached;
}
