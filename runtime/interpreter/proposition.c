/* SPDX-License-Identifier: MIT
 *
 * See proposition.h.
 *
 * What decides the values?
 *
 * The memory that expressions read.  Two sets of it matter:
 * - What they may read in some state or other is known before the search (translator/request/property_reads.c): bytes of
 *   global variables, or, if they read through pointers, all memory that threads share.  A write to it is visible, plain or
 *   not, so that a state follows each.  What they read now would not be enough: a byte that no expression reads in this state
 *   may be written twice in one step, while another thread's step makes an expression read it; the state in which it is read
 *   between the two writes would be lost.  Memory that is not shared yet cannot be reached by an expression, which has only what
 *   globals lead to: writes to it come before the write that shares it, in the same thread, and no expression can tell when.
 * - What they have read in this state is written down (`watch`) and kept in it.  Writes to that depend on one another, and on
 *   all other writes to what expressions may read; see vm_footprint_add_written().
 *
 * And where threads are: entering and leaving functions and labels is visible too, and so are a thread's creation and end, where
 * a proposition asks for them and for this thread (vm_asks_in() and its like).  No other step changes what a proposition about
 * threads says: that a thread in another slot is in the function, or this one in another function, is not looked at.  So
 * such steps are like any others of the thread.  (Variables that end with a thread, which expressions may read through pointers,
 * are written.)  What is enabled depends on more than that: with such propositions the reductions are off (plan.def
 * in search/).
 *
 * An invariant is evaluated after every step, also after those in the middle of a super-step, and what changes it depends on
 * all else that does.  So reductions keep the sequence of its values, and persistent sets, which keep all that a step can do
 * by their cycle proviso, lose no violation.  It means what [] of it means as a formula.
 */
#include "proposition.h"
#include "../bitspin_vm.h"
#include "../calls/builtin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUATIONS 4096u

static VM_OWN struct {
	uint64_t values[MOST_VALUATIONS];
	unsigned count, last;
	bool overflow;
} seen;

static VM_OWN bool asks_outcomes; /* some property does, by enabled() or blocked() */

static void note_readable(const struct image_property *property)
{
	const uint32_t *words = vm_this.image.pool + property->reads;
	if (property->reads == IMAGE_NONE)
		vm_property_reads_range(&(struct vm_range){ .object = IMAGE_NONE });
	for (uint32_t i = 0; i < property->nreads; i++, words += 3)
		vm_property_reads_range(&(struct vm_range){
			.object = (uint32_t)(image_global_address(words[0], 0) >> IMAGE_OFFSET_BITS),
			.low = words[1],
			.high = words[2],
		});
}

static bool is_evaluated(const struct image_property *property)
{
	return property->kind == PROPERTY_EXPRESSION || (property->kind == PROPERTY_INVARIANT && property->formula == IMAGE_NONE);
}

void vm_properties_init(void)
{
	struct vm *vm = &vm_this;
	vm->propositions = 0;
	for (uint64_t i = 0; i < vm->image.counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *property = &vm->image.properties[i];
		vm->propositions += image_property_is_numbered(property);
		vm->ends = vm->ends || property->kind == PROPERTY_DONE;
		asks_outcomes = asks_outcomes || property->kind == PROPERTY_ENABLED || property->kind == PROPERTY_BLOCKED;
		if (is_evaluated(property))
			note_readable(property);
	}
}

static bool is_in(const struct vm_thread *thread, uint32_t function)
{
	for (uint32_t i = 0; i < thread->header.frames; i++)
		if (thread->frames[i].function == function)
			return true;
	return false;
}

static bool is_at(const struct vm_thread *thread, const char *label)
{
	const struct builtin *builtin = thread->header.woken == WOKEN_AT_LABEL ? vm_resting_call(thread) : NULL;
	if (!builtin || builtin->run != run_label)
		return false;
	const char *name = builtin->data ? builtin->data : vm_label_of(thread);
	return strcmp(name, label) == 0;
}

static bool has_started(unsigned slot)
{
	return vm_this.started[slot / 64] >> slot % 64 & 1;
}

/* Return what a proposition about threads says of a thread whose next step has so many outcomes. */
static bool holds_for(const struct image_property *property, struct vm_thread *thread, unsigned outcomes)
{
	bool running = thread->header.status == THREAD_RUNNING;
	switch ((enum image_property_kind)property->kind) {
	case PROPERTY_IN: return running && is_in(thread, property->function);
	case PROPERTY_AT: return running && is_at(thread, image_string(&vm_this.image, property->label));
	case PROPERTY_ENABLED: return outcomes > 0;
	case PROPERTY_BLOCKED: return running && outcomes == 0;
	case PROPERTY_LOCKING: return running && vm_wait_is_lock(thread->header.wait);
	case PROPERTY_DONE: return !running && has_started(thread->slot);
	default: VM_BUG("property %u is not about threads", property->kind);
	}
}

static bool holds_for_some(const struct image_property *property, const uint8_t *outcomes)
{
	struct vm *vm = &vm_this;
	for (unsigned i = 0; i < vm->slots; i++)
		if ((property->thread == IMAGE_NONE || property->thread == i) &&
		    holds_for(property, vm_thread_load(i), outcomes[i]))
			return true;
	bool past = property->thread != IMAGE_NONE && property->thread >= vm->slots; /* a slot that has been given up */
	return property->kind == PROPERTY_DONE && past && has_started(property->thread);
}

static bool holds_at_the_end(const struct image_property *property)
{
	return property->kind == PROPERTY_TERMINATED ||
		(property->kind == PROPERTY_DONE && (property->thread == IMAGE_NONE || has_started(property->thread)));
}

static bool holds(const struct image_property *property, bool ended, const uint8_t *outcomes)
{
	if (property->kind == PROPERTY_EXPRESSION)
		return vm_evaluate(property) != 0;
	if (ended)
		return holds_at_the_end(property);
	return property->kind != PROPERTY_TERMINATED && holds_for_some(property, outcomes);
}

/* Return the value of an invariant's formula, given the values of the properties before it. */
static bool formula_holds(const struct image_property *property, const bool *values)
{
	bool stack[IMAGE_FORMULA_DEPTH] = { false };
	unsigned n = 0;
	for (uint32_t i = 0; i < property->nformula; i++) {
		uint32_t word = vm_this.image.pool[property->formula + i];
		unsigned operands = word <= FORMULA_TRUE ? 0 : word == FORMULA_NOT ? 1 : 2;
		assert(n >= operands && n - operands < IMAGE_FORMULA_DEPTH);
		n -= operands;
		bool *left = &stack[n], right = word > FORMULA_NOT && stack[n + 1];
		switch (word) {
		case FORMULA_FALSE:
		case FORMULA_TRUE: *left = word == FORMULA_TRUE; break;
		case FORMULA_NOT: *left = !*left; break;
		case FORMULA_AND: *left = *left && right; break;
		case FORMULA_OR: *left = *left || right; break;
		case FORMULA_IMPLIES: *left = !*left || right; break;
		case FORMULA_EQUIVALENT: *left = *left == right; break;
		default: *left = values[word];
		}
		n++;
	}
	assert(n == 1);
	return stack[0];
}

static bool *value_array(void)
{
	static VM_OWN bool *values;
	if (!values)
		values = calloc(vm_this.image.counts[IMAGE_PROPERTIES], sizeof *values);
	if (!values)
		vm_inconclusive(LIMIT_MEMORY, "out of memory");
	return values;
}

void vm_properties_evaluate(bool ended)
{
	struct vm *vm = &vm_this;
	const struct image *image = &vm->image;
	uint64_t count = image->counts[IMAGE_PROPERTIES], valuation = 0;
	uint8_t outcomes[VM_MAX_SLOTS] = { 0 };
	unsigned number = 0;
	if (count == 0)
		return;
	if (asks_outcomes)
		vm_outcomes(outcomes);
	bool *values = value_array();
	vm->location = vm->watch.written; /* what made an invariant false */
	vm->watch.count = 0;
	for (uint64_t i = 0; i < count; i++) {
		const struct image_property *property = &image->properties[i];
		if (property->kind == PROPERTY_SHOWN)
			continue;
		if (property->kind == PROPERTY_INVARIANT && property->formula != IMAGE_NONE)
			values[i] = formula_holds(property, values);
		else
			values[i] = property->kind == PROPERTY_INVARIANT ? vm_evaluate(property) != 0 :
									   holds(property, ended, outcomes);
		if (property->kind == PROPERTY_INVARIANT && !values[i])
			vm_fault(VIOLATION_INVARIANT, "%s does not hold", image_string(image, property->text));
		assert(number < 8 * sizeof valuation || !image_property_is_numbered(property));
		if (image_property_is_numbered(property))
			valuation |= (uint64_t)values[i] << number++;
	}
	assert(number == vm->propositions);
	vm->valuation = valuation;
}

uint64_t vm_valuation(vm_ref state)
{
	assert(vm_is_temporal());
	uint64_t valuation;
	memcpy(&valuation, vm_state_extra(vm_state_words(state)), sizeof valuation);
	return valuation;
}

bool vm_proposition_holds(vm_ref state, unsigned number)
{
	assert(number < vm_this.propositions);
	return vm_valuation(state) >> number & 1;
}

void vm_valuation_seen(vm_ref state)
{
	uint64_t valuation = vm_valuation(state);
	if (seen.count && seen.values[seen.last] == valuation)
		return;
	for (seen.last = 0; seen.last < seen.count; seen.last++)
		if (seen.values[seen.last] == valuation)
			return;
	if (seen.count == MOST_VALUATIONS) {
		seen.overflow = true;
		seen.last = 0;
		return;
	}
	assert(seen.last == seen.count);
	seen.values[seen.count++] = valuation;
}

const uint64_t *vm_valuations(unsigned *count, bool *complete)
{
	*count = seen.count;
	*complete = !seen.overflow;
	return seen.values;
}
