/* SPDX-License-Identifier: MIT
 *
 * Instructions that access memory: when they are visible, what they do to values and their shadows.
 */
#include "../state/levels.h"
#include "../calls/builtin.h"
#include "exec.h"
#include "../memory/footprint.h"
#include "../memory/hidden.h"
#include "../memory/interrupts.h"
#include "../trace/history.h"
#include "../calls/inject.h"
#include "../memory/records.h"
#include "shadow.h"
#include "stale.h"
#include "../state/symmetry.h"
#include "../sync/sync.h"

#include <assert.h>
#include <string.h>

/* Is the access visible?  One that was visible when the thread came to rest before it is so still.  If the thread may have come to
 * rest for an interrupt only, then an atomic access to memory of its own is no synchronization. */
static bool access_is_visible(const struct run *run, const struct image_insn *insn, uint64_t address, bool writes)
{
	if (vm_this.evaluating)
		return false;
	if (run->pending == insn && !(vm_has_interrupts() && (insn->aux & IMAGE_ATOMIC)))
		return true;
	if (vm_this.owned && insn->op == IMAGE_LOAD && (insn->order & IMAGE_OWNED))
		return false;
	bool counts = (insn->aux & IMAGE_ATOMIC) || exec_plain_is_visible();
	return (counts && vm_is_shared(address)) || (writes && vm_property_may_read(address, (insn->bits + 7u) / 8));
}

/* Does the thread come to rest before this access? */
static bool rests(struct run *run, const struct image_insn *insn, uint64_t address, bool visible)
{
	return (visible || vm_interrupts_rest(address, insn->op != IMAGE_LOAD)) && exec_rests_before(run, insn);
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static unsigned bytes_of(unsigned bits)
{
	return (bits + 7) / 8;
}

/* of up to 128 bits */
struct value {
	uint64_t words[2], shadow[2];
};

static struct value value_in(struct vm_bytes from, unsigned bits)
{
	struct value value = { 0 };
	unsigned top = exec_slots(bits) - 1;
	uint64_t mask = vm_mask(bits - 64 * top);
	memcpy(value.words, from.bytes, bytes_of(bits));
	value.words[top] &= mask;
	if (from.shadow) {
		memcpy(value.shadow, from.shadow, bytes_of(bits));
		value.shadow[top] &= mask;
	}
	return value;
}

/* Is the value only stored elsewhere, as in a loop that copies bytes? */
static bool is_copied(const struct image_insn *insn)
{
	for (unsigned i = 1; i <= 8 && insn[i].op < IMAGE_BR; i++)
		if (insn[i].op == IMAGE_STORE && insn[i].b == insn->dst)
			return true;
	return false;
}

/* Check whether reading a value that is not one of aligned words hides a pointer, or reveals one that is kept unaligned. */
static void check_parts(const struct image_insn *insn, uint64_t address, uint64_t size, const struct value *value)
{
	bool part = vm_address_may_be_part(address, size, value->words[0]);
	if (address % 8 == 0 && !part && !vm_this.image.options->hidden)
		return;
	struct vm_place place = vm_place_look(address); /* the access has noted it, with the words around it */
	vm_hidden_read(&place, size, -address);
	for (unsigned i = 0; address % 8 && i < size / 8; i++)
		vm_reveal(value->words[i]);
	if (part && !is_copied(insn))
		vm_address_read(&place);
}

/* Check that an atomic access does not read a lock: memory.c cannot tell the access from what locks do. */
static void look_for_locks(uint64_t address, uint64_t size)
{
	struct vm_place place = vm_place_look(address);
	vm_symmetry_reads(place.number, (uint64_t)place.offset, (uint64_t)place.offset + size);
}

/* Load a value of which some bytes are those of inputs (symbolic/symbolic.h), if it is one. */
static bool load_term(struct run *run, const struct image_insn *insn, struct vm_bytes from)
{
	unsigned size = bytes_of(insn->bits);
	if (!vm_symbolic_bytes(from.bytes, from.shadow, size))
		return false;
	if (size > 8)
		vm_symbolic_need_bytes(from.bytes, from.shadow, size, "a read of more than 8 bytes");
	struct vm_bits64 value = vm_symbolic_gather(from.bytes, from.shadow, size, insn->bits);
	run->registers[insn->dst] = value.value;
	exec_set_shadows(run, insn->dst, &value.shadow, 1);
	return true;
}

static void load_value(struct run *run, const struct image_insn *insn, struct vm_bytes from, uint64_t address)
{
	struct value value = value_in(from, insn->bits);
	if (vm_symbolic_on() && load_term(run, insn, from))
		return;
	if (vm_is_symmetric() && (insn->op != IMAGE_LOAD || (insn->aux & IMAGE_ATOMIC)))
		look_for_locks(address, bytes_of(insn->bits));
	for (unsigned i = 0; i < 2 && vm_is_symmetric(); i++)
		if (!vm_symmetry_follows() || address % 8 || value.words[i] != (value.words[i] & IMAGE_POINTER_MASK))
			vm_symmetry_hides(value.words[i]); /* a number that looks like a name */
	if ((address | bytes_of(insn->bits)) % 8)
		check_parts(insn, address, bytes_of(insn->bits), &value);
	memcpy(run->registers + insn->dst, value.words, exec_slots(insn->bits) * sizeof *value.words);
	exec_set_shadows(run, insn->dst, value.shadow, exec_slots(insn->bits));
	if (value.shadow[0] | value.shadow[1])
		vm_shadow_note(address, IMAGE_NONE);
}

static struct value value_of(const struct run *run, uint32_t at, unsigned bits)
{
	const uint64_t *slot = at & IMAGE_CONST ? run->constants + (at & ~IMAGE_CONST) : run->registers + at;
	struct value value = { .words = { slot[0], bits > 64 ? slot[1] : 0 }, .shadow = { exec_shadow(run, at), 0 } };
	if (bits > 64 && !(at & IMAGE_CONST))
		value.shadow[1] = exec_shadow(run, at + 1);
	return value;
}

/* Return a value as it lies in memory: of a term, its slots. */
static struct value in_memory(struct value value, unsigned bits)
{
	if (!vm_is_term(value.words[0], value.shadow[0]) || !vm_symbolic_on())
		return value;
	struct value slots = { { 0 }, { 0 } };
	vm_symbolic_scatter((uint32_t)value.words[0], bytes_of(bits), (uint8_t *)slots.words, (uint8_t *)slots.shadow);
	return slots;
}

static struct vm_bytes bits_of(struct value *value)
{
	return (struct vm_bytes){ (uint8_t *)value->words, (uint8_t *)value->shadow };
}

static const char address_decides[] = "the address of an access";

static enum vm_access access_of(const struct image_insn *insn, bool writes)
{
	bool atomic = insn->aux & IMAGE_ATOMIC;
	return writes ? atomic ? ACCESS_SYNC_WRITE : ACCESS_WRITE : atomic ? ACCESS_SYNC_READ : ACCESS_READ;
}

/* Copy to `old` what is at the address of a store, before it, and return `old`; NULL if nobody asks, or knows. */
static const uint64_t *replaced(const struct image_insn *insn, uint64_t address, uint64_t *old)
{
	unsigned size = bytes_of(insn->bits);
	bool known = vm_tracing && size <= 8 && (!vm_symbolic_on() || vm_is_set(address, size));
	const uint8_t *bytes = known ? vm_peek(address, size) : NULL;
	*old = 0;
	return bytes ? memcpy(old, bytes, size) : NULL;
}

/* Tell of an access; `old` is what was there before a store, NULL if that is not known. */
static void trace_access(const struct image_insn *insn, uint64_t address, const uint8_t *bytes, const uint64_t *old, bool writes,
			 const struct stale *stale, const char *more)
{
	uint64_t value = 0;
	unsigned size = bytes_of(insn->bits);
	if (!vm_tracing)
		return;
	memcpy(&value, bytes, size < 8 ? size : 8);
	if (writes && size == 8)
		vm_note_stored(address, value);
	if (old && size == 8 && *old != value)
		vm_note_overwritten(address, *old);
	if (vm_this.in_library)
		return;
	if (*more)
		vm_event_about(writes ? ACTION_WRITE : ACTION_READ,
			       VM_ABOUT(.address = address, .bytes = size, .value = vm_describe_value(address, size, value),
					.reads = !writes, .writes = writes, .stale = true, .stores = stale->stores,
					.nstores = stale->nstores, .waiting = stale->waiting, .nwaiting = stale->nwaiting),
			       "%s%s", vm_describe_access(address, size, value, NULL, writes), more);
	else if (vm_is_shared(address))
		vm_event_met(writes ? ACTION_WRITE : ACTION_READ, address, size, value, old, stale->stores, stale->nstores);
}

/* Report a misaligned access.  Such a pointer must not even be made (C17 6.3.2.3); x86-64 does not mind, other machines and
 * optimizers do. */
static void check_alignment(const struct image_insn *insn, uint64_t address, uint32_t alignment)
{
	if (!(address & (alignment - 1)) || alignment == IMAGE_NONE || !vm_this.image.options->alignment || vm_this.in_library)
		return;
	assert(alignment && (alignment & (alignment - 1)) == 0);
	vm_fault(VIOLATION_MISALIGNED_ACCESS, "access to %u bytes at %s, an address that is no multiple of %u",
		 bytes_of(insn->bits), vm_describe(address), alignment);
}

/* Return the level of what an access reads or writes: what depends on it. */
static enum image_level level_of(const struct image_insn *insn)
{
	return !(insn->aux & IMAGE_UNSEEN) ? LEVEL_VALUE : insn->aux & IMAGE_SHADOW_ONLY ? LEVEL_SET : LEVEL_NOTHING;
}

static bool is_atomic(const struct image_insn *insn)
{
	return insn->op == IMAGE_RMW || insn->op == IMAGE_CMPXCHG || (insn->aux & IMAGE_ATOMIC);
}

/* May the atomic instruction learn, where there are records, what another one of its location has passed on (memory/records.h)? */
static bool learns(const struct image_insn *insn)
{
	return !(insn->aux & IMAGE_RELAXED_READ) || (vm_this.image.options->order & ORDER_ACQUIRE_FENCES);
}

/* Let footprints have the nature of the instruction; end_access() ends that.  `all_set`: all bytes there are initialized, and stay
 * so.  Where there are records, nothing is useless: writes decide what a location passes on, and reads may learn it. */
static void begin_access(const struct image_insn *insn, bool all_set)
{
	if (exec_may_be_stale(insn) || vm_has_records())
		return;
	if (vm_this.slices)
		vm_footprint_nature(is_atomic(insn), level_of(insn), all_set);
	else if (vm_reduces(REDUCTION_UNREAD))
		vm_footprint_nature(is_atomic(insn), LEVEL_VALUE, true); /* nothing is useless */
}

static void end_access(void)
{
	vm_footprint_no_nature();
}

/* Return what is written instead of a value with this shadow: nothing depends on the value, but perhaps on the shadow. */
static uint64_t left_out(uint64_t shadow)
{
	return vm_this.poison * (UINT64_MAX / UINT8_MAX) & ~shadow;
}

static bool is_left_out(const struct image_insn *insn)
{
	return (insn->aux & IMAGE_UNSEEN) && vm_this.slices;
}

/* Overwrite the registers that a load has filled, so that it makes no difference what was there. */
static void leave_out_loaded(struct run *run, const struct image_insn *insn)
{
	for (unsigned i = 0; i < exec_slots(insn->bits); i++)
		run->registers[insn->dst + i] = left_out(exec_shadow(run, insn->dst + i)) &
			vm_mask(insn->bits <= 64 ? insn->bits :
					i        ? insn->bits - 64 :
						   64);
}

/* Where the address of a load is a term of few values, all of them in one constant: let the result be what each address has.  So
 * isdigit() and other tables tell no values apart.  Nobody writes there, so the load is nothing to others.  Of a word it may be
 * an address, which is left to the load. */
static bool look_up(struct run *run, const struct image_insn *insn)
{
	uint64_t address = exec_operand(run, insn->a), value = 0;
	uint32_t count = 0, size = bytes_of(insn->bits);
	if (!vm_is_term(address, exec_shadow(run, insn->a)) || insn->bits > 32 || (insn->aux & (IMAGE_ATOMIC | IMAGE_UNSEEN)))
		return false;
	const uint64_t *addresses = vm_symbolic_rows((uint32_t)address, &count);
	uint64_t *values = vm_scratch((count + 1) * sizeof *values);
	for (uint32_t i = 0; i < count; i++) {
		struct vm_place place = vm_place_look(addresses[i]);
		const struct vm_object *object = place.object;
		if (!object || !(object->header.flags & OBJECT_CONSTANT) || object->shadow ||
		    image_number(addresses[i]) != image_number(addresses[0]))
			return false;
		if (place.offset < 0 || (uint64_t)place.offset + size > object->header.size ||
		    (insn->c != IMAGE_NONE && addresses[i] % insn->c))
			return false;
		memcpy(&value, object->bytes + place.offset, size);
		values[i] = value & vm_mask(insn->bits);
	}
	if (count == 0)
		return false;
	struct vm_bits64 result = vm_symbolic_mapped((uint32_t)address, values, insn->bits);
	run->registers[insn->dst] = result.value;
	exec_set_shadows(run, insn->dst, &result.shadow, 1);
	run->frame->pc++;
	return true;
}

void exec_load(struct run *run, const struct image_insn *insn)
{
	if (vm_symbolic_on() && look_up(run, insn))
		return;
	uint64_t address = exec_address(run, insn->a, bytes_of(insn->bits));
	bool visible = access_is_visible(run, insn, address, false), chosen = run->pending == insn;
	struct stale stale;
	exec_stale_begin(run, insn, &visible, &stale);
	if (rests(run, insn, address, visible))
		return;
	if (!exec_stale_pick(run, &stale, chosen))
		return;
	const char *story = exec_stale_story(&stale);
	if (insn->aux & IMAGE_ATOMIC)
		exec_stale_read(&stale, address, !(insn->aux & IMAGE_RELAXED_READ), "load");
	begin_access(insn, level_of(insn) == LEVEL_SET && vm_is_set(address, bytes_of(insn->bits)));
	struct vm_bytes from = exec_stale_bytes(&stale, vm_access_bits(address, bytes_of(insn->bits), access_of(insn, false)));
	end_access();
	vm_levels_read(bytes_of(insn->bits), level_of(insn));
	check_alignment(insn, address, insn->c);
	load_value(run, insn, from, address);
	if (is_left_out(insn))
		leave_out_loaded(run, insn);
	trace_access(insn, address, from.bytes, NULL, false, &stale, story);
	if (visible && (insn->aux & IMAGE_ATOMIC))
		vm_race_synchronise(run->thread);
	run->frame->pc++;
}

/* Does the instruction surely change what is at its address: does it add to it, or flip bits of it, by a constant? */
static bool surely_changes(const struct run *run, const struct image_insn *insn)
{
	enum { FEW = 4 }; /* instructions, in `x++` */
	bool flips = insn->op == IMAGE_RMW && (insn->c == RMW_ADD || insn->c == RMW_SUB || insn->c == RMW_XOR);
	if (insn->op == IMAGE_RMW)
		return flips && (insn->b & IMAGE_CONST) && exec_operand(run, insn->b);
	const struct image_insn *change = insn - 1, *load = insn - 2;
	if (insn - run->code < FEW || (insn->b & IMAGE_CONST) || change->dst != insn->b || load->op != IMAGE_LOAD)
		return false;
	bool adds = change->op == IMAGE_ADD || change->op == IMAGE_SUB || change->op == IMAGE_XOR;
	return adds && change->a == load->dst && (change->b & IMAGE_CONST) && exec_operand(run, change->b) && load->a == insn->a &&
		load->bits == insn->bits && change->bits == insn->bits;
}

/* Leave out of `value` what nothing depends on, before it is written to `address`. */
static void leave_out(const struct run *run, const struct image_insn *insn, uint64_t address, struct value *value)
{
	assert(is_left_out(insn) && level_of(insn) != LEVEL_VALUE);
	bool shadow = level_of(insn) == LEVEL_SET;
	for (unsigned i = 0; i < exec_slots(insn->bits); i++) {
		vm_levels_left_out(value->words[i]);
		value->shadow[i] = shadow ? value->shadow[i] : 0;
		value->words[i] = left_out(value->shadow[i]);
	}
	vm_this.unseen++;
	if (vm_this.silent && vm_is_shared(address))
		++*(surely_changes(run, insn) ? &vm_this.unseen_changes : &vm_this.unseen_shared);
}

/* Is all set that a write is about to write over, and does it stay so?  This is asked under slicing. */
static bool stays_set(const struct image_insn *insn, uint64_t address, const struct value *value)
{
	bool asked = vm_this.slices && (is_atomic(insn) || level_of(insn) == LEVEL_SET);
	return asked && !value->shadow[0] && !value->shadow[1] && vm_is_set(address, bytes_of(insn->bits));
}

void exec_store(struct run *run, const struct image_insn *insn)
{
	uint64_t address = exec_address(run, insn->a, bytes_of(insn->bits));
	bool visible = access_is_visible(run, insn, address, true), chosen = run->pending == insn;
	struct stale stale;
	exec_stale_begin(run, insn, &visible, &stale);
	if (rests(run, insn, address, visible))
		return;
	if (!exec_stale_pick(run, &stale, chosen))
		return;
	const char *story = exec_stale_story(&stale);
	struct value value = in_memory(value_of(run, insn->b, insn->bits), insn->bits);
	if (is_left_out(insn))
		leave_out(run, insn, address, &value);
	bool all_set = stays_set(insn, address, &value);
	for (unsigned i = 0; address % 8 && i < exec_slots(insn->bits); i++)
		vm_hide(value.words[i]);
	uint64_t was;
	const uint64_t *old = replaced(insn, address, &was);
	begin_access(insn, all_set);
	vm_footprint_overwrites(true);
	exec_stale_write(&stale, address, value.words, value.shadow, bytes_of(insn->bits), access_of(insn, true));
	vm_footprint_overwrites(false);
	end_access();
	if (is_left_out(insn))
		vm_levels_refuse_higher(bytes_of(insn->bits), level_of(insn));
	check_alignment(insn, address, insn->c);
	trace_access(insn, address, (const uint8_t *)value.words, old, true, &stale, story);
	if (insn->aux & IMAGE_ATOMIC)
		exec_stale_written(&stale, address, !(insn->aux & IMAGE_RELAXED_WRITE), false, "store");
	if (visible && (insn->aux & IMAGE_ATOMIC))
		vm_race_synchronise(run->thread);
	run->frame->pc++;
}

/* Return what an atomic read-modify-write with `change` makes of `old`; all bits of the result are initialized, or none. */
static struct value combined(const struct image_insn *insn, const struct value *old, struct value change)
{
	unsigned top = exec_slots(insn->bits) - 1;
	if (insn->c != RMW_XCHG && (old->shadow[0] | old->shadow[1] | change.shadow[0] | change.shadow[1]))
		for (unsigned i = 0; i <= top; i++)
			change.shadow[i] = vm_mask(insn->bits - 64 * i);
	assert(insn->bits <= 128);
	if (top)
		vm_combine_wide((enum image_rmw)insn->c, old->words, change.words);
	else
		change.words[0] = vm_combine((enum image_rmw)insn->c, insn->bits, old->words[0], change.words[0]);
	for (unsigned i = 0; i <= top && !vm_this.keeps_unset; i++)
		change.words[i] &= ~change.shadow[i];
	return change;
}

/* Do what combined() does where a value may be the term of an input; the result is as it lies in memory. */
static struct value combined_terms(const struct image_insn *insn, struct vm_bytes at, const struct value *old, struct value change)
{
	static const uint8_t operations[RMW_OPERATIONS] = {
		[RMW_ADD] = IMAGE_ADD,   [RMW_SUB] = IMAGE_SUB,   [RMW_AND] = IMAGE_AND,  [RMW_NAND] = IMAGE_AND,
		[RMW_OR] = IMAGE_OR,     [RMW_XOR] = IMAGE_XOR,   [RMW_MAX] = IMAGE_SMAX, [RMW_MIN] = IMAGE_SMIN,
		[RMW_UMAX] = IMAGE_UMAX, [RMW_UMIN] = IMAGE_UMIN,
	};
	unsigned size = bytes_of(insn->bits);
	bool there = vm_symbolic_on() && vm_symbolic_bytes(at.bytes, at.shadow, size);
	bool given = vm_symbolic_on() && vm_is_term(change.words[0], change.shadow[0]);
	if (!there && !given)
		return combined(insn, old, change);
	if (insn->c == RMW_XCHG)
		return in_memory(change, insn->bits);
	if (there && (size > 8 || !operations[insn->c]))
		vm_symbolic_need_bytes(at.bytes, at.shadow, size, "an atomic operation");
	if (given && !operations[insn->c]) {
		change.words[0] = vm_symbolic_need((uint32_t)change.words[0], ASK_VALUE, 0, 0, "an atomic operation");
		change.shadow[0] = 0;
		return combined(insn, old, change);
	}
	struct vm_bits64 a = { old->words[0], old->shadow[0] }, b = { change.words[0], change.shadow[0] };
	if (there)
		a = vm_symbolic_gather(at.bytes, at.shadow, size, insn->bits);
	struct vm_bits64 sum = vm_symbolic_binary((enum image_opcode)operations[insn->c], insn->bits, 0, a, b);
	if (insn->c == RMW_NAND)
		sum = vm_symbolic_binary(IMAGE_XOR, insn->bits, 0, sum, (struct vm_bits64){ vm_mask(insn->bits), 0 });
	return in_memory((struct value){ { sum.value }, { sum.shadow } }, insn->bits);
}

static void note_exchanged(uint64_t address, uint64_t old, uint64_t new)
{
	vm_note_stored(address, new);
	if (old != new)
		vm_note_overwritten(address, old);
}

/* Return the value at an address, in text for an event. */
static const char *shown(uint64_t address, const struct value *value, unsigned size)
{
	if (size <= 8)
		return vm_describe_value(address, size, value->words[0]);
	char *text = vm_text();
	snprintf(text, VM_TEXT, "%#llx%016llx", (unsigned long long)value->words[1], (unsigned long long)value->words[0]);
	return text;
}

/* Is a word far from being an address, or half of one?  Sums of two such words are no addresses either. */
static bool is_small(uint64_t word, unsigned bits)
{
	uint64_t half = UINT64_C(1) << (IMAGE_OFFSET_BITS - 2);
	return ((word + half) & vm_mask(bits)) < 2 * half;
}

/* Return the number of the operation, for a read-modify-write that commutes with its like (vm_footprint_commutes()); 0 if it does
 * not, or if its result is used.  With records: two that learn nothing add their location to the sets K that have their own thread,
 * or its fence, and leave it in those that have it.  Neither changes whether the thread of the other is in K, so the order makes no
 * difference.  One that learns does so only from those that come before it. */
static unsigned commuting(const struct run *run, const struct image_insn *insn, uint64_t address)
{
	enum { NONE, ADD, OTHERS };
	unsigned size = bytes_of(insn->bits);
	if (!(insn->aux & IMAGE_BLIND) || exec_may_be_stale(insn) || size > 8 || (vm_has_records() && learns(insn)) ||
	    vm_this.image.options->identity != IDENTITY_STATE || !vm_is_set(address, size))
		return NONE;
	struct value old = value_in((struct vm_bytes){ (uint8_t *)vm_peek(address, size), NULL }, insn->bits);
	struct value change = value_of(run, insn->b, insn->bits);
	if (change.shadow[0] || !is_small(old.words[0], insn->bits) || !is_small(change.words[0], insn->bits))
		return NONE;
	switch ((enum image_rmw)insn->c) {
	case RMW_ADD:
	case RMW_SUB: return ADD;
	case RMW_AND:
	case RMW_OR:
	case RMW_XOR:
	case RMW_MAX:
	case RMW_MIN:
	case RMW_UMAX:
	case RMW_UMIN: return OTHERS + insn->c;
	default: return NONE;
	}
}

void exec_rmw(struct run *run, const struct image_insn *insn)
{
	uint64_t address = exec_address(run, insn->a, bytes_of(insn->bits));
	unsigned size = bytes_of(insn->bits);
	bool visible = access_is_visible(run, insn, address, true), chosen = run->pending == insn;
	struct stale stale;
	exec_stale_begin(run, insn, &visible, &stale);
	if (rests(run, insn, address, visible))
		return;
	if (!exec_stale_pick(run, &stale, chosen))
		return;
	const char *story = exec_stale_story(&stale);
	struct value change = value_of(run, insn->b, insn->bits);
	bool all_set = stays_set(insn, address, &change);
	vm_footprint_commutes(commuting(run, insn, address));
	exec_stale_read(&stale, address, !(insn->aux & IMAGE_RELAXED_READ), "read-modify-write");
	begin_access(insn, all_set);
	struct vm_bytes at = exec_stale_bytes(&stale, vm_access_bits(address, size, ACCESS_SYNC_WRITE));
	vm_levels_read(size, level_of(insn));
	check_alignment(insn, address, size);
	struct value old = value_in(at, insn->bits), new = combined_terms(insn, at, &old, change);
	load_value(run, insn, at, address);
	if (is_left_out(insn)) {
		leave_out(run, insn, address, &new);
		leave_out_loaded(run, insn);
	}
	for (unsigned i = 0; insn->c != RMW_XCHG && i < exec_slots(insn->bits); i++)
		vm_hidden_combined(old.words[i], change.words[i], new.words[i]);
	exec_stale_write(&stale, address, new.words, new.shadow, size, ACCESS_SYNC_WRITE);
	end_access();
	if (is_left_out(insn))
		vm_levels_refuse_higher(size, level_of(insn));
	vm_footprint_commutes(0);
	exec_stale_written(&stale, address, !(insn->aux & IMAGE_RELAXED_WRITE), true, "read-modify-write");
	if (vm_tracing && size == 8)
		note_exchanged(address, old.words[0], new.words[0]);
	bool same = memcmp(old.words, new.words, sizeof old.words) == 0;
	if (vm_tracing && visible)
		vm_event_about(ACTION_ATOMIC,
			       VM_ABOUT(.address = address, .bytes = size, .value = shown(address, &new, size), .writes = true,
					.stale = *story != '\0', .stores = stale.stores, .nstores = stale.nstores),
			       same ? "%s stays %s%.0s%s" : "%s: %s becomes %s%s", vm_describe(address), shown(address, &old, size),
			       shown(address, &new, size), story);
	if (visible)
		vm_race_synchronise(run->thread);
	run->frame->pc++;
}

/* May this exchange fail though the value is the expected one?  It has two outcomes then, also on memory of the thread's own. */
static bool fails_for_no_reason(const struct image_insn *insn)
{
	return (insn->aux & IMAGE_WEAK) && !vm_this.evaluating && vm_injection_wanted(INJECT_WEAK_CAS);
}

/* Is a value there, as far as can be seen without accessing it?  Whether the exchange succeeds decides what it acquires, and so
 * whether the access races. */
static bool is_there(const struct image_insn *insn, uint64_t address, const struct value *expected)
{
	unsigned size = bytes_of(insn->bits);
	if (vm_symbolic_on() && !vm_is_set(address, size))
		return false; /* see know_whether_equal(); of what is not set, it is no matter */
	const uint8_t *bytes = vm_peek(address, size);
	return bytes &&
		memcmp(value_in((struct vm_bytes){ (uint8_t *)bytes, NULL }, insn->bits).words, expected->words,
		       sizeof expected->words) == 0;
}

/* what is known of the value at an address and the expected one before they are compared as numbers */
enum equality { ARE_NUMBERS, ARE_EQUAL, ARE_DIFFERENT };

/* Of the value at an address and the expected one, which may be terms of inputs: see to it that they are equal for all values
 * of the inputs, or for none.  With sets, see to it that the expected one is a number, and the other one is, too, if equal. */
static enum equality know_whether_equal(const struct image_insn *insn, uint64_t address, struct value *expected)
{
	static const char what[] = "a compare-exchange";
	unsigned size = bytes_of(insn->bits);
	struct vm_place place = vm_place_look(address);
	bool term = vm_is_term(expected->words[0], expected->shadow[0]), related = vm_symbolic_relates() && size <= 8;
	if (term && !related) {
		expected->words[0] = vm_symbolic_need((uint32_t)expected->words[0], ASK_VALUE, 0, 0, what);
		expected->shadow[0] = 0;
	}
	if (!place.object || place.offset < 0 || (uint64_t)place.offset + size > place.object->header.size)
		return ARE_NUMBERS;
	const uint8_t *bytes = place.object->bytes + place.offset,
		      *shadow = place.object->shadow ? place.object->shadow + place.offset : NULL;
	if (!vm_symbolic_bytes(bytes, shadow, size) && !(term && related))
		return ARE_NUMBERS;
	if (size > 8 || (expected->shadow[0] && !(term && related)))
		vm_symbolic_need_bytes(bytes, shadow, size, what);
	struct vm_bits64 equal = vm_symbolic_binary(IMAGE_ICMP, insn->bits, ICMP_EQ,
						    vm_symbolic_gather(bytes, shadow, size, insn->bits),
						    (struct vm_bits64){ expected->words[0], expected->shadow[0] });
	if (equal.shadow)
		equal.value = vm_symbolic_need((uint32_t)equal.value, ASK_TRUTH, 0, 0, what);
	if (related)
		return equal.value ? ARE_EQUAL : ARE_DIFFERENT;
	if (equal.value) /* then it is one number */
		vm_symbolic_need_bytes(bytes, shadow, size, what);
	return ARE_NUMBERS;
}

void exec_cmpxchg(struct run *run, const struct image_insn *insn)
{
	uint64_t address = exec_address(run, insn->a, bytes_of(insn->bits));
	unsigned size = bytes_of(insn->bits), width = exec_slots(insn->bits);
	bool visible = access_is_visible(run, insn, address, true), chosen = run->pending == insn;
	struct stale stale;
	exec_stale_begin(run, insn, &visible, &stale);
	bool weak = !stale.on && !stale.buffers && fails_for_no_reason(insn); /* on x86 it does not */
	if (weak && run->pending != insn)
		vm_injection_offer(run->thread, INJECT_WEAK_CAS);
	if (rests(run, insn, address, visible || weak))
		return;
	if (weak)
		exec_clear_wait(&run->thread->header);
	if (!exec_stale_pick(run, &stale, chosen))
		return;
	const char *story = exec_stale_story(&stale);
	struct value expected = value_of(run, insn->b, insn->bits), desired = value_of(run, insn->c, insn->bits);
	enum equality known = vm_symbolic_on() ? know_whether_equal(insn, address, &expected) : ARE_NUMBERS;
	bool succeeds = stale.on ? !stale.pick.fails : known ? known == ARE_EQUAL : is_there(insn, address, &expected);
	bool spurious = stale.on ? stale.pick.spurious : weak && succeeds && vm_injection_happens(INJECT_WEAK_CAS);
	succeeds = succeeds && !spurious;
	exec_stale_read(&stale, address, !(insn->aux & (succeeds ? IMAGE_RELAXED_READ : IMAGE_RELAXED_FAILURE)),
			succeeds ? "compare-exchange" : "failed compare-exchange");
	begin_access(insn, stays_set(insn, address, &desired));
	struct vm_bytes at = exec_stale_bytes(&stale, vm_access_bits(address, size, ACCESS_SYNC_READ));
	vm_levels_read(size, LEVEL_VALUE);
	struct value old = value_in(at, insn->bits);
	check_alignment(insn, address, size);
	bool term = vm_symbolic_on() && vm_symbolic_bytes(at.bytes, at.shadow, size); /* which is not the expected value */
	bool equal = known ? known == ARE_EQUAL : !term && vm_equal(bits_of(&old), bits_of(&expected), size);
	equal = equal && !spurious;
	desired = in_memory(desired, insn->bits);
	load_value(run, insn, at, address);
	exec_set_shadows(run, insn->dst + width, (const uint64_t[]){ 0 }, 1);
	run->registers[insn->dst + width] = equal;
	assert(!stale.on || equal == !stale.pick.fails);
	if (equal)
		exec_stale_write(&stale, address, desired.words, desired.shadow, size, ACCESS_SYNC_WRITE);
	end_access();
	if (equal) {
		exec_stale_written(&stale, address, !(insn->aux & IMAGE_RELAXED_WRITE), true, "compare-exchange");
		if (vm_tracing && size == 8)
			note_exchanged(address, old.words[0], desired.words[0]);
	}
	if (vm_tracing && visible && equal)
		vm_event_about(ACTION_ATOMIC,
			       VM_ABOUT(.address = address, .bytes = size,
					.value = vm_describe_value(address, size, desired.words[0]), .writes = true,
					.stale = *story != '\0', .stores = stale.stores, .nstores = stale.nstores),
			       "%s: exchanged, %s becomes %s%s", vm_describe(address),
			       vm_describe_value(address, size, old.words[0]), vm_describe_value(address, size, desired.words[0]),
			       story);
	else if (vm_tracing && spurious)
		vm_event_about(ACTION_ATOMIC,
			       VM_ABOUT(.address = address, .bytes = size, .value = vm_describe_value(address, size, old.words[0]),
					.reads = true),
			       "%s: weak exchange fails for no reason (--faults weak-cas)", vm_describe(address));
	else if (vm_tracing && visible)
		vm_event_about(ACTION_ATOMIC,
			       VM_ABOUT(.address = address, .bytes = size, .value = vm_describe_value(address, size, old.words[0]),
					.reads = true, .stale = *story != '\0', .stores = stale.stores, .nstores = stale.nstores),
			       "%s: exchange fails, it is %s, not %s%s", vm_describe(address),
			       vm_describe_value(address, size, old.words[0]), vm_describe_value(address, size, expected.words[0]),
			       story);
	if (visible)
		vm_race_synchronise(run->thread);
	run->frame->pc++;
}

/* Let the thread's stores reach memory before a block of shared memory that is not copied by single stores.  `writes`: the block
 * that is written is shared.  Return true if the thread rests before that. */
static bool at_once(struct run *run, const struct image_insn *insn, bool writes)
{
	exec_settle_operand(run, insn->b, address_decides);
	exec_settle_operand(run, insn->c, "how many bytes are written");
	exec_note_drain(run->thread, writes);
	return exec_drains(run, insn);
}

/* Carry out a memory intrinsic, which is the function of the same name. */
void exec_block(struct run *run, const struct image_insn *insn)
{
	uint64_t arguments[] = {
		exec_deciding(run, insn->a, address_decides),
		exec_deciding(run, insn->b, insn->op == IMAGE_MEMSET ? "what memset writes" : address_decides),
		exec_deciding(run, insn->c, "how many bytes are written"),
	};
	bool from = insn->op != IMAGE_MEMSET;
	bool shared = exec_plain_is_visible() && (vm_is_shared(arguments[0]) || (from && vm_is_shared(arguments[1])));
	if (shared && vm_has_buffers() && at_once(run, insn, vm_is_shared(arguments[0])))
		return;
	bool visible = shared || vm_property_may_read(arguments[0], arguments[2]) || vm_interrupts_rest(arguments[0], true) ||
		(from && vm_interrupts_rest(arguments[1], false)) || run->pending == insn;
	if (visible && arguments[2] && !vm_this.evaluating && exec_rests_before(run, insn))
		return;
	run->pending = NULL;
	struct vm_call call = { .thread = run->thread, .insn = insn, .arguments = arguments, .count = 3 };
	if (from)
		run_memmove(&call);
	else
		run_memset(&call);
	run->frame->pc++;
}
