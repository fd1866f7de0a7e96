/* SPDX-License-Identifier: MIT
 *
 * See own.h.
 */
#include "own.h"

#include <string.h>

/* The section's ends, which the linker knows. */
extern char __start_vm_own[], __stop_vm_own[];

void vm_own_clear(void)
{
	memset(__start_vm_own, 0, (size_t)(__stop_vm_own - __start_vm_own));
}
