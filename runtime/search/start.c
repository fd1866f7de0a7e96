/* SPDX-License-Identifier: MIT
 *
 * The state before the program starts.
 */
#include "search.h"
#include "../interpreter/proposition.h"

/* A property that cannot be evaluated in the state before the program starts: the first step meets the same violation. */
static void evaluate_first(void)
{
	struct vm *vm = &vm_this;
	vm->stepping = true;
	vm->initial_faulty = true;
	if (setjmp(vm->escape) == 0) {
		vm_properties_evaluate(false);
		vm->initial_faulty = false;
	}
	vm->stepping = false;
	vm->evaluating = NULL;
}

void vm_begin(void)
{
	struct vm *vm = &vm_this;
	builtin_resolve();
	vm_properties_init();
	vm_state_init();
	vm->cut = vm_state_store_final(STATE_PRUNED);
	vm_thread_start(0, vm->image.options->start);
	evaluate_first();
	vm->initial = vm_rest();
	if (vm_is_temporal())
		vm_valuation_seen(vm->initial);
}
