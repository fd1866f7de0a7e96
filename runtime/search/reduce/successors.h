/* SPDX-License-Identifier: MIT
 *
 * How an option of the model asks for a run to be made.
 */
#ifndef BITSPIN_SUCCESSORS_H
#define BITSPIN_SUCCESSORS_H

#include "superstep.h"

/* How a run is made. */
enum vm_way { VM_AS_RUN, VM_AS_TRANSACTION, VM_AS_SECTIONS, VM_AS_STEP };

/* Return the way that an option of pan's asks for (bitspin_vm.h). */
static inline enum vm_way vm_way_of(uint32_t option)
{
	switch (option) {
	case VM_TRANSACTION: return VM_AS_TRANSACTION;
	case VM_SECTIONS: return VM_AS_SECTIONS;
	case VM_STEP: return VM_AS_STEP;
	default: return VM_AS_RUN;
	}
}

#endif
