/* SPDX-License-Identifier: MIT
 *
 * See suppress.h.
 */
#include "suppress.h"
#include "../image/suppress.h"
#include "reads.h"

#include <assert.h>

VM_SHARED void (*vm_tell_suppressed)(enum vm_violation_kind kind, uint32_t suppression, const struct vm_thread *thread,
				     uint32_t location, bool ends);

static bool covers(const struct image_suppression *suppression, const struct vm_thread *thread, uint32_t location)
{
	const struct image *image = &vm_this.image;
	if (suppression->function == IMAGE_NONE &&
	    image_suppression_matches(image, suppression, "", image_file(image, location), image_line(image, location), true))
		return true;
	for (uint32_t i = thread->header.frames; i-- > 0;) {
		const struct image_function *f = &image->functions[thread->frames[i].function];
		uint32_t at = image->code[f->code + thread->frames[i].pc].location;
		if (image_suppression_matches(image, suppression, image_string(image, f->name), image_file(image, at),
					      image_line(image, at), false))
			return true;
	}
	return false;
}

uint32_t vm_suppression_of(enum vm_violation_kind kind, const struct vm_thread *thread, uint32_t location)
{
	for (uint32_t i = 0; i < vm_this.image.counts[IMAGE_SUPPRESSIONS]; i++)
		if (vm_this.image.suppressions[i].kind == kind && covers(&vm_this.image.suppressions[i], thread, location))
			return i;
	return IMAGE_NONE;
}

void vm_suppressed(enum vm_violation_kind kind, uint32_t suppression, const struct vm_thread *thread, uint32_t location, bool ends)
{
	assert(suppression < vm_this.image.counts[IMAGE_SUPPRESSIONS]);
	vm_reads_refuse(); /* the stack has decided, and it is told */
	if (vm_tell_suppressed)
		vm_tell_suppressed(kind, suppression, thread, location, ends);
}
