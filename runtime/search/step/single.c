/* SPDX-License-Identifier: MIT
 *
 * See single.h.
 */
#include "single.h"
#include "../../bitspin_vm.h"
#include "layers.h"
#include "../base/limits.h"
#include "../base/report.h"
#include "../../interpreter/proposition.h"
#include "../../memory/interrupts.h"
#include "../../calls/atomic.h"
#include "../../memory/messages.h"
#include "../../memory/records.h"
#include "../../memory/rules.h"
#include "../../state/reads.h"
#include "../../state/symmetry.h"
#include "../../sync/operations.h"
#include "../../symbolic/symbolic.h"

#include <assert.h>
#include <string.h>

/* Return how many outcomes a part has.  A choice among more than VM_CHOICES outcomes is first narrowed to a part. */
uint32_t vm_part_size(uint32_t outcomes)
{
	return (outcomes + VM_CHOICES - 1) / VM_CHOICES;
}

uint32_t vm_offered(uint32_t outcomes)
{
	return outcomes > VM_CHOICES ? (outcomes + vm_part_size(outcomes) - 1) / vm_part_size(outcomes) : outcomes;
}

static void narrow(struct vm_thread *thread, uint32_t outcomes, uint32_t choice)
{
	uint32_t size = vm_part_size(outcomes), low = choice * size;
	thread->header.low += low;
	thread->header.count = outcomes - low < size ? outcomes - low : size;
}

static bool all_ended(void)
{
	for (unsigned i = 0; i < vm_this.slots; i++)
		if (vm_thread_load(i)->header.status == THREAD_RUNNING)
			return false;
	return true;
}

static void begin(vm_ref state)
{
	struct vm *vm = &vm_this;
	vm_state_load(state);
	vm->ending.end = END_NONE;
	vm->orders = false;
	vm->forgotten = 0;
	vm_look_again();
	vm->forgotten_bytes = 0;
	vm->doom = NULL;
	if (vm_symbolic_on())
		vm_symbolic_load();
}

/* Is there a split?  answer: take the answer that is chosen, and put the outcome of the thread's step in its place; return false if
 * the answers have only been narrowed. */
static bool is_split(void)
{
	unsigned slot;
	return vm_symbolic_answers(&slot) != 0;
}

static bool answer(uint32_t *choice)
{
	if (!vm_symbolic_answer(*choice, choice))
		return false;
	vm_symbolic_settle();
	return true;
}

/* Let the state that the step began with be split, as the step has asked for. */
static void split(vm_ref state, unsigned slot, uint32_t choice)
{
	begin(state);
	if (is_split() && !answer(&choice))
		VM_BUG("a step ends although it only narrows answers");
	if (vm_is_temporal())
		memcpy(&vm_this.valuation, vm_state_extra(vm_state_words(state)), sizeof vm_this.valuation);
	vm_symbolic_split(slot, choice);
}

/* Take the step in the working state; may leave through vm_this.escape. */
static void take(unsigned slot, uint32_t choice)
{
	struct vm *vm = &vm_this;
	struct vm_thread *thread = vm_thread_change(slot);
	vm->current = thread;
	vm->location = vm->watch.written = vm_thread_location(thread);
	if (vm->ref == vm->initial)
		vm_properties_evaluate(false);
	vm_operation_look(thread, vm->ref);
	vm->ref = 0;
	if (vm_symbolic_on() && is_split() && !answer(&choice))
		return;
	vm_reads_begin();
	uint32_t outcomes = vm_thread_outcomes(thread);
	if (outcomes > VM_CHOICES) {
		vm_reads_end();
		if (thread->header.wait == WAIT_ACCESS || thread->header.wait == WAIT_DRAIN)
			vm_atomic_note(thread);
		narrow(thread, outcomes, choice);
		return;
	}
	vm->choice = thread->header.low + choice;
	vm->budget = LOOP_BUDGET;
	vm->freeing = false; /* an earlier step may have ended in the middle */
	vm->noticeable = false;
	enum vm_interruption interruption = vm_interruption_chosen(thread, choice);
	if (interruption == INTERRUPTED_BY_SIGNAL)
		vm_interrupt(thread);
	if (interruption != INTERRUPTED_BY_REQUEST || vm_cancel_strike(thread))
		vm_run(thread, interruption != INTERRUPTED_NOT);
	vm_reads_end();
	if (vm_is_symmetric() && slot == 0)
		vm_joins_rest(thread, true);
	if (vm->image.options->deadlock == DEADLOCK_CIRCULAR)
		vm_check_circles();
	vm_properties_evaluate(false);
	if (all_ended())
		vm_exit(0);
}

/* Return true at the end of a path, which excludes all that others might have done.  Return true for a step that leaves its
 * thread in an atomic section, or gives another thread back the section that it had to wait in: the others can go on before that
 * step, and cannot after it.  (What a thread in a section does when it alone can go on has nobody to be independent of.  The step
 * that lets the others in again enables them, which ends a run.)  Whether a thread rests in a section at all may depend on what
 * it waits for, which is no part of its footprint before the thread has it.  So a rest in a section counts even where it keeps
 * nobody out. */
bool vm_excludes(vm_ref next, unsigned slot)
{
	return next == 0 || vm_this.exclusive || vm_thread_load(slot)->header.atomic;
}

/* Does a step from `state` to `next` only look at a flag in vain?  Then go back to where the step began.  A thread that looks at a
 * flag in vain learns what came before the flag had its value.  To know more leads to fewer races and to nothing else.  So all
 * that can happen then can happen without that look.  Without this rule, threads that spin make a state for each set of them that
 * has looked.  (Where records are not in states, it is one anyway.) */
static bool leads_nowhere(vm_ref state, vm_ref next)
{
	if (!vm_has_records() || state == next || !vm_records_subsume(state, next))
		return false;
	vm_state_load(state);
	return true;
}

/* Make the messages canonical that outcomes depend on: a thread at a join does nothing until it knows what the other one knows,
 * which may have ended.  Where threads are symmetric, main does nothing until it knows what all others know that it can join.
 * That does not depend on whether there are older values, which some paths drop before others. */
static void settle_messages(void)
{
	for (unsigned i = 0; i < vm_this.slots && vm_has_messages(); i++) {
		const struct vm_thread *thread = vm_thread_load(i);
		if (thread->header.wait != WAIT_JOIN)
			continue;
		unsigned joined = vm_symmetry_joins_all() ? vm_this.max_threads : vm_thread_joined_next(thread);
		if (vm_symmetry_joins_all())
			vm_joins_know();
		else if (joined < vm_this.max_threads && !vm_has_interrupts() && !vm_rule_is_off(RULE_JOINS))
			vm_messages_await(i, joined);
	}
	vm_records_settle();
}

/* Bring symbols into their form.  Where there is a split, only its thread can go on. */
static void settle_symbols(uint8_t *outcomes)
{
	unsigned slot;
	vm_symbolic_settle();
	uint32_t answers = vm_symbolic_answers(&slot);
	if (answers == 0)
		return;
	memset(outcomes, 0, vm_this.slots);
	outcomes[slot] = (uint8_t)(answers > 255 ? 255 : answers);
	vm_this.exclusive = true;
}

vm_ref vm_rest(void)
{
	struct vm *vm = &vm_this;
	uint8_t outcomes[VM_MAX_SLOTS];
	for (unsigned i = 0; i < vm->slots; i++)
		if (vm->threads[i].dirty && vm->threads[i].loaded)
			vm_forget_dead(&vm->threads[i]);
	if (vm_has_messages() || vm_has_buffers())
		settle_messages();
	vm_outcomes(outcomes);
	if (vm_symbolic_on())
		settle_symbols(outcomes);
	return vm_state_store(outcomes, vm_records_store());
}

/* Bring about what follows from the end of a step, which may be another end. */
static void conclude(void)
{
	const struct vm_ending *ending = &vm_this.ending;
	bool overflow = ending->end == END_VIOLATION && ending->kind == VIOLATION_STACK_OVERFLOW;
	vm_this.evaluating = NULL;
	if (vm_is_symmetric() && vm_this.current->slot == 0 && ending->end != END_INCONCLUSIVE)
		vm_joins_rest(vm_this.current, false);
	if (!overflow && ending->end != END_INCONCLUSIVE)
		vm_check_remembered(); /* what has happened since is not known for certain */
	if (ending->end != END_PROGRAM && ending->end != END_DEATH)
		return;
	if (vm_this.image.options->leaks && ending->end == END_PROGRAM)
		vm_check_leaks();
	vm_properties_evaluate(true);
}

#ifdef VM_DEBUG
/* Check that the stored `state` is the same when it is forgotten, loaded, and stored again. */
static void check(vm_ref state)
{
	vm_state_check();
	vm_state_check_stored(state);
	if (vm_is_transient(state) || vm_history_is_on()) /* loading a state drops what the step adds to the history */
		return;
	vm_state_reload(state);
	if (vm_symbolic_on())
		vm_symbolic_load();
	if (vm_rest() != state)
		VM_BUG("state %u is another one when it is stored again", (unsigned)state);
	vm_state_check();
}
#else
static void check(vm_ref state)
{
	(void)state;
}
#endif

vm_ref vm_single(vm_ref state, unsigned slot, uint32_t choice)
{
	struct vm *vm = &vm_this;
	assert(state && slot < vm->max_threads && choice < VM_CHOICES && !vm->stepping);
	volatile vm_ref next = 0;
	begin(state);
	vm->stepping = true;
	volatile bool ended = false;
	if (setjmp(vm->escape) == 0) {
		vm_limit_look();
		take(slot, choice);
		next = vm_rest();
		check(next);
	} else if (vm->ending.end == END_SPLIT) {
		vm->evaluating = NULL;
		vm_reads_end();
		split(state, slot, choice);
		vm->ending.end = END_NONE;
		next = vm_rest();
		check(next);
	} else if (!ended) {
		ended = true;
		next = 0;
		vm_reads_end();
		conclude();
	}
	vm->stepping = false;
	vm->evaluating = NULL;
	return next && leads_nowhere(state, next) ? state : next;
}

/* ---- the layer --------------------------------------------------------------------------------------------------------- */

/* Add to the footprint of the step from `before` to `after`, which is the working state, what other threads wait for because of
 * the step. */
static void add_new_waits(vm_ref before, vm_ref after, unsigned slot)
{
	const uint32_t *old = vm_state_words(before), *new = vm_state_words(after);
	const uint8_t *outcomes = vm_state_outcomes(new);
	for (unsigned i = 0; i < new[1]; i++)
		if (i != slot && outcomes[i] == 0 && vm_state_thread(old, i) != vm_state_thread(new, i))
			vm_footprint_add_awaited(vm_thread_load(i));
}

static vm_ref step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint)
{
	if (!footprint)
		return vm_single(state, slot, choice);
	vm_footprint_record(footprint);
	vm_ref next = vm_single(state, slot, choice);
	if (next)
		add_new_waits(state, next, slot);
	vm_footprint_record(NULL);
	if (vm_excludes(next, slot))
		footprint->everything = true;
	return next;
}

static bool suits(void)
{
	return true;
}

VM_OWN struct vm_layer vm_below[LAYERS + 1];

const struct vm_layer vm_layer_single = { .suits = suits, .step = step };
