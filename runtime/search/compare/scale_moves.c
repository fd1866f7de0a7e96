/* SPDX-License-Identifier: MIT
 *
 * See scale_moves.h.  A state's moves are found by trying them, once: many representations have the same state.
 */
#include "scale_moves.h"
#include "../reduce/search_step.h"
#include "../../bitspin_vm.h"
#include "../../calls/builtin.h"
#include "../../memory/footprint.h"
#include "../base/limits.h"
#include "../step/single.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- starts and ends ----------------------------------------------------------------------------------------------- */

/* Return the slot of a thread whose function has returned, and which can end now; -1 if there is none. */
static int ending_thread(vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	for (unsigned slot = 0; words[0] == 0 && slot < words[1]; slot++) {
		if (vm_state_outcomes(words)[slot] == 0)
			continue;
		struct vm_thread_header header;
		memcpy(&header, vm_table_get(vm_state_thread(words, slot)), sizeof header);
		if (header.status == THREAD_RUNNING && header.wait == WAIT_EXIT)
			return (int)slot;
	}
	return -1;
}

static vm_ref with_ends(vm_ref state)
{
	int slot;
	while (state && (slot = ending_thread(state)) >= 0)
		state = vm_single(state, (unsigned)slot, 0);
	return state;
}

vm_ref vm_scale_root(void)
{
	vm_ref root = vm_single(vm_this.initial, 0, 0);
	if (!root && vm_this.ending.end == END_INCONCLUSIVE)
		vm_limit_cut();
	return root;
}

int vm_scale_step(int state, int thread, int choice)
{
	assert(thread >= 0 && choice >= 0 && choice < VM_CHOICES);
	int slot;
	if (state == 0)
		state = vm_step(0, 0, 0);
	if (!vm_terminated(state))
		state = vm_step(state, thread, choice);
	while ((slot = ending_thread(vm_ref_of(state))) >= 0)
		state = vm_step(state, slot, 0);
	return state;
}

/* ---- accesses ------------------------------------------------------------------------------------------------------ */

static VM_OWN struct { /* of the moves that are being found */
	struct scale_move moves[VM_MAX_SLOTS * VM_CHOICES];
	struct vm_range *ranges;
	uint32_t count, nranges, capacity;
} found;

static void add_subject(struct scale_move *move, unsigned slot, bool write, bool created)
{
	for (unsigned i = 0; i < move->subjects; i++)
		if (move->subject[i].slot == slot) {
			move->subject[i].write |= write;
			return;
		}
	if (move->subjects == sizeof move->subject / sizeof *move->subject)
		move->everything = true;
	else
		move->subject[move->subjects++] = (struct scale_subject){ .slot = (uint8_t)slot,
									  .write = write,
									  .created = created };
}

static void add_range(struct scale_move *move, struct vm_range range)
{
	assert(move->count <= found.nranges); /* its ranges are the last */
	struct vm_range *ranges = found.ranges + found.nranges - move->count;
	for (uint32_t i = 0; i < move->count; i++)
		if (memcmp(&ranges[i], &range, sizeof range) == 0)
			return;
	found.ranges = vm_grow(found.ranges, &found.capacity, found.nranges + 1, sizeof *found.ranges);
	found.ranges[found.nranges++] = range;
	move->count++;
}

/* Add `footprint` to what `move` accesses.  Every access of synchronization counts as a write (definition 9 of the thesis).  Which
 * slots are free is no variable: threads have other names here, see scale_graph.c. */
static void take_footprint(struct scale_move *move, const struct footprint *footprint, bool synchronizes, vm_ref state)
{
	const uint32_t *words = vm_state_words(state);
	move->everything |= footprint->everything;
	for (uint32_t i = 0; i < footprint->count; i++) {
		struct vm_range range = footprint->ranges[i];
		unsigned slot = range.object - FOOTPRINT_THREAD;
		if (range.object == FOOTPRINT_SLOTS)
			continue;
		if (range.object > FOOTPRINT_SLOTS || range.object < FOOTPRINT_THREAD) {
			range.write = range.write || synchronizes;
			add_range(move, range);
		} else if (slot != move->slot || range.write) {
			struct vm_thread_header header = { 0 };
			if (vm_state_thread(words, slot))
				memcpy(&header, vm_table_get(vm_state_thread(words, slot)), sizeof header);
			add_subject(move, slot, range.write, header.status == THREAD_UNUSED);
		} else {
			add_subject(move, slot, false, false);
		}
	}
}

/* ---- moves --------------------------------------------------------------------------------------------------------- */

static void conclude(struct scale_move *move)
{
	const struct vm_ending *ending = &vm_this.ending;
	if (ending->end == END_INCONCLUSIVE)
		vm_limit_cut();
	move->violates = ending->end == END_VIOLATION;
	move->kind = ending->kind;
	move->location = ending->location;
}

static void try(vm_ref state, unsigned slot, uint32_t choice)
{
	static VM_OWN struct footprint footprint;
	assert(found.count < sizeof found.moves / sizeof *found.moves);
	struct scale_move *move = &found.moves[found.count++];
	*move = (struct scale_move){ .slot = (uint8_t)slot, .choice = (uint8_t)choice };
	vm_state_load(state);
	const struct builtin *builtin = vm_resting_call(vm_thread_load(slot));
	vm_footprint_record(&footprint);
	move->next = vm_single(state, slot, choice);
	vm_footprint_record(NULL);
	move->everything = vm_excludes(move->next, slot);
	take_footprint(move, &footprint, builtin && (builtin->flags & BUILTIN_SYNC), state);
	if (move->next)
		move->next = with_ends(move->next);
	if (!move->next) {
		move->everything = true;
		conclude(move);
	} else if (vm_this.image.options->deadlock && vm_nothing_enabled(move->next)) {
		move->violates = true;
		move->kind = VIOLATION_DEADLOCK;
		move->location = move->next;
	}
}

/* Return a copy of the moves that were found, in one block. */
static struct scale_moves *keep(void)
{
	size_t moves = found.count * sizeof *found.moves, ranges = found.nranges * sizeof *found.ranges;
	struct scale_moves *kept = malloc(sizeof *kept + moves + ranges);
	if (!kept)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	kept->count = found.count;
	kept->items = (struct scale_move *)(kept + 1);
	struct vm_range *to = (struct vm_range *)(kept->items + found.count);
	memcpy(kept->items, found.moves, moves);
	if (ranges)
		memcpy(to, found.ranges, ranges);
	for (uint32_t i = 0; i < found.count; i++) {
		kept->items[i].ranges = to;
		to += kept->items[i].count;
	}
	assert(to == (struct vm_range *)(kept->items + found.count) + found.nranges); /* each range is of one move */
	return kept;
}

static struct scale_moves *find(vm_ref state)
{
	bool final = vm_state_words(state)[0] != 0;
	unsigned slots = vm_state_words(state)[1];
	found.count = found.nranges = 0;
	for (unsigned slot = 0; !final && slot < slots; slot++)
		for (uint32_t choice = 0; choice < vm_offered(vm_state_outcomes(vm_state_words(state))[slot]); choice++) {
			vm_limit_at_rest();
			try(state, slot, choice);
		}
	vm_limit_at_rest(); /* before what is not known because of a signal is noted for good */
	return keep();
}

/* ---- a table of them ----------------------------------------------------------------------------------------------- */

static VM_OWN struct {
	struct entry {
		vm_ref state; /* 0: none */
		struct scale_moves *moves;
	} * entries;
	uint64_t count, capacity; /* capacity: a power of two, or 0 */
} known;

static struct entry *entry_of(struct entry *entries, uint64_t capacity, vm_ref state)
{
	assert(state && capacity && (capacity & (capacity - 1)) == 0);
	uint64_t i = (state * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);
	while (entries[i].state && entries[i].state != state)
		i = (i + 1) & (capacity - 1);
	return &entries[i];
}

static void grow(void)
{
	uint64_t capacity = known.capacity ? 2 * known.capacity : 1024;
	struct entry *bigger = calloc(capacity, sizeof *bigger);
	if (!bigger)
		vm_limit_end(LIMIT_MEMORY, "the memory limit is reached", 0);
	for (uint64_t i = 0; i < known.capacity; i++)
		if (known.entries[i].state)
			*entry_of(bigger, capacity, known.entries[i].state) = known.entries[i];
	free(known.entries);
	known.entries = bigger;
	known.capacity = capacity;
}

const struct scale_moves *vm_scale_moves(vm_ref state)
{
	if (2 * (known.count + 1) > known.capacity)
		grow();
	assert(2 * known.count < known.capacity); /* so that looking comes to an end */
	struct entry *entry = entry_of(known.entries, known.capacity, state);
	if (entry->state == 0) {
		entry->moves = find(state);
		entry->state = state;
		known.count++;
	}
	return entry->moves;
}
