/* SPDX-License-Identifier: MIT
 *
 * See proposition.h.
 *
 * What decides the values?  The memory that expressions read, which is written down (`watch`): a write to it is visible and
 * depends on other such writes.  The read set can only change by such a write.  And where threads are: entering and
 * leaving functions and labels that are asked for is visible too.  What is enabled depends on more than that: with such
 * propositions the reductions are off (see vm_properties_init).
 */
#include "proposition.h"
#include "builtin.h"
#include "inject.h"

#include <string.h>

#define MOST_VALUATIONS 4096u

static struct {
	uint64_t values[MOST_VALUATIONS];
	unsigned count, last;
	bool overflow;
} seen;

void vm_properties_init(void)
{
	struct vm *vm = &vm_this;
	vm->reductions = vm->image.options->reductions;
	vm->propositions = 0;
	for (uint64_t i = 0; i < vm->image.counts[IMAGE_PROPERTIES]; i++) {
		const struct image_property *property = &vm->image.properties[i];
		vm->propositions += property->kind != PROPERTY_INVARIANT;
		/* Steps that touch nothing in common may still differ in which of them enables a thread first. */
		if (property->kind == PROPERTY_ENABLED || property->kind == PROPERTY_BLOCKED || property->kind == PROPERTY_LOCKING)
			vm->reductions = 0;
	}
	/* The cycle proviso keeps safety, not fairness; and it knows states, not views or histories.  A thread that only a spurious
	 * wakeup lets go on must not be offered alone: that the others then go on and end in a deadlock would be lost. */
	if (vm->propositions || vm->image.counts[IMAGE_VIEWS] || vm->image.options->identity != IDENTITY_STATE ||
	    vm_injection_wanted(INJECT_SPURIOUS_WAKEUP))
		vm->reductions &= ~(unsigned)REDUCTION_PERSISTENT;
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
	const struct builtin *builtin = thread->header.woken ? vm_resting_call(thread) : NULL;
	if (!builtin || builtin->run != run_label)
		return false;
	const char *name = builtin->data ? builtin->data : vm_label_of(thread);
	return strcmp(name, label) == 0;
}

/* What a proposition about threads says of one of them, which has so many outcomes. */
static bool holds_for(const struct image_property *property, struct vm_thread *thread, unsigned outcomes)
{
	bool running = thread->header.status == THREAD_RUNNING;
	switch ((enum image_property_kind)property->kind) {
	case PROPERTY_IN: return running && is_in(thread, property->function);
	case PROPERTY_AT: return running && is_at(thread, image_string(&vm_this.image, property->label));
	case PROPERTY_ENABLED: return outcomes > 0;
	case PROPERTY_BLOCKED: return running && outcomes == 0;
	case PROPERTY_LOCKING: return running && vm_wait_is_lock(thread->header.wait);
	case PROPERTY_DONE: return !running && (vm_this.started >> (thread->slot < 63 ? thread->slot : 63) & 1);
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
	return property->kind == PROPERTY_DONE && past && (vm->started >> (property->thread < 63 ? property->thread : 63) & 1);
}

static bool holds_at_the_end(const struct image_property *property)
{
	return property->kind == PROPERTY_TERMINATED || (property->kind == PROPERTY_DONE && (property->thread == IMAGE_NONE ||
		(vm_this.started >> (property->thread < 63 ? property->thread : 63) & 1)));
}

static bool holds(const struct image_property *property, bool ended, const uint8_t *outcomes)
{
	if (property->kind == PROPERTY_EXPRESSION)
		return vm_evaluate(property) != 0;
	if (ended)
		return holds_at_the_end(property);
	return property->kind != PROPERTY_TERMINATED && holds_for_some(property, outcomes);
}

void vm_properties_evaluate(bool ended)
{
	struct vm *vm = &vm_this;
	const struct image *image = &vm->image;
	uint64_t count = image->counts[IMAGE_PROPERTIES], valuation = 0;
	uint8_t outcomes[256];
	unsigned number = 0;
	if (count == 0)
		return;
	if (vm->propositions)
		vm_outcomes(outcomes);
	vm->watch.count = 0;
	for (uint64_t i = 0; i < count; i++) {
		const struct image_property *property = &image->properties[i];
		if (property->kind != PROPERTY_INVARIANT)
			valuation |= (uint64_t)holds(property, ended, outcomes) << number++;
		else if (!ended && vm_evaluate(property) == 0)
			vm_fault(FAULT_INVARIANT, "%s does not hold", image_string(image, property->text));
	}
	vm->valuation = valuation;
}

uint64_t vm_valuation(vm_ref state)
{
	uint64_t valuation;
	memcpy(&valuation, vm_state_extra(vm_state_words(state)), sizeof valuation);
	return valuation;
}

bool vm_proposition_holds(vm_ref state, unsigned number)
{
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
	seen.values[seen.count++] = valuation;
}

const uint64_t *vm_valuations(unsigned *count, bool *complete)
{
	*count = seen.count;
	*complete = !seen.overflow;
	return seen.values;
}
