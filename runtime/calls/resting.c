/* SPDX-License-Identifier: MIT
 *
 * Which external function is a thread about to call, or in the middle of calling?
 */
#include "builtin.h"

#include <assert.h>
#include <string.h>

static VM_OWN const struct builtin *const *bound;

void builtin_bind(const struct builtin *const *rows)
{
	bound = rows;
}

const struct builtin *builtin_of(uint32_t function)
{
	assert(bound && function < vm_this.image.counts[IMAGE_FUNCTIONS]);
	return bound[function];
}

bool builtin_is_used(bool (*is_wanted)(const struct builtin *builtin))
{
	const struct image *image = &vm_this.image;
	for (uint32_t f = 0; f < image->counts[IMAGE_FUNCTIONS]; f++)
		if ((image->functions[f].flags & FUNCTION_EXTERN) && builtin_of(f) && is_wanted(builtin_of(f)))
			return true;
	return false;
}

static const struct vm_frame *top_of(const struct vm_thread *thread)
{
	assert(thread->header.frames > 0);
	return &thread->frames[thread->header.frames - 1];
}

/* Return the value of an operand of the instruction that the frame is at. */
static uint64_t operand_at(const struct vm_thread *thread, const struct vm_frame *frame, uint32_t operand)
{
	return vm_operand(operand, thread->registers + frame->base, vm_this.image.constants);
}

uint32_t vm_called_by(const struct vm_thread *thread, const struct vm_frame *frame)
{
	const struct image_insn *insn = vm_insn_at(frame);
	uint64_t function = insn->a;
	if (insn->op == IMAGE_CALLI)
		function = (operand_at(thread, frame, insn->a) >> IMAGE_OFFSET_BITS) - IMAGE_FIRST_FUNCTION;
	else if (insn->op != IMAGE_CALL)
		return IMAGE_NONE;
	return function < vm_this.image.counts[IMAGE_FUNCTIONS] ? (uint32_t)function : IMAGE_NONE;
}

const struct builtin *vm_resting_call(const struct vm_thread *thread)
{
	uint32_t function = thread->header.frames ? vm_called_by(thread, top_of(thread)) : IMAGE_NONE;
	return function != IMAGE_NONE ? builtin_of(function) : NULL;
}

uint64_t vm_resting_argument(const struct vm_thread *thread, unsigned number)
{
	const struct image_insn *insn = vm_insn_at(top_of(thread));
	assert(insn->op == IMAGE_CALL || insn->op == IMAGE_CALLI);
	return number < insn->c ? operand_at(thread, top_of(thread), vm_this.image.pool[insn->b + number]) : 0;
}

const char *vm_label_of(const struct vm_thread *thread)
{
	struct vm_place place = vm_place_of(vm_resting_argument(thread, 0));
	uint64_t size = place.object ? place.object->header.size : 0, at = (uint64_t)place.offset;
	bool ends = at < size && memchr(place.object->bytes + at, 0, size - at);
	return ends ? (const char *)place.object->bytes + at : "";
}
