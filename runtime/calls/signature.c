/* SPDX-License-Identifier: MIT
 *
 * See signature.h.
 */
#include "signature.h"
#include "../image/match.h"
#include "builtin.h"

#include <assert.h>
#include <string.h>

void vm_check_signature(const char *call, uint32_t function)
{
	const struct image *image = &vm_this.image;
	const struct image_function *f = &image->functions[function];
	const char *type = image_string(image, f->signature);
	assert(*call); /* the last character is a parenthesis */
	if (!image->options->calls || image_signatures_match(call, type))
		return;
	bool open = *call == '~'; /* then the "..." at the end means nothing */
	const char *end = open ? strstr(call, "...") : call + strlen(call) - 1;
	if (open && end[-1] == ' ')
		end -= strlen(", ");
	vm_fault(VIOLATION_UNDEFINED_CALL, "%s, which is of type %s, is called as %.*s)", image_string(image, f->name), type,
		 (int)(end - call - open), call + open);
}
