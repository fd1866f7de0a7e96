/* SPDX-License-Identifier: MIT
 *
 * errno.  It is a thread-local variable of the program.  A program that never asks for its address cannot read it, so it has no
 * such variable.
 */
#include "builtin.h"

/* Return the address of the running thread's errno; 0 if there is none. */
static uint64_t address_of_errno(void)
{
	static VM_OWN bool known, any;
	static VM_OWN uint32_t number; /* among the thread-local globals */
	const struct vm *vm = &vm_this;
	for (unsigned i = 0; !known && i < vm->tls_count; i++) {
		if (vm->image.globals[vm->tls_global[i]].flags & GLOBAL_ERRNO) {
			any = true;
			number = i;
		}
	}
	known = true;
	return any ? image_address(vm->current->locals.first + number, 0) : 0;
}

void vm_set_errno(int value)
{
	uint64_t address = address_of_errno();
	if (address && !vm_this.evaluating)
		vm_store64(address, sizeof(int), (uint32_t)value, ACCESS_WRITE);
}

int vm_errno(void)
{
	uint64_t address = address_of_errno();
	return address ? (int)vm_load64(address, sizeof(int), ACCESS_READ) : 0;
}
