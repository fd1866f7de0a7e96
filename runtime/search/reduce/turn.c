/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is in a claim with fairness built in; ltl/fairness.c says what turns are for.
 */
#include "turn.h"
#include "../../bitspin_vm.h"
#include "../base/search.h"
#include "../../symbolic/symbolic.h"

#include <assert.h>

static VM_OWN const uint8_t *moved; /* where the last step has put the thread of each slot; NULL: threads stay */

void vm_turns_move(const uint8_t to[SYMMETRIC_SLOTS])
{
	moved = to;
}

static void move_one(unsigned char *turn, int threads)
{
	if (moved && *turn < threads)
		*turn = moved[*turn];
}

static void move_set(int *set)
{
	unsigned old = (unsigned)*set, new = 0;
	if (!moved)
		return;
	for (unsigned slot = 0; old >> slot; slot++) {
		assert(slot < SYMMETRIC_SLOTS);
		new |= (old >> slot & 1) << moved[slot];
	}
	*set = (int)new;
}

static void pass(unsigned char *turn, int *left, int threads)
{
	unsigned set = (unsigned)*left;
	*turn = (unsigned char)(set ? __builtin_ctz(set) : threads);
	*left = (int)(set & (set - 1));
}

/* Give the turn to the first thread, with all others to come. */
static void begin(unsigned char *turn, int *left, int threads)
{
	assert(threads > 0 && threads <= 32); /* the set of those to come is an int */
	*left = (int)((UINT64_C(1) << threads) - 1);
	pass(turn, left, threads);
}

/* ---- weak ------------------------------------------------------------------------------------------------------------ */

/* Where there is a split, threads do not go on that are as enabled as in the state before it, where they were looked at: none is
 * skipped.  (Strong: nobody is kept out who has been given up; and who is given up there, though enabled, is enabled again where
 * the loop comes to the state before.) */
static void skip_disabled(int state, unsigned char *turn, int *left, int threads)
{
	if (vm_symbolic_has_split(vm_ref_of(state)))
		return;
	while (*turn < threads && !vm_can_go_on(vm_ref_of(state), *turn))
		pass(turn, left, threads);
}

void vm_weak_begin(int state, unsigned char *turn, int *left, int threads)
{
	begin(turn, left, threads);
	skip_disabled(state, turn, left, threads);
}

void vm_weak_move(int state, int thread, unsigned char *turn, int *left, int threads)
{
	bool passes = *turn == thread;
	move_one(turn, threads);
	move_set(left);
	if (passes)
		pass(turn, left, threads);
	skip_disabled(state, turn, left, threads);
}

/* ---- strong ---------------------------------------------------------------------------------------------------------- */

static void skip_idle(int idle, unsigned char *turn, int *left, int threads)
{
	while (*turn < threads && (unsigned)idle >> *turn & 1)
		pass(turn, left, threads);
}

void vm_strong_begin(int idle, unsigned char *turn, int *left, int threads)
{
	begin(turn, left, threads);
	skip_idle(idle, turn, left, threads);
}

void vm_strong_move(int thread, int *idle, unsigned char *turn, int *left, int threads)
{
	bool passes = *turn == thread;
	move_one(turn, threads);
	move_set(left);
	move_set(idle);
	if (passes)
		pass(turn, left, threads);
	skip_idle(*idle, turn, left, threads);
}

void vm_strong_give_up(int *idle, unsigned char *turn, int *left, int threads)
{
	*idle |= (int)(1u << *turn);
	pass(turn, left, threads);
	skip_idle(*idle, turn, left, threads);
}

int vm_idle(int state, int idle)
{
	unsigned rest = (unsigned)idle;
	for (int thread = 0; rest; thread++, rest >>= 1)
		if ((rest & 1) && vm_can_go_on(vm_ref_of(state), (unsigned)thread))
			return 0;
	return 1;
}
