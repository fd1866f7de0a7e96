/* SPDX-License-Identifier: MIT
 *
 * The decimal digits of an input.  How many there are, and whether the number is negative, is asked; each digit is a term.
 */
#include "format.h"

#include <assert.h>
#include <stdint.h>

/* Put the digit of `value` that counts `power`, the first one or not, at `byte` and `shadow`. */
static void put_digit(struct vm_bits64 value, unsigned bits, uint64_t power, bool first, uint8_t *byte, uint8_t *shadow)
{
	struct vm_bits64 digit = power > 1 ? vm_symbolic_with(IMAGE_UDIV, bits, 0, value, power) : value;
	if (!first)
		digit = vm_symbolic_with(IMAGE_UREM, bits, 0, digit, 10);
	digit = vm_symbolic_with(IMAGE_TRUNC, bits, 8, vm_symbolic_with(IMAGE_ADD, bits, 0, digit, '0'), 0);
	*byte = (uint8_t)digit.value;
	*shadow = 0;
	if (digit.shadow)
		vm_symbolic_scatter((uint32_t)digit.value, 1, byte, shadow);
}

unsigned vm_digits(struct vm_bits64 value, unsigned bits, bool is_signed, uint8_t *bytes, uint8_t *shadow)
{
	unsigned at = 0, digits = 1, most = bits == 32 ? 10 : 20;
	assert((bits == 32 || bits == 64) && most < VM_DIGITS);
	if (is_signed && vm_symbolic_is_true(vm_symbolic_with(IMAGE_ICMP, bits, ICMP_SLT, value, 0), "what is printed")) {
		bytes[at] = '-';
		shadow[at++] = 0;
		value = vm_symbolic_binary(IMAGE_SUB, bits, 0, (struct vm_bits64){ 0, 0 }, value);
	}
	uint64_t power = 1;
	/* a large power might be taken for an address, with which no input is compared */
	for (; digits < most && vm_symbolic_is_true(vm_symbolic_with(IMAGE_UDIV, bits, 0, value, 10 * power), "what is printed");
	     digits++)
		power *= 10;
	for (unsigned i = 0; i < digits; i++, power /= 10)
		put_digit(value, bits, power, i == 0, &bytes[at + i], &shadow[at + i]);
	return at + digits;
}
