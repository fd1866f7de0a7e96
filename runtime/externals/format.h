/* SPDX-License-Identifier: MIT
 *
 * The text that printf and its kin make of a format and its arguments.
 */
#ifndef BITSPIN_FORMAT_H
#define BITSPIN_FORMAT_H

#include "externals.h"
#include "../symbolic/symbolic.h"

#include <wchar.h>

/* A text in scratch memory, with a NUL after it.  `error`: a number of errno, if the format fails there; else 0. */
struct vm_text {
	void *bytes;     /* or wchar_t, of a wide format */
	uint8_t *shadow; /* of the bytes, some of which stand for inputs as in memory; NULL: none do */
	size_t length;   /* in characters */
	int error;
};

/* Where the registers of each kind end in a register save area. */
#define VM_GENERAL_END 48
#define VM_VECTOR_END  176

/* Variable arguments: what a va_list holds, in the order of IMAGE_AREA_OPERANDS. */
struct vm_variable {
	uint64_t overflow, saved;
	uint32_t general, vector; /* offsets */
	bool only_shown;          /* nothing depends on the text, nor on its length */
};

/* Format as printf does; `format` is an address of the program. */
struct vm_text vm_format(uint64_t format, const struct vm_variable *variable, bool wide);

/* Write the decimal number of `bits` bits, 32 or 64, that an input is, with a shadow; return its length (digits.c). */
enum { VM_DIGITS = 24 }; /* room */
unsigned vm_digits(struct vm_bits64 value, unsigned bits, bool is_signed, uint8_t *bytes, uint8_t *shadow);

/* Report a violation if the format used last, or a string that it has read, overlaps the `bytes` bytes at `to` that `what` is about
 * to write. */
void vm_format_overlaps(const char *what, uint64_t to, uint64_t bytes);

#endif
