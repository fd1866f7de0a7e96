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

/* Return the new value of an atomic read-modify-write of `bits` bits (at most 64). */
uint64_t vm_combine(enum image_rmw operation, unsigned bits, uint64_t old, uint64_t value);

/* Replace `value` by the new value of an atomic read-modify-write of 128 bits, low word first. */
void vm_combine_wide(enum image_rmw operation, const uint64_t old[2], uint64_t value[2]);

typedef unsigned __int128 vm_wide;

/* Do what vm_mask() and vm_signed() do, for up to 128 bits. */
static inline vm_wide vm_wide_mask(unsigned bits)
{
	return bits >= 128 ? ~(vm_wide)0 : ((vm_wide)1 << bits) - 1;
}

static inline __int128 vm_wide_signed(vm_wide value, unsigned bits)
{
	return bits >= 128 ? (__int128)value : (__int128)(value << (128 - bits)) >> (128 - bits);
}

/* Return `value` with its units of `unit` bits in reverse order. */
vm_wide vm_wide_reverse(vm_wide value, unsigned bits, unsigned unit);

/* Return llvm.fshl or llvm.fshr of `a` and `b`: both, one behind the other, shifted by `count`. */
vm_wide vm_wide_funnel(vm_wide a, vm_wide b, vm_wide count, unsigned bits, bool left);

#endif
