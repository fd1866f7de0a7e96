/* SPDX-License-Identifier: MIT
 *
 * Opening and closing a VM, and the state before the program starts.
 */
#include "search.h"
#include "../state/limit.h"
#include "../interpreter/proposition.h"

/* A property that cannot be evaluated in the state before the program starts: the first step meets the same violation. */
static void evaluate_first(void)
{
	struct vm *vm = &vm_this;
	vm->stepping = true;
	vm->initial_unvalued = true;
	if (setjmp(vm->escape) == 0) {
		vm_properties_evaluate(false);
		vm->initial_unvalued = false;
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

int vm_open(const char *path, char *error, size_t size)
{
	struct image *image = &vm_this.image;
	if (image_load(image, path, error, size) < 0)
		return -1;
	vm_limit_memory(image->options->max_memory);
	if (!vm_table_open(image->options->max_memory))
		vm_inconclusive(LIMIT_MEMORY, "there is no memory for the state table");
	vm_begin();
	return 0;
}

void vm_close(void)
{
	vm_scratch_free();
	vm_table_close();
	image_release(&vm_this.image);
	vm_own_clear();
}
