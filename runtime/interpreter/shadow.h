/* SPDX-License-Identifier: MIT
 *
 * Uninitialized values.
 *
 * Every bit of memory and of registers has a shadow bit, which is 1 if nothing has set it: memory of malloc, variables without an
 * initial value.  Shadows are copied and computed with values, bit by bit, so that padding, bit-fields and parts of structures may
 * be copied (Seward and Nethercote, Using Valgrind to detect undefined value errors with bit-precision, USENIX 2005, section 2).
 * It is an error only if such a bit decides something: what is done next, an address, the outcome of an operation that may fail,
 * the output of the program.
 *
 * So nothing that happens in a run without that error depends on what uninitialized memory holds, and neither does a verdict.
 * Therefore the VM can store 0 for such a bit, and states are canonical.
 *
 * Most values are initialized, and most code pays nothing: an object has shadow bytes only while one of its bits is not, and
 * a thread computes with shadows only while one of its registers has one (`shadowed`).
 */
#ifndef BITSPIN_SHADOW_H
#define BITSPIN_SHADOW_H

#include "interpreter.h"

/* Do what vm_compute() of arith.h does, for a thread that is `shadowed`; `shadows` are those of `registers`. */
void vm_compute_shadowed(const struct image_insn *insn, uint64_t *registers, uint64_t *shadows, const uint64_t *constants);

#endif
