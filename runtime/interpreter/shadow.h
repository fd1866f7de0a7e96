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

#include "../vm.h"

/* The registers of a thread may be unset from now on; before that, all shadows are 0. */
void vm_shadow_begin(struct vm_thread *thread);

/* All registers of a thread are set, or will not be read again. */
void vm_shadow_clear(struct vm_thread *thread);

/* As vm_compute() of arith.h, for a thread that is shadowed; `shadows` goes with `registers`. */
void vm_compute_shadowed(const struct image_insn *insn, uint64_t *registers, uint64_t *shadows, const uint64_t *constants);

/* Are these bytes equal, for a compare-and-exchange?  Of structures with padding, the bits that are set on both sides
 * decide; a side of which nothing is set is an error. */
bool vm_equal(struct vm_bytes a, struct vm_bytes b, uint64_t size);

/* Remember, for a replay's message, where the running thread got a value that is not set: from memory, or (address 0) from
 * the variable `symbol`, or IMAGE_NONE. */
void vm_shadow_note(uint64_t address, uint32_t symbol);

/* Something depends on a value that was never set; `what` it is, for people. */
_Noreturn void vm_fault_unset(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
