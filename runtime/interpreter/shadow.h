/* SPDX-License-Identifier: MIT
 *
 * Values that were never set.
 *
 * Every bit of memory and of registers has a shadow bit, which is 1 if nothing has set it: memory of malloc, variables
 * without an initial value.  Shadows are copied and computed with values, bit by bit, so that padding, bit-fields and parts
 * of structures may be copied about (Seward and Nethercote, Using Valgrind to detect undefined value errors with
 * bit-precision, USENIX 2005, section 2).  Only where such a bit would decide something is it an error: what is done next,
 * an address, the outcome of an operation that may fail, what the world gets to see.
 *
 * So a verdict does not depend on what unset memory holds: along a run without that error, nothing that happens does.
 * Therefore the bit itself may be 0 always, and a state is canonical.
 *
 * Most values are set, and most code pays nothing: an object has shadow bytes only while one of its bits is unset, and
 * a thread computes with shadows only while one of its registers has one (`shadowed`).
 */
#ifndef BITSPIN_SHADOW_H
#define BITSPIN_SHADOW_H

#include "interpreter.h"

/* As vm_compute() of arith.h, for a thread that is shadowed; `shadows` goes with `registers`. */
void vm_compute_shadowed(const struct image_insn *insn, uint64_t *registers, uint64_t *shadows, const uint64_t *constants);

#endif
