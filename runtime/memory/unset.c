/* SPDX-License-Identifier: MIT
 *
 * Uninitialised values: what is compared bit by bit, and what to say where one decides something.  See ../interpreter/shadow.h.
 */
#include "memory.h"
#include "../symbolic/symbolic.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vm_equal(struct vm_bytes a, struct vm_bytes b, uint64_t size)
{
	uint8_t different = 0;
	uint64_t a_unset = 0, b_unset = 0;
	if (vm_symbolic_on()) {
		vm_symbolic_need_bytes(a.bytes, a.shadow, size, "a compare-and-exchange");
		vm_symbolic_need_bytes(b.bytes, b.shadow, size, "a compare-and-exchange");
	}
	for (uint64_t i = 0; i < size; i++) {
		uint8_t a_shadow = a.shadow ? a.shadow[i] : 0, b_shadow = b.shadow ? b.shadow[i] : 0;
		different |= (uint8_t)((a.bytes[i] ^ b.bytes[i]) & ~(a_shadow | b_shadow));
		a_unset += a_shadow == UINT8_MAX;
		b_unset += b_shadow == UINT8_MAX;
	}
	if (size && (a_unset == size || b_unset == size))
		vm_refuse_unset("the outcome of a compare-and-exchange");
	return different == 0;
}

void vm_shadow_note(uint64_t address, uint32_t symbol)
{
	struct vm_origin *origin = &vm_this.current->origin;
	assert(address || symbol == IMAGE_NONE || symbol < vm_this.image.counts[IMAGE_SYMBOLS]);
	if (!vm_tracing || vm_this.in_library)
		return;
	free(origin->place); /* its name is asked for now: it may be freed before it is reported */
	*origin = (struct vm_origin){
		.place = address ? strdup(vm_describe(address)) : NULL,
		.symbol = symbol,
		.location = vm_this.location,
	};
}

/* Write into `text` where the uninitialized value may come from, "" if that is not known, and return `text`. */
static const char *origin(char *text, size_t size)
{
	const struct image *image = &vm_this.image;
	const struct vm_origin *origin = &vm_this.current->origin;
	text[0] = '\0';
	if (!vm_tracing)
		return text;
	if (origin->place)
		snprintf(text, size, " (the last such value that was read is %s, in line %u)", origin->place,
			 (unsigned)image_line(image, origin->location));
	else if (origin->location && origin->symbol != IMAGE_NONE)
		snprintf(text, size, " (the last such value that was read is that of '%s', declared in line %u)",
			 image_string(image, image->symbols[origin->symbol].name),
			 (unsigned)image_line(image, image->symbols[origin->symbol].location));
	return text;
}

void vm_refuse_unset(const char *format, ...)
{
	char what[300], from[250];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	vm_fault(VIOLATION_UNINITIALIZED_READ, "%s depends on an uninitialized value%s", what, origin(from, sizeof from));
}
