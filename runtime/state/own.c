/* SPDX-License-Identifier: MIT
 *
 * See own.h.
 */
#include "own.h"
#include "state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The section's ends, which the linker knows. */
extern char __start_vm_own[], __stop_vm_own[];

struct vm_box {
	size_t size;
	char bytes[];
};

struct vm_box *vm_box_new(void)
{
	size_t size = (size_t)(__stop_vm_own - __start_vm_own);
	struct vm_box *box = calloc(1, sizeof *box + size);
	if (box)
		box->size = size;
	return box;
}

void vm_box_free(struct vm_box *box)
{
	free(box);
}

void vm_exchange(struct vm_box *box)
{
	assert(!vm_this.stepping);
	for (size_t i = 0; i < box->size; i++) {
		char byte = box->bytes[i];
		box->bytes[i] = __start_vm_own[i];
		__start_vm_own[i] = byte;
	}
}

void vm_own_clear(void)
{
	memset(__start_vm_own, 0, (size_t)(__stop_vm_own - __start_vm_own));
}
