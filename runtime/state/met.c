/* SPDX-License-Identifier: MIT
 *
 * See met.h.
 */
#include "met.h"
#include "state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *flags_for(uint64_t count)
{
	uint8_t *flags = calloc(count + 1, 1);
	if (!flags)
		vm_inconclusive(LIMIT_MEMORY, "out of memory");
	return flags;
}

void vm_met_open(void)
{
	const struct image *image = &vm_this.image;
	vm_this.met = (struct vm_met){ .functions = flags_for(image->counts[IMAGE_FUNCTIONS]) };
	if (image->options->coverage)
		vm_this.met.code = flags_for(image->counts[IMAGE_CODE]);
}

void vm_met_close(void)
{
	free(vm_this.met.functions);
	free(vm_this.met.code);
	vm_this.met = (struct vm_met){ 0 };
}

void vm_met_hold(struct vm_met *held)
{
	*held = vm_this.met;
	vm_this.met = (struct vm_met){ 0 };
}

void vm_met_release(const struct vm_met *held)
{
	assert(!vm_this.met.functions && !vm_this.met.code); /* what is held would leak otherwise */
	vm_this.met = *held;
}

void vm_met_end(int status)
{
	struct vm_met_facts *facts = &vm_this.met.facts;
	unsigned code = (unsigned)status & 255;
	facts->main_ends = true;
	if (code && !(facts->statuses[code / 64] >> code % 64 & 1))
		facts->status_place = vm_this.location;
	facts->statuses[code / 64] |= UINT64_C(1) << code % 64;
}

void vm_met_timer(void)
{
	if (!vm_this.met.facts.timer_place)
		vm_this.met.facts.timer_place = vm_this.location;
}

/* May an outcome depend on what the call of `thread` got?  It may if the call comes from elsewhere, as through a pointer. */
static bool decides(const struct vm_thread *thread)
{
	const struct image *image = &vm_this.image;
	assert(thread->header.frames > 0);
	const struct vm_frame *frame = &thread->frames[thread->header.frames - 1];
	while (frame > thread->frames && image->functions[frame->function].flags & FUNCTION_LIBRARY)
		frame--;
	const struct image_insn *insn = vm_insn_at(frame);
	return insn->op != IMAGE_CALL || !(insn->aux & IMAGE_SHOWN_ONLY);
}

void vm_met_untried(enum vm_untried kind, const char *name)
{
	struct vm_met_facts *facts = &vm_this.met.facts;
	struct vm_met_untried one = { .kind = kind, .location = vm_this.location };
	one.decides = !vm_this.evaluating && decides(vm_this.current);
	vm_this.outward = vm_this.outward || one.decides; /* it may have another answer next time */
	if (!vm_this.met.functions || vm_this.evaluating || facts->nuntried == MET_UNTRIED)
		return;
	strncpy(one.name, name, sizeof one.name - 1);
	for (uint32_t i = 0; i < facts->nuntried; i++) {
		const struct vm_met_untried *other = &facts->untried[i];
		if (other->kind == one.kind && other->location == one.location && strcmp(other->name, one.name) == 0)
			return;
	}
	facts->untried[facts->nuntried++] = one;
}
