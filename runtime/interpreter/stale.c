/* SPDX-License-Identifier: MIT
 *
 * See stale.h.
 */
#include "stale.h"
#include "../calls/atomic.h"
#include "../calls/inject.h"
#include "../memory/causes.h"
#include "../memory/footprint.h"
#include "../memory/records.h"
#include "../trace/history.h"

#include <string.h>

struct stale exec_stale_of(const struct run *run, const struct image_insn *insn, bool *visible)
{
	struct stale stale = { .on = (insn->order & IMAGE_STALE) && !vm_this.evaluating };
	struct vm_pick picks[MOST_PICKS];
	if (!stale.on)
		return stale;
	stale.atomic = vm_atomic_of(run->thread, insn);
	*visible = *visible || vm_message_picks(&stale.atomic, run->thread->slot, picks) > 1;
	if (*visible && run->pending != insn)
		run->thread->header.wait = WAIT_ACCESS;
	return stale;
}

void exec_stale_pick(const struct run *run, struct stale *stale, bool chosen)
{
	struct vm_pick picks[MOST_PICKS];
	if (!stale->on)
		return;
	exec_clear_wait(&run->thread->header);
	unsigned count = vm_message_picks(&stale->atomic, run->thread->slot, picks);
	uint32_t choice = chosen ? vm_this.choice : 0;
	if (choice >= count)
		VM_BUG("an access has %u outcomes, and not number %u", count, (unsigned)choice);
	stale->pick = picks[choice];
	if (stale->pick.spurious)
		vm_injection_spend(INJECT_WEAK_CAS);
	if (stale->atomic.total || stale->atomic.total_failing)
		vm_footprint_add(FOOTPRINT_TOTAL, 0, 1, vm_this.image.options->order & ORDER_SC_VIEWS);
}

void exec_stale_read(const struct stale *stale, uint64_t address, bool acquires, const char *what)
{
	if (stale->on)
		vm_message_read(&stale->atomic, &stale->pick, what);
	else
		vm_order_read(address, acquires, what);
}

void exec_stale_written(const struct stale *stale, uint64_t address, bool releases, bool modifies, const char *what)
{
	if (stale->on)
		vm_message_write(&stale->atomic, &stale->pick, stale->old, stale->new, what);
	else
		vm_order_write(address, releases, modifies, what);
}

static bool is_old(const struct stale *stale)
{
	return stale->on && stale->pick.message < stale->pick.newest;
}

struct vm_bytes exec_stale_bytes(const struct stale *stale, struct vm_bytes newest)
{
	if (!is_old(stale))
		return newest;
	uint64_t *value = vm_scratch(4 * sizeof *value);
	vm_message_value(&stale->atomic, &stale->pick, value, value + 2);
	return (struct vm_bytes){ (uint8_t *)value, (uint8_t *)(value + 2) };
}

void exec_stale_write(struct stale *stale, uint64_t address, const uint64_t *words, const uint64_t *shadow, unsigned size,
		      enum vm_access access)
{
	if (stale->on) {
		struct vm_bytes was = vm_access_bits(address, size, access);
		memcpy(stale->old, was.bytes, size);
		if (was.shadow)
			memcpy(stale->old + 2, was.shadow, size);
		memcpy(stale->new, words, size);
		memcpy(stale->new + 2, shadow, size);
	}
	vm_write(address, words, shadow, size, access);
	if (is_old(stale))
		vm_write(address, stale->old, stale->old + 2, size, access);
}

const char *exec_stale_story(const struct stale *stale)
{
	if (!vm_tracing || !is_old(stale))
		return "";
	const struct vm_atomic *atomic = &stale->atomic;
	const char *store = vm_cause_store(atomic->address, vm_message_next(atomic, &stale->pick));
	char *text = vm_text();
	if (atomic->writes && !atomic->reads)
		snprintf(text, VM_TEXT, ", behind an older value: before %s in modification order", store);
	else
		snprintf(text, VM_TEXT, ", an older value: %s is not visible to thread %u yet", store, vm_this.current->slot);
	return text;
}

void exec_fence(struct run *run, const struct image_insn *insn)
{
	bool total = (insn->order & IMAGE_STALE) && !vm_this.evaluating, acquires = insn->aux & IMAGE_ACQUIRES,
	     releases = insn->aux & IMAGE_RELEASES;
	if (total && exec_rests_before(run, insn))
		return;
	if (total) {
		vm_footprint_add(FOOTPRINT_TOTAL, 0, 1, true);
		vm_order_fence(acquires, false);
		vm_message_fence();
		acquires = false;
	}
	vm_order_fence(acquires, releases);
	run->frame->pc++;
}
