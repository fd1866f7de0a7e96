/* SPDX-License-Identifier: MIT
 *
 * See traces.h.  The number of complete executions from a state, none of which begins with a move of the sleep set Z, is the sum
 * over all other moves of the number from where the move leads, with a sleep set of those moves of Z, and of those before this one,
 * that are independent of it.  Of each trace, sleep sets let one order of its steps through (Godefroid 1996, theorem 5.1).  What
 * can follow is a function of the state and Z, so that each pair is counted once, though it may be met in many ways.
 *
 * A move is a step of a thread with an outcome, or with one answer to what it asks of inputs; two outcomes are two moves, which
 * depend on each other.  An end of the program or a violation ends an execution, and so does a state in which no thread can go on.
 * If an assumption does not hold, there is no execution.  A cycle of pairs makes the traces infinitely many.
 */
#include "traces.h"
#include "../base/path.h"
#include "../step/layers.h"
#include "../step/single.h"
#include "../../bitspin_vm.h"
#include "../../symbolic/symbolic.h"
#include "../../trace/record.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct move {
	uint32_t name; /* the thread, and which of its moves in this state it is: the same where independent moves have been made */
	vm_ref next;   /* 0: the execution has ended there, as `end` says */
	enum vm_end end;
	struct footprint footprint;
};

struct moves {
	struct move *items;
	uint32_t count, capacity;
};

/* the names of moves that are asleep, in rising order, and the number of executions */
struct pair {
	vm_ref state;
	uint32_t *asleep, count;
	bool open; /* it is on the path: meeting it again is a cycle */
	unsigned __int128 executions;
};

static VM_SHARED struct {
	struct pair *pairs;
	uint32_t count, capacity, *places, size; /* places: open addressing; 0: free, else 1 + the number of a pair */
	unsigned long most;
	const char *why; /* there is no number; NULL: there is */
} traces;

enum { PER_THREAD = 1 << 16 };

/* ---- moves --------------------------------------------------------------------------------------------------------- */

/* Take a step, and record what it touches: only that, not what threads wait for because of it, which matters to searches that leave
 * moves out that they have not seen yet. */
static vm_ref step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *touched)
{
	vm_footprint_record(touched);
	vm_ref next = vm_single(state, slot, choice);
	vm_footprint_record(NULL);
	touched->everything = touched->everything || vm_excludes(next, slot);
	return next;
}

static void add_moves(struct moves *moves, vm_ref state, unsigned slot, uint32_t choice, uint32_t *number)
{
	static VM_SHARED struct footprint touched;
	uint32_t other;
	vm_ref next = step(state, slot, choice, &touched);
	enum vm_end end = next ? END_NONE : vm_this.ending.end;
	if (next)
		vm_state_load(next);
	if (next && vm_symbolic_on() && vm_symbolic_is_split(&other)) {
		uint8_t answers[VM_MAX_SLOTS];
		vm_top()->look(next, answers);
		for (uint32_t i = 0; i < answers[slot]; i++)
			add_moves(moves, next, slot, i, number);
		return;
	}
	moves->items = vm_grow(moves->items, &moves->capacity, (uint64_t)moves->count + 1, sizeof *moves->items);
	struct move *move = &moves->items[moves->count++];
	*move = (struct move){ .name = slot * PER_THREAD + (*number)++, .next = next, .end = end };
	vm_footprint_merge(&move->footprint, &touched);
	assert(*number < PER_THREAD);
}

static struct moves moves_of(vm_ref state)
{
	struct moves moves = { 0 };
	uint8_t outcomes[VM_MAX_SLOTS];
	unsigned slots = vm_top()->look(state, outcomes);
	for (unsigned slot = 0; slot < slots; slot++) {
		uint32_t number = 0;
		for (uint32_t i = 0; i < outcomes[slot]; i++)
			add_moves(&moves, state, slot, i, &number);
	}
	return moves;
}

static void moves_release(struct moves *moves)
{
	for (uint32_t i = 0; i < moves->count; i++)
		free(moves->items[i].footprint.ranges);
	free(moves->items);
}

static bool depend(const struct move *a, const struct move *b)
{
	return a->name / PER_THREAD == b->name / PER_THREAD || a->footprint.everything || b->footprint.everything ||
		!vm_footprint_independent(&a->footprint, &b->footprint);
}

/* ---- pairs --------------------------------------------------------------------------------------------------------- */

static bool is_in(uint32_t name, const uint32_t *names, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (names[i] == name)
			return true;
	return false;
}

static uint32_t *place_of(vm_ref state, const uint32_t *asleep, uint32_t count)
{
	uint64_t hash = state;
	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ asleep[i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	for (uint32_t at = (uint32_t)(hash >> 32) & (traces.size - 1);; at = (at + 1) & (traces.size - 1)) {
		const struct pair *pair = traces.places[at] ? &traces.pairs[traces.places[at] - 1] : NULL;
		if (!pair ||
		    (pair->state == state && pair->count == count && memcmp(pair->asleep, asleep, count * sizeof *asleep) == 0))
			return &traces.places[at];
	}
}

static unsigned __int128 count_from(vm_ref state, const uint32_t *asleep, uint32_t nasleep);

/* Return the number of executions of a pair that has not been met before. */
static unsigned __int128 count_moves(vm_ref state, const uint32_t *asleep, uint32_t nasleep)
{
	struct moves moves = moves_of(state);
	unsigned __int128 sum = 0, one;
	uint32_t *next = calloc(moves.count + 1, sizeof *next);
	if (!next)
		VM_BUG("out of memory");
	for (uint32_t i = 0; i < moves.count && !traces.why; i++) {
		const struct move *move = &moves.items[i];
		uint32_t n = 0;
		if (is_in(move->name, asleep, nasleep))
			continue;
		for (uint32_t k = 0; k < moves.count; k++) {
			bool sleeps = is_in(moves.items[k].name, asleep, nasleep);
			if ((k < i || sleeps) && k != i && !depend(&moves.items[k], move))
				next[n++] = moves.items[k].name;
		}
		if (move->end == END_INCONCLUSIVE)
			traces.why = "a limit cuts a path";
		one = move->next ? count_from(move->next, next, n) : move->end != END_PRUNED;
		if (sum + one < sum)
			traces.why = "there are more than 2^128";
		sum += one;
	}
	free(next);
	if (moves.count == 0)
		sum = 1;
	moves_release(&moves);
	return sum;
}

static unsigned __int128 count_from(vm_ref state, const uint32_t *asleep, uint32_t nasleep)
{
	uint32_t *place = place_of(state, asleep, nasleep), number;
	if (*place) {
		const struct pair *pair = &traces.pairs[*place - 1];
		if (pair->open)
			traces.why = "there are infinitely many: a loop comes back to where it was";
		return pair->executions;
	}
	if (traces.count == traces.most) {
		traces.why = "there are too many states";
		return 0;
	}
	traces.pairs = vm_grow(traces.pairs, &traces.capacity, (uint64_t)traces.count + 1, sizeof *traces.pairs);
	number = traces.count++;
	*place = 1 + number;
	uint32_t *names = malloc((nasleep + 1) * sizeof *names);
	if (!names)
		VM_BUG("out of memory");
	memcpy(names, asleep, nasleep * sizeof *names);
	traces.pairs[number] = (struct pair){ .state = state, .asleep = names, .count = nasleep, .open = true };
	unsigned __int128 executions = count_moves(state, names, nasleep);
	traces.pairs[number].open = false;
	traces.pairs[number].executions = executions;
	return executions;
}

/* ---- all ----------------------------------------------------------------------------------------------------------- */

static const char *digits(unsigned __int128 number)
{
	static VM_OWN char text[48];
	char *at = text + sizeof text;
	*--at = '\0';
	do
		*--at = (char)('0' + (int)(number % 10));
	while ((number /= 10));
	return at;
}

void vm_traces_write(unsigned long most)
{
	traces.most = most;
	for (traces.size = 1024; traces.size / 2 < most;)
		traces.size *= 2;
	traces.places = calloc(traces.size, sizeof *traces.places);
	if (!traces.places)
		VM_BUG("out of memory");
	vm_path_leave();
	unsigned __int128 number = count_from(vm_this.initial, NULL, 0);
	vm_record_write(json_pack("{s:s, s:s*, s:s*, s:I}", "type", "traces", "traces", traces.why ? NULL : digits(number), "why",
				  traces.why, "pairs", (json_int_t)traces.count));
	for (uint32_t i = 0; i < traces.count; i++)
		free(traces.pairs[i].asleep);
	free(traces.pairs);
	free(traces.places);
}
