/* SPDX-License-Identifier: MIT
 *
 * See spins.h.  `for (i = 0; i < 128; i++) { if (try_lock(l)) break; pause(); }` multiplies the states by the values of i, and
 * nothing depends on them.
 *
 * The translator finds the loops that may be like that (translator/spins.c): all that their rounds hand on in registers are
 * counters, and these do nothing but end the loop.  Call a step *idle* if it leads back to the same state, but for counters of
 * loops that the thread is in.  After an idle step the thread goes on at once, as in one step, until a step is not idle.  That is
 * right if (*) no round of the loop changes anything and stays in the loop.
 *
 * Why nothing is lost: take any execution, and a visit of the loop by thread t in it.  By (*), the rounds before the last change
 * nothing that others see.
 *   - The visit ends by success, not by the number of rounds, or does not end: take the idle steps out of it.  What is left is an
 *     execution, as they change nothing but counters, which the rounds after them do not look at but to end the loop, and fewer
 *     have passed; it comes to the same states, but for counters, and the counters are not used behind the loop.
 *   - It ends by the number of rounds: let t go through all the rounds that are left at its last idle step, where all of them are
 *     idle; the rounds that it makes after that in the execution changed nothing, and can be left out.  So t is at the end of
 *     the loop earlier, with the same registers, and waits there; the others do not notice.
 * What is reported is real: to go through all rounds at once is a schedule, too.
 * Races: an idle step leaves the open segment and the records as they are, so they are the same without it.  A round that reads
 * more than the last one, or learns more, is not idle, and not left out.
 *
 * (*) is not known: a round may lock, work and unlock, all without leaving the loop.  But then the search comes to it:  until the
 * first round that breaks (*) the argument holds.  Such a round changes something in a step that begins and ends in the loop.
 * When any step does that, the search ends, and the command begins another one without this reduction.  More than a change
 * counts: also what the thread itself holds, as by cancellation.  A round without any step of its own does the same each time,
 * and tells nothing.
 */
#include "spins.h"

#include <string.h>

VM_OWN uint32_t vm_spin_rounds;

/* Does the register only count rounds, in this frame? */
static bool counts(const uint32_t *live, uint32_t reg)
{
	for (uint32_t i = 0; i < live[-1]; i++)
		if (live[-2 - (int64_t)i] == reg)
			return true;
	return false;
}

/* A thread as it lies in the table. */
struct stored {
	const uint8_t *bytes, *frames, *registers, *end;
	const vm_stored_header *header;
};

static struct stored thread_of(vm_ref state, unsigned slot)
{
	vm_ref thread = vm_state_thread(vm_state_words(state), slot);
	struct stored stored = { .bytes = vm_table_get(thread) };
	stored.header = (const vm_stored_header *)stored.bytes;
	stored.frames = stored.bytes + sizeof *stored.header + stored.header->ranges * sizeof(struct vm_range);
	stored.registers = stored.frames + stored.header->frames * 2 * sizeof(uint32_t);
	stored.end = stored.bytes + vm_table_size(thread);
	return stored;
}

static struct vm_frame frame_of(const struct stored *thread, uint32_t number)
{
	struct vm_frame frame = { 0 };
	memcpy(&frame.function, thread->frames + number * 2 * sizeof(uint32_t), sizeof frame.function);
	memcpy(&frame.pc, thread->frames + number * 2 * sizeof(uint32_t) + sizeof(uint32_t), sizeof frame.pc);
	return frame;
}

/* The same frames, open segment and registers, but for counters. */
static bool same_but_counters(const struct stored *a, const struct stored *b)
{
	size_t size = (size_t)(a->end - a->bytes), fixed = (size_t)(a->registers - a->bytes);
	if (size != (size_t)(b->end - b->bytes) || memcmp(a->bytes, b->bytes, fixed) != 0)
		return false;
	size_t at = fixed;
	for (uint32_t i = 0; i < a->header->frames; i++) {
		const struct vm_frame frame = frame_of(a, i);
		const uint32_t *live = vm_frame_live(&frame);
		for (uint32_t k = 1; k <= live[0]; k++, at += sizeof(uint64_t))
			if (memcmp(a->bytes + at, b->bytes + at, sizeof(uint64_t)) != 0 && !counts(live, live[k]))
				return false;
	}
	return memcmp(a->bytes + at, b->bytes + at, size - at) == 0; /* which bits are set */
}

static bool is_on(vm_ref before, vm_ref after)
{
	return (vm_this.reductions & REDUCTION_SPINS) && after != 0 && after != before;
}

/* Where the words of the two states differ, is it only by the thread, and by what is known of earlier accesses? */
static bool same_but_thread(const uint32_t *a, const uint32_t *b, unsigned slot, bool records)
{
	unsigned thread = STATE_WORDS + slot * STATE_SLOT_WORDS;
	if (a[1] != b[1])
		return false;
	for (unsigned i = 0; i < STATE_WORDS + a[1] * STATE_SLOT_WORDS; i++)
		if (a[i] != b[i] && i != thread && !(i == STATE_RECORDS && records))
			return false;
	return true;
}

bool vm_spins(vm_ref before, vm_ref after, unsigned slot)
{
	if (!is_on(before, after))
		return false;
	const uint32_t *a = vm_state_words(before), *b = vm_state_words(after);
	if (!same_but_thread(a, b, slot, false) || memcmp(vm_state_outcomes(a), vm_state_outcomes(b), a[1]) != 0 ||
	    vm_state_outcomes(b)[slot] != 1)
		return false;
	struct stored from = thread_of(before, slot), to = thread_of(after, slot);
	return from.header->atomic == 0 && same_but_counters(&from, &to);
}

/* Are both frames in one loop that may be a wait? */
static bool share_loop(const struct vm_frame *a, const struct vm_frame *b)
{
	if (a->function != b->function)
		return false;
	const uint32_t *live = vm_frame_live(a), *other = vm_frame_live(b);
	for (uint32_t i = 0; i < live[-1]; i++)
		if (counts(other, live[-2 - (int64_t)i]))
			return true;
	return false;
}

/* What a thread has beside its place: all of its header that calls may change for good. */
static bool same_status(const vm_stored_header *a, const vm_stored_header *b)
{
	return a->status == b->status && a->detached == b->detached && a->cancel == b->cancel && a->atomic == b->atomic &&
		a->held == b->held && a->cleanup == b->cleanup && a->parted == b->parted && a->escaped == b->escaped;
}

bool vm_spin_is_none(vm_ref before, vm_ref after, unsigned slot)
{
	if (!is_on(before, after))
		return false;
	const vm_stored_header *from_header = vm_thread_stored(before, slot), *to_header = vm_thread_stored(after, slot);
	if (!from_header || !to_header || from_header->frames == 0 || to_header->frames == 0)
		return false;
	struct stored from = thread_of(before, slot), to = thread_of(after, slot);
	bool inside = false;
	for (uint32_t i = 0; !inside && i < from_header->frames && i < to_header->frames; i++) {
		const struct vm_frame a = frame_of(&from, i), b = frame_of(&to, i);
		inside = share_loop(&a, &b);
	}
	return inside &&
		!(same_but_thread(vm_state_words(before), vm_state_words(after), slot, true) &&
		  same_status(from_header, to_header));
}
