/* SPDX-License-Identifier: MIT
 *
 * See atomic.h.
 */
#include "atomic.h"
#include "../memory/footprint.h"
#include "../memory/holders.h"
#include "builtin.h"
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

bool vm_may_wait(const struct image_insn *insn)
{
	return insn->op == IMAGE_STORE && !((insn->aux & IMAGE_ATOMIC) && (insn->order & IMAGE_TOTAL));
}

struct vm_buffered vm_buffered_of(const struct vm_thread *thread, const struct image_insn *insn)
{
	uint64_t value[4];
	const struct vm_atomic atomic = vm_atomic_of(thread, insn);
	struct vm_buffered access = { .address = atomic.address, .size = atomic.size, .drains = true };
	if (insn->op != IMAGE_LOAD)
		return access;
	vm_buffers_read(thread->slot, atomic.address, atomic.size, value, &access.partly);
	access.drains = access.partly;
	return access;
}

/* May a call access any memory?  One that synchronises accesses its own objects only, and those are in no buffer. */
static bool accesses_all(const struct builtin *called)
{
	return called && (!(called->flags & BUILTIN_SYNC) || (called->flags & BUILTIN_MEMORY));
}

struct vm_buffered vm_drain_of(const struct vm_thread *thread, const struct image_insn *insn)
{
	const struct builtin *called = insn->op == IMAGE_CALL || insn->op == IMAGE_CALLI ? vm_resting_call(thread) : NULL;
	bool block = insn->op == IMAGE_MEMCPY || insn->op == IMAGE_MEMMOVE || insn->op == IMAGE_MEMSET;
	return (struct vm_buffered){ .drains = true, .everything = block || accesses_all(called) };
}

static const struct image_insn *insn_of(const struct vm_thread *thread)
{
	return vm_insn_at(&thread->frames[thread->header.frames - 1]);
}

static void note_bytes(uint64_t address, unsigned size)
{
	struct vm_place place = vm_place_look(address);
	if (size && place.object && place.offset >= 0 && place.offset + size <= place.object->header.size)
		vm_footprint_add(place.number, (uint32_t)place.offset, (uint32_t)place.offset + size, false);
}

/* Return the access to buffers at which the thread rests. */
static struct vm_buffered buffered_of(const struct vm_thread *thread)
{
	const struct image_insn *insn = insn_of(thread);
	return thread->header.wait == WAIT_DRAIN ? vm_drain_of(thread, insn) : vm_buffered_of(thread, insn);
}

/* Note what others may do to the access: a store to its bytes, or a flush of one, changes what the access may demand. */
static void note_buffers(const struct vm_thread *thread)
{
	struct vm_buffered access = buffered_of(thread);
	note_bytes(access.address, access.size);
	vm_buffers_note(&access, thread->slot);
}

void vm_atomic_note(const struct vm_thread *thread)
{
	if (vm_has_buffers()) {
		note_buffers(thread);
		return;
	}
	struct vm_atomic atomic = vm_atomic_of(thread, insn_of(thread));
	note_bytes(atomic.address, atomic.size);
	if (atomic.total || atomic.total_failing)
		vm_footprint_add(FOOTPRINT_TOTAL, 0, 1, false);
}

unsigned vm_atomic_outcomes(const struct vm_thread *thread)
{
	struct vm_pick picks[MOST_PICKS];
	if (vm_has_buffers()) {
		struct vm_buffered access = buffered_of(thread);
		return vm_buffers_outcomes(&access, thread->slot);
	}
	struct vm_atomic atomic = vm_atomic_of(thread, insn_of(thread));
	return vm_message_picks(&atomic, thread->slot, picks);
}
