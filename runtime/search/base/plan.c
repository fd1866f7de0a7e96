/* SPDX-License-Identifier: MIT
 *
 * See plan.h.  The table is plan.def; here is what each circumstance is.  Where pan's options matter, and where a trial run does
 * (trial.c), the decision comes later, as neither is known before.
 */
#include "plan.h"
#include "../../bitspin_vm.h"
#include "../../calls/builtin.h"
#include "../../calls/inject.h"
#include "../../interpreter/proposition.h"
#include "../../memory/interrupts.h"
#include "../../memory/buffers.h"
#include "../../memory/messages.h"
#include "../../memory/records.h"
#include "../../state/symmetry.h"
#include "../../sync/operations.h"
#include "../../symbolic/symbolic.h"
#include "../../sync/sync.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static VM_OWN struct {
	unsigned off;                /* reductions and caches */
	const char *why[REDUCTIONS]; /* for each reduction that is off */
	const char *name;            /* of a function that the program calls */
	unsigned decisions;
} plan;

/* ---- circumstances --------------------------------------------------------------------------------------------------- */

static bool any_property(bool (*is_wanted)(const struct image_property *property))
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_PROPERTIES]; i++)
		if (is_wanted(&image->properties[i]))
			return true;
	return false;
}

static bool asks_outcomes_or_locks(const struct image_property *property)
{
	return property->kind == PROPERTY_ENABLED || property->kind == PROPERTY_BLOCKED || property->kind == PROPERTY_LOCKING;
}

static bool asks_who_can_go_on(void)
{
	return any_property(asks_outcomes_or_locks);
}

static bool has_interrupts(void)
{
	return vm_has_interrupts();
}

static bool identifies_as_scale(void)
{
	return vm_this.image.options->identity == IDENTITY_SCALE;
}

static bool identifies_otherwise(void)
{
	return vm_this.image.options->identity != IDENTITY_STATE;
}

static bool has_views(void)
{
	return vm_this.image.counts[IMAGE_VIEWS];
}

static bool has_formulas(void)
{
	return vm_this.propositions || vm_driver.seeks_cycles;
}

static bool formulas_see_fairness(void)
{
	return has_formulas() && vm_driver.schedules != VM_SCHEDULES_ALL;
}

static bool formulas_see_timeouts(void)
{
	return has_formulas() && vm_injection_limited(INJECT_TIMEOUT);
}

static bool has_properties(void)
{
	return vm_this.image.counts[IMAGE_PROPERTIES];
}

static bool looks_for_leaks(void)
{
	return vm_this.image.options->leaks;
}

static bool reports_overflow(void)
{
	return vm_this.image.options->overflow;
}

static bool has_records(void)
{
	return vm_has_records();
}

static bool keeps_records_apart(void)
{
	return vm_this.apart || vm_reduces(REDUCTION_HISTORIES);
}

static bool has_records_in_states(void)
{
	return vm_has_records() && !keeps_records_apart();
}

static bool has_records_but_no_messages(void)
{
	return has_records_in_states() && !vm_has_messages();
}

static bool reads_stale_values(void)
{
	return vm_has_messages() || vm_has_buffers();
}

static bool formulas_see_inputs(void)
{
	return vm_symbolic_on() && has_formulas();
}

static bool records_see_inputs(void)
{
	return vm_symbolic_on() && (has_records_in_states() || reads_stale_values());
}

static bool goes_on_past_races(void)
{
	return vm_this.image.options->all || vm_this.image.counts[IMAGE_SUPPRESSIONS] || vm_this.image.counts[IMAGE_TOLERATED];
}

static bool has_no_moves(void)
{
	return !vm_driver.depth_first || vm_driver.has_processes || vm_driver.stores_hashes;
}

static bool has_single_steps(void)
{
	return !vm_reduces(REDUCTIONS_OF_RUNS & ~(unsigned)REDUCTION_ENDS);
}

static bool hides_pointers(void)
{
	return vm_this.image.options->hidden;
}

static bool shows_values(void)
{
	return vm_driver.shows_values;
}

static bool looks_at_threads(void)
{
	return vm_driver.asks_threads;
}

static bool has_many_threads(void)
{
	return vm_this.image.options->max_threads > SYMMETRIC_SLOTS;
}

static bool protects_variables(void)
{
	return vm_this.protects;
}

/* Does it ask for a thread, or for all of them one by one?  Main is not exchanged. */
static bool names_thread(const struct image_property *property)
{
	switch ((enum image_property_kind)property->kind) {
	case PROPERTY_INVARIANT:
	case PROPERTY_EXPRESSION:
	case PROPERTY_TERMINATED: return false;
	case PROPERTY_IN:
	case PROPERTY_AT: return property->thread != IMAGE_NONE && property->thread != 0;
	default: return true;
	}
}

static bool names_threads(void)
{
	return any_property(names_thread);
}

static bool lets_pan_be_fair(void)
{
	return (vm_is_temporal() || vm_driver.seeks_cycles) && vm_driver.may_be_fair;
}

static bool suppresses_faults(void)
{
	return vm_this.image.counts[IMAGE_SUPPRESSIONS] || vm_this.image.counts[IMAGE_TOLERATED];
}

static bool has_atomic_sections(void)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_FUNCTIONS]; i++)
		if (image->functions[i].flags & FUNCTION_ATOMIC)
			return true;
	return false;
}

/* Does it tell which thread is which, or take a handle for anything but to wait for the end? */
static bool is_unsuitable(const struct builtin *builtin)
{
	static enum vm_outcome (*const functions[])(struct vm_call *) = {
		run_thread_self,    run_thread_equal,     run_gettid,     run_testcancel, run_setjmp,      run_longjmp,
		run_cleanup_push,   run_unwind_next,      run_once,       run_futex,      run_await,       run_killed,
		run_signal_words,   run_signals_are_sent, run_signal_get, run_signal_set, run_rwlock_read, run_interrupts_others,
		run_interrupt_ends,
	};
	bool unsuitable = vm_takes_handle(builtin) || strstr(builtin->name, "atomic_begin") ||
		strstr(builtin->name, "section_begin");
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		unsuitable = unsuitable || builtin->run == functions[i];
	if (vm_this.image.options->clock_step) /* one that stands still tells everybody the same */
		unsuitable = unsuitable || builtin->run == run_clock_read || builtin->run == run_clock_reach ||
			builtin->run == run_clock_passed;
	if (builtin->run == run_thread_join)
		unsuitable = (builtin->flags & BUILTIN_TRIES) || builtin_deadline(builtin->flags);
	plan.name = unsuitable ? builtin->name : plan.name;
	return unsuitable;
}

static bool tells_threads_apart(void)
{
	return builtin_is_used(is_unsuitable);
}

static bool names_objects(void)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_CONSTANTS]; i++)
		if (image_names_dynamic(image->constants[i]))
			return true;
	return false;
}

static bool has_timers(void)
{
	return vm_has_timers();
}

static bool notes_operations(void)
{
	return vm_operations_are_noted();
}

static bool is_fair(void)
{
	return vm_driver.is_fair;
}

static bool replays(void)
{
	return vm_driver.replays;
}

static bool stores_whole_states(void)
{
	return !vm_driver.stores_hashes || !vm_driver.depth_first || vm_driver.has_processes;
}

/* ---- decisions ------------------------------------------------------------------------------------------------------- */

static const struct row {
	bool (*holds)(void);
	unsigned off;
	const char *why;
} rows[] = {
#define CIRCUMSTANCE(name, off, why) { name, off, why },
#include "plan.def"
#undef CIRCUMSTANCE
};

static void switch_off(unsigned what, const char *why)
{
	assert(what);
	assert(why && *why);
	for (unsigned i = 0; i < REDUCTIONS; i++)
		if (what >> i & 1 && !plan.why[i])
			plan.why[i] = why;
	plan.off |= what;
	plan.decisions++;
	vm_this.reductions &= ~what;
	vm_this.owned = vm_this.owned && !(what & REDUCTION_OWNED);
	vm_this.apart = vm_this.apart && !(what & REDUCTION_HISTORIES);
}

static void look_at_circumstances(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].holds())
			switch_off(rows[i].off, rows[i].why);
}

void vm_plan(void)
{
	assert(vm_this.image.options); /* an image is loaded */
	struct vm *vm = &vm_this;
	const char *poison = getenv("BITSPIN_POISON"), *slicing = getenv("BITSPIN_SLICING");
	vm->reductions = vm->image.options->reductions;
	assert(!(vm->reductions & ~(unsigned)REDUCTION_ALL)); /* no cache is among them */
	look_at_circumstances();
	vm->slicing = vm->slices = vm->reductions & REDUCTION_SLICING;
	vm->owned = vm->reductions & REDUCTION_OWNED;
	vm->apart = vm_has_records() && (vm->reductions & REDUCTION_HISTORIES);
	vm->reductions &= ~(unsigned)(REDUCTION_SLICING | REDUCTION_OWNED |
				      REDUCTION_HISTORIES); /* they have fields of their own */
	vm->trusting = slicing && strcmp(slicing, "unchecked") == 0;
	vm->poison = poison ? (uint8_t)strtoul(poison, NULL, 0) : 0;
}

void vm_plan_heed_driver(void)
{
	look_at_circumstances();
}

void vm_plan_replay(void)
{
	vm_driver.replays = true;
	vm_plan_heed_driver();
}

void vm_plan_names_threads(void)
{
	switch_off(REDUCTION_SYMMETRY, "threads create threads");
}

void vm_plan_single_steps(void)
{
	switch_off((unsigned)REDUCTION_ALL & ~(unsigned)REDUCTIONS_OF_STEPS, "steps are taken one by one");
}

bool vm_plan_has(enum vm_cache cache)
{
	assert(!((unsigned)cache & (unsigned)REDUCTION_ALL)); /* those are in vm_this.reductions */
	return !(plan.off & cache);
}

unsigned vm_plan_decisions(void)
{
	return plan.decisions + 1;
}

const char *vm_plan_reason(enum image_reduction number)
{
	static VM_OWN char text[120];
	assert(number < REDUCTIONS);
	bool asked = vm_this.image.options->reductions >> number & 1;
	if (!asked || !plan.why[number])
		return NULL;
	assert(plan.name || !strstr(plan.why[number], "%s")); /* tells_threads_apart() has found it */
	snprintf(text, sizeof text, plan.why[number], plan.name);
	return text;
}
