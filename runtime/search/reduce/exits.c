/* SPDX-License-Identifier: MIT
 *
 * A layer (layers.h): a step that ends the program is taken only where no other thread can go on.  It is the step of _exit(), which
 * is the last of exit(), quick_exit() and a return of main, after handlers and streams; and that of an assumption that fails, or of
 * abort() under the rules of SV-COMP, where the thread rests before it (cuts_path() in exec.c).  A thread rests before such a step
 * with WAIT_END.
 *
 * Why no violation is lost: let R be the states of the program without this layer, and let e be an execution in R that ends with
 * such a step d of thread t, while others can go on.  Everything before d is an execution in R without d, and is explored: what
 * threads do does not depend on how far t is from d, and in the state before d all options of the others are offered, and all their
 * options after that.  So what could be lost is a violation that d itself finds.  d reads and writes nothing, waits for nothing and
 * synchronizes with nobody; that its status is initialized was checked when t came to rest.  What is checked where the program ends
 * are leaks and properties: the layer is not in the stack then (plan.def).  A race needs two accesses, and d is none.
 *
 * Why none is invented: each state that the layer leaves is one of R.  A state is a deadlock, or hangs (hangs.h), by what its
 * threads can do in R, and t can go on there.  So a state in which only d is left is no deadlock, as before: the program ends.
 * Circular waits (circle.c) are found by the step that closes the circle.
 *
 * Others that go on for ever, such as detached servers, put d off for ever.  Nothing is behind d, so that matters to nobody, as
 * long as nobody asks whether the program ends: formulas do, and with them the layer is off.  The report says with which status the
 * program may end: that is noted when a thread comes to rest before d (prepare_exit()).
 *
 * Why the reductions above it may be on: they reduce the program R', in which d is enabled only where no other step is.  Its
 * executions are those of R without such steps, and then perhaps one of them at the end.  Two steps of other threads that are
 * independent in R are so in R': between them, another step is enabled, so that d is not.  d is never an alternative to another
 * step, so it is in no run (superstep.h), and no group is explored past it (groups.h): while a thread of the set is enabled, d is
 * not; and if the group disables that thread, the two meet anyway.  Where d is enabled, it is all that is offered, but for other
 * threads before steps that are like it.
 *
 * A thread in an atomic section keeps the others out also before d: they cannot go on.
 *
 * Where nothing but such steps is left in a state s, a move of a run that leads to s takes one of them along, so that s is no
 * state of the search.  What is offered in s is a step d for each thread that can go on there, and no more.  The move looks for
 * what is wrong with s as ever, a race, a hang or a deadlock, before d is taken.  As d changes nothing, each d leads to the same
 * last state: the search would come to that, and to nothing else.  That holds only if all of them end the program, or all of them
 * the path, and find nothing wrong on the way; else s stays.  So it is no matter whether the other threads are over or blocked.
 * A cycle never goes through s.  Only a depth-first search of one process, with runs, does so: others follow moves by their steps,
 * or ask for s.
 */
#include "exits.h"
#include "../base/path.h"
#include "transition_cache.h"
#include "../../state/driver.h"
#include "../base/report.h"
#include "../step/layers.h"
#include "../../state/trees.h"

static VM_OWN struct {
	vm_ref state; /* the last one that was looked at; 0: none */
	struct vm_tree *tree;
} looked_at;

/* Return the thread in `slot`, NULL if there is none.  Each state is asked, and the words of one are dear (words.c). */
static const vm_stored_header *thread_of(vm_ref state, unsigned slot)
{
	struct vm_scene_view view;
	if (vm_is_transient(state))
		return vm_thread_stored(state, slot);
	if (vm_transitions_view(state, &view))
		return slot < view.slots ? view.threads[slot] : NULL;
	if (!looked_at.tree)
		looked_at.tree = vm_tree_new();
	if (looked_at.state != state)
		vm_tree_of(state, looked_at.tree);
	looked_at.state = state;
	vm_ref thread = slot < looked_at.tree->slots ? vm_nodes()[looked_at.tree->nodes[slot]].words[SLOT_THREAD] : 0;
	return thread ? vm_table_get(thread) : NULL;
}

static void forget(void)
{
	looked_at.state = 0;
}

static bool is_before_end(vm_ref state, unsigned slot)
{
	const vm_stored_header *header = thread_of(state, slot);
	return header && header->wait == WAIT_END;
}

bool vm_exits_last(vm_ref state, unsigned slot)
{
	return vm_reduces(REDUCTION_EXITS) && is_before_end(state, slot);
}

bool vm_exits_puts_off(vm_ref state, unsigned slot)
{
	const uint32_t *words = vm_state_words(state);
	const uint8_t *outcomes = vm_state_outcomes(words);
	if (!vm_exits_last(state, slot))
		return false;
	for (unsigned i = 0; i < words[1]; i++)
		if (outcomes[i] && !is_before_end(state, i))
			return true;
	return false;
}

unsigned vm_exits_put_off(vm_ref state, unsigned slots, uint8_t *outcomes)
{
	uint8_t last[VM_MAX_SLOTS];
	unsigned count = 0, others = 0;
	if (!vm_reduces(REDUCTION_EXITS))
		return 0;
	for (unsigned i = 0; i < slots; i++) {
		bool ends = outcomes[i] && is_before_end(state, i);
		if (ends)
			last[count++] = (uint8_t)i;
		others += outcomes[i] && !ends;
	}
	if (others == 0)
		return 0;
	for (unsigned i = 0; i < count; i++)
		outcomes[last[i]] = 0;
	return count;
}

/* Fill in which threads are before the end of the program in `state`, if no other thread can go on.  Return how many slots there
 * are, 0 if one can. */
static unsigned only_ends(vm_ref state, bool *ends)
{
	const uint32_t *words = vm_state_words(state);
	const uint8_t *outcomes = vm_state_outcomes(words);
	for (unsigned i = words[1]; i-- > 0;) {
		ends[i] = outcomes[i];
		if (ends[i] && vm_thread_stored(state, i)->wait != WAIT_END)
			return 0; /* it goes on */
	}
	return words[1];
}

static bool takes_ends_along(void)
{
	bool depth_first = vm_path_is_known() && !vm_driver.has_processes;
	return depth_first && vm_reduces(REDUCTION_EXITS) && vm_reduces(REDUCTIONS_OF_RUNS);
}

bool vm_exits_only(vm_ref state)
{
	bool ends[VM_MAX_SLOTS], any = false;
	unsigned slots = takes_ends_along() ? only_ends(state, ends) : 0;
	for (unsigned i = 0; i < slots; i++)
		any = any || ends[i];
	return any;
}

unsigned vm_exits_take(vm_ref state)
{
	bool ends[VM_MAX_SLOTS];
	unsigned taken = VM_MAX_SLOTS, how = END_NONE, slots = takes_ends_along() ? only_ends(state, ends) : 0;
	for (unsigned i = 0; i < slots; i++) {
		if (!ends[i])
			continue;
		vm_ref next = vm_below[LAYER_exits].step(state, i, 0, NULL);
		bool ended = !next && (vm_this.ending.end == END_PROGRAM || vm_this.ending.end == END_PRUNED);
		if (!ended || (how != END_NONE && vm_this.ending.end != how))
			return VM_MAX_SLOTS;
		how = vm_this.ending.end;
		taken = i;
	}
	return taken;
}

static unsigned look(vm_ref state, uint8_t *outcomes)
{
	unsigned slots = vm_below[LAYER_exits].look(state, outcomes);
	if (vm_driver.replays) /* it takes what the trail says */
		return slots;
	vm_saved[REDUCTION_EXITS_NUMBER] += vm_exits_put_off(state, slots, outcomes);
	return slots;
}

static bool suits(void)
{
	return vm_reduces(REDUCTION_EXITS);
}

const struct vm_layer vm_layer_exits = { .suits = suits, .look = look, .forget = forget };
