/* SPDX-License-Identifier: MIT
 *
 * Instructions that only compute: from registers to registers.
 */
#ifndef BITSPIN_ARITH_H
#define BITSPIN_ARITH_H

#include "../state/state.h"

/* Carry out one instruction of the groups "data movement" to "pointer arithmetic" of opcode.def.  Division by
 * zero is a violation; and so are, if the operands are `certain`, oversized shifts and other results that C leaves undefined. */
void vm_compute(const struct image_insn *insn, uint64_t *registers, const uint64_t *constants, bool certain);

/* The new value of an atomic read-modify-write of `bits` (at most 64). */
uint64_t vm_combine(enum image_rmw operation, unsigned bits, uint64_t old, uint64_t value);

/* The same of 128 bits, low word first; the new value replaces `value`. */
void vm_combine_wide(enum image_rmw operation, const uint64_t old[2], uint64_t value[2]);

typedef unsigned __int128 vm_wide;

/* As vm_mask() and vm_signed(), of up to 128 bits. */
static inline vm_wide vm_wide_mask(unsigned bits)
{
	return bits >= 128 ? ~(vm_wide)0 : ((vm_wide)1 << bits) - 1;
}

static inline __int128 vm_wide_signed(vm_wide value, unsigned bits)
{
	return bits >= 128 ? (__int128)value : (__int128)(value << (128 - bits)) >> (128 - bits);
}

/* The units of so many bits in reverse order. */
vm_wide vm_wide_reverse(vm_wide value, unsigned bits, unsigned unit);

/* llvm.fshl or llvm.fshr: a and b behind one another, shifted by `count`. */
vm_wide vm_wide_funnel(vm_wide a, vm_wide b, vm_wide count, unsigned bits, bool left);

#endif
