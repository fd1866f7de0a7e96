/* SPDX-License-Identifier: MIT
 *
 * See atomic.h.
 */
#include "atomic.h"
#include "inject.h"

struct vm_atomic vm_atomic_of(const struct vm_thread *thread, const struct image_insn *insn)
{
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	const uint64_t *registers = thread->registers + frame->base, *constants = vm_this.image.constants;
	struct vm_atomic atomic = {
		.address = vm_operand(insn->a, registers, constants),
		.size = (insn->bits + 7u) / 8,
		.reads = insn->op != IMAGE_STORE,
		.writes = insn->op != IMAGE_LOAD,
		.compares = insn->op == IMAGE_CMPXCHG,
		.acquires = !(insn->aux & IMAGE_RELAXED_READ),
		.releases = !(insn->aux & IMAGE_RELAXED_WRITE),
		.total = insn->order & IMAGE_TOTAL,
	};
	if (!atomic.compares)
		return atomic;
	atomic.acquires_failing = !(insn->aux & IMAGE_RELAXED_FAILURE);
	atomic.total_failing = insn->order & IMAGE_TOTAL_FAILURE;
	atomic.may_fail = (insn->aux & IMAGE_WEAK) && vm_injection_wanted(INJECT_WEAK_CAS) && vm_injection_budget(INJECT_WEAK_CAS);
	for (unsigned i = 0; i < (insn->bits > 64 ? 2u : 1u); i++) /* also a constant of more than 64 bits has two places */
		atomic.expected[i] = vm_operand(insn->b + i, registers, constants);
	return atomic;
}

unsigned vm_atomic_outcomes(const struct vm_thread *thread)
{
	struct vm_pick picks[MOST_PICKS];
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	const struct image_insn *insn = vm_this.image.code + vm_this.image.functions[frame->function].code + frame->pc;
	struct vm_atomic atomic = vm_atomic_of(thread, insn);
	return vm_message_picks(&atomic, thread->slot, picks);
}
