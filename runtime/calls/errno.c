/* SPDX-License-Identifier: MIT
 *
 * errno.  It is a thread-local variable of the program; one that never asks for its address cannot read it, and then it is
 * not there.
 */
#include "builtin.h"

/* The address of the running thread's errno, 0 if there is none. */
static uint64_t address_of_errno(void)
{
	static int64_t number = -2; /* among the thread-local globals; -1: none, -2: not looked for yet */
	const struct vm *vm = &vm_this;
	if (number == -2) {
		number = -1;
		for (unsigned i = 0; i < vm->tls_count; i++)
			if (vm->image.globals[vm->tls_global[i]].flags & GLOBAL_ERRNO)
				number = i;
	}
	return number < 0 ? 0 : image_address(vm->current->locals.first + (uint32_t)number, 0);
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
