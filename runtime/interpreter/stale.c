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
#include "../memory/total.h"
#include "../symbolic/symbolic.h"
#include "../trace/history.h"

#include <assert.h>
#include <string.h>

/* Fill in what the access does to buffers of stores.  Of memory that nobody else can see there are none, but a locked instruction
 * drains the thread's buffer there, too. */
static void look_at_buffers(const struct run *run, const struct image_insn *insn, struct stale *stale, bool *visible)
{
	if (!vm_has_buffers() || vm_this.evaluating)
		return;
	bool locked = insn->op != IMAGE_LOAD && !vm_may_wait(insn);
	*visible = *visible || (locked && !vm_buffers_empty(run->thread->slot));
	if (!*visible)
		return;
	stale->buffers = true;
	stale->access = vm_buffered_of(run->thread, insn);
	stale->waits = vm_may_wait(insn);
	if (stale->waits && run->pending != insn && vm_buffers_have_room()) {
		stale->access = (struct vm_buffered){ 0 };
		*visible = false;
	} else if (run->pending != insn) {
		run->thread->header.wait = WAIT_ACCESS;
	}
}

void exec_settle_operand(struct run *run, uint32_t at, const char *what)
{
	if (!vm_symbolic_on() || (at & IMAGE_CONST) || !vm_is_term(run->registers[at], exec_shadow(run, at)))
		return;
	run->registers[at] = vm_symbolic_need((uint32_t)run->registers[at], ASK_VALUE, 0, 0, what);
	exec_set_shadows(run, at, (const uint64_t[]){ 0 }, 1);
}

/* Where inputs are sets or terms: messages and buffers keep numbers only, and so does the memory that they are compared with or
 * that a store replaces.  So the operands of the access become numbers before the thread rests at it, and its outcomes are those
 * of each concrete state.  Others may put a term into that memory while the thread rests: such a write is a plain one, which the
 * access races with, whatever its outcome is; under --memory tso it waits in a buffer, as a number. */
static void settle(struct run *run, const struct image_insn *insn, const struct stale *stale)
{
	static const char what[] = "an atomic access that may meet older values", waits[] = "a store that waits in a buffer";
	const char *asks = stale->on ? what : waits;
	exec_settle_operand(run, insn->a, asks);
	if (insn->op == IMAGE_LOAD)
		return;
	exec_settle_operand(run, insn->b, asks);
	if (insn->op == IMAGE_CMPXCHG)
		exec_settle_operand(run, insn->c, asks);
	if (stale->on)
		vm_symbolic_need_at(exec_operand(run, insn->a), (insn->bits + 7u) / 8, asks);
}

void exec_stale_look(struct run *run, const struct image_insn *insn, bool *visible, struct stale *stale)
{
	struct vm_pick picks[MOST_PICKS];
	*stale = (struct stale){ .on = (insn->order & IMAGE_STALE) && !vm_this.evaluating };
	if (vm_symbolic_on() && !vm_this.evaluating && (stale->on || (vm_has_buffers() && *visible)))
		settle(run, insn, stale);
	look_at_buffers(run, insn, stale, visible);
	if (!stale->on)
		return;
	stale->atomic = vm_atomic_of(run->thread, insn);
	*visible = *visible || vm_message_picks(&stale->atomic, run->thread->slot, picks) > 1;
	if (*visible && run->pending != insn)
		run->thread->header.wait = WAIT_ACCESS;
}

/* Do what exec_stale_choose() does where stores wait in buffers. */
static bool pick_flush(struct run *run, struct stale *stale, uint32_t choice)
{
	bool partly;
	if (stale->access.size && !vm_buffers_choose(&stale->access, choice)) {
		exec_clear_wait(&run->thread->header);
		run->thread->header.wait = WAIT_ACCESS;
		run->resting = true;
		return false;
	}
	exec_clear_wait(&run->thread->header);
	stale->own = stale->access.size &&
		vm_buffers_read(run->thread->slot, stale->access.address, stale->access.size, stale->kept, &partly);
	return true;
}

/* Has the thread rested before the access without its outcomes, as after a handler that has interrupted it there?  Then it rests
 * again. */
static bool rests_again(struct run *run, const struct stale *stale)
{
	struct vm_pick picks[MOST_PICKS];
	struct vm_thread_header *header = &run->thread->header;
	if (header->wait == WAIT_ACCESS)
		return false;
	unsigned outcomes = stale->on ? vm_message_picks(&stale->atomic, run->thread->slot, picks) :
		stale->access.size    ? vm_buffers_outcomes(&stale->access, run->thread->slot) :
					1;
	if (outcomes <= 1)
		return false;
	header->wait = WAIT_ACCESS;
	return run->resting = true;
}

bool exec_stale_choose(struct run *run, struct stale *stale, bool chosen)
{
	struct vm_pick picks[MOST_PICKS];
	uint32_t choice = chosen ? vm_this.choice : 0;
	if (chosen && rests_again(run, stale))
		return false;
	if (stale->buffers)
		return pick_flush(run, stale, choice);
	exec_clear_wait(&run->thread->header);
	unsigned count = vm_message_picks(&stale->atomic, run->thread->slot, picks);
	stale->pick = picks[choice < count ? choice : count - 1]; /* there may be less since the choice was narrowed */
	if (stale->pick.spurious)
		vm_injection_spend(INJECT_WEAK_CAS);
	if (stale->atomic.total || stale->atomic.total_failing)
		vm_footprint_add(FOOTPRINT_TOTAL, 0, 1, vm_this.image.options->order & ORDER_SC_VIEWS);
	return true;
}

void exec_note_drain(const struct vm_thread *thread, bool writes)
{
	struct vm_met_facts *facts = &vm_this.met.facts;
	if (!facts->drain_place && !vm_this.silent && !vm_race_alone() && (writes || !vm_buffers_empty(thread->slot)))
		facts->drain_place = vm_thread_location(thread);
}

/* May others read or write the memory at `address`? */
static bool is_variable(uint64_t address)
{
	const struct vm_object *object = vm_is_shared(address) ? vm_place_look(address).object : NULL;
	return object && !(object->header.flags & OBJECT_CONSTANT);
}

bool exec_call_drains(const struct vm_call *call)
{
	unsigned flags = call->builtin->flags;
	if (flags & (BUILTIN_CHOOSES | BUILTIN_YIELDS | BUILTIN_SLEEPS))
		return false;
	if (flags & BUILTIN_SYNC)
		return true;
	bool may_write = (flags & BUILTIN_MEMORY) && vm_passes(call, is_variable);
	if (!(flags & (BUILTIN_VISIBLE | BUILTIN_MEMORY)) || ((flags & BUILTIN_FLAT) && !may_write))
		return false;
	exec_note_drain(call->thread, may_write);
	return true;
}

bool exec_drains(struct run *run, const struct image_insn *insn)
{
	struct vm_thread_header *header = &run->thread->header;
	uint32_t choice = 0;
	if (!vm_has_buffers() || vm_this.evaluating)
		return false;
	const struct vm_buffered drain = vm_drain_of(run->thread, insn);
	if (run->pending == insn && header->wait == WAIT_DRAIN) {
		run->pending = NULL;
		choice = vm_this.choice;
	} else if (vm_buffers_empty(run->thread->slot) && (!drain.everything || run->pending == insn || vm_race_alone())) {
		return false;
	} else {
		header->wait = WAIT_DRAIN;
		if (run->pending == insn) /* a handler that has interrupted the thread here has stored something */
			return run->resting = true;
		if (exec_rests_before(run, insn))
			return true;
	}
	bool drained = vm_buffers_choose(&drain, choice);
	exec_clear_wait(header);
	if (drained && drain.everything && insn->op != IMAGE_CALL && insn->op != IMAGE_CALLI)
		run->pending = insn; /* a block is copied now; a call may rest for what it waits for */
	if (drained)
		return false;
	header->wait = WAIT_DRAIN;
	run->resting = true;
	return true;
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
	if (!is_old(stale) && !stale->own)
		return newest;
	uint64_t *value = vm_scratch(4 * sizeof *value);
	if (stale->own)
		memcpy(value, stale->kept, sizeof stale->kept);
	else
		vm_message_value(&stale->atomic, &stale->pick, value, value + 2);
	return (struct vm_bytes){ (uint8_t *)value, (uint8_t *)(value + 2) };
}

void exec_stale_write(struct stale *stale, uint64_t address, const uint64_t *words, const uint64_t *shadow, unsigned size,
		      enum vm_access access)
{
	assert(!(stale->on || stale->waits) || !vm_symbolic_on() ||
	       !vm_symbolic_bytes((const uint8_t *)words, (const uint8_t *)shadow, size));
	if (stale->buffers && stale->waits) {
		vm_access_bits(address, size, ACCESS_SYNC_READ); /* is there such memory? */
		vm_buffers_add(address, size, words, shadow);
		return;
	}
	if (stale->on) {
		struct vm_bytes was = vm_access_bits(address, size, access);
		memcpy(stale->old, was.bytes, size);
		if (was.shadow)
			memcpy(stale->old + 2, was.shadow, size);
		assert(!vm_symbolic_on() || !vm_symbolic_bytes((uint8_t *)stale->old, (uint8_t *)(stale->old + 2), size));
		memcpy(stale->new, words, size);
		memcpy(stale->new + 2, shadow, size);
	}
	vm_write(address, words, shadow, size, access);
	if (is_old(stale))
		vm_write(address, stale->old, stale->old + 2, size, access);
}

static const char *story_of_buffers(struct stale *stale)
{
	char *text = vm_text();
	const struct vm_buffered *access = &stale->access;
	if (!stale->waits && !stale->own && access->size)
		vm_buffers_passed();
	if (stale->waits)
		snprintf(text, VM_TEXT, ", in the store buffer of thread %u", vm_this.current->slot);
	else if (stale->own)
		snprintf(text, VM_TEXT, ", from its own store buffer");
	else if (access->size && vm_buffers_of_others(access->address, access->size)) {
		stale->waiting = vm_buffers_steps(access->address, access->size, &stale->nwaiting);
		return vm_buffers_tell(access->address, access->size);
	} else {
		return "";
	}
	return text;
}

/* Fill in which store the access meets, and which are newer. */
static void find_stores(struct stale *stale)
{
	const struct vm_atomic *atomic = &stale->atomic;
	uint64_t words[2] = { 0 }, shadow[2];
	const uint8_t *newest = vm_peek(atomic->address, atomic->size);
	if (is_old(stale))
		vm_message_value(atomic, &stale->pick, words, shadow);
	else if (newest)
		memcpy(words, newest, atomic->size);
	stale->stores = vm_cause_steps(atomic->address, stale->pick.newest - stale->pick.message, words[0], &stale->nstores);
}

const char *exec_stale_tell(struct stale *stale)
{
	stale->nstores = stale->nwaiting = 0;
	if (stale->buffers)
		return story_of_buffers(stale);
	if (stale->on)
		find_stores(stale);
	if (!is_old(stale))
		return "";
	static const size_t size = 1600;
	const struct vm_atomic *atomic = &stale->atomic;
	const struct vm_cause_now now = {
		.address = atomic->address,
		.size = atomic->size,
		.newer = stale->pick.newest - stale->pick.message,
		.next = vm_message_next(atomic, &stale->pick),
		.total = stale->pick.fails ? atomic->total_failing : atomic->total,
		.fails = stale->pick.fails,
	};
	const char *store = vm_cause_store(&now), *forbids = vm_cause_forbids(&now);
	char *text = vm_scratch(size);
	if (atomic->writes && !atomic->reads)
		snprintf(text, size, ", behind an older value: before %s in modification order%s", store, forbids);
	else
		snprintf(text, size, ", an older value: %s is not visible to thread %u yet%s", store, vm_this.current->slot,
			 forbids);
	return text;
}

void exec_fence(struct run *run, const struct image_insn *insn)
{
	bool total = (insn->order & IMAGE_STALE) && !vm_this.evaluating, local = vm_total_fences_are_local(),
	     acquires = insn->aux & IMAGE_ACQUIRES, releases = insn->aux & IMAGE_RELEASES;
	if ((insn->order & IMAGE_TOTAL) && exec_drains(run, insn))
		return;
	if (total && !local && exec_rests_before(run, insn))
		return;
	if (total) {
		if (!local)
			vm_footprint_add(FOOTPRINT_TOTAL, 0, 1, true);
		vm_order_fence(acquires, false);
		vm_message_fence();
		acquires = false;
	}
	vm_order_fence(acquires, releases);
	run->frame->pc++;
}
