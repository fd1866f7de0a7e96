/* SPDX-License-Identifier: MIT
 *
 * Terms in memory: slots.
 */
#include "terms.h"

#include <assert.h>
#include <string.h>

static bool is_slot(const uint8_t *bytes, const uint8_t *shadow, uint64_t i)
{
	return shadow && (bytes[i] & shadow[i]);
}

bool vm_symbolic_bytes(const uint8_t *bytes, const uint8_t *shadow, uint64_t size)
{
	for (uint64_t i = 0; shadow && i < size; i++)
		if (bytes[i] & shadow[i])
			return true;
	return false;
}

static const struct vm_slot_byte *slot_at(uint8_t number)
{
	assert(number && number <= vm_symbols.slot_count);
	return &vm_symbols.slots[number];
}

void vm_symbolic_need_bytes(const uint8_t *bytes, const uint8_t *shadow, uint64_t size, const char *what)
{
	for (uint64_t i = 0; i < size; i++)
		if (is_slot(bytes, shadow, i)) {
			vm_symbolic_need(slot_at(bytes[i])->term, ASK_VALUE, 0, 0, what);
			vm_symbolic_refuse(what);
		}
}

void vm_symbolic_need_at(uint64_t address, uint64_t size, const char *what)
{
	if (!vm_symbolic_on())
		return;
	struct vm_place place = vm_place_look(address);
	if (place.object && place.object->shadow && place.offset >= 0 && (uint64_t)place.offset + size <= place.object->header.size)
		vm_symbolic_need_bytes(place.object->bytes + place.offset, place.object->shadow + place.offset, size, what);
}

bool vm_symbolic_is_at(uint64_t address, uint64_t size)
{
	bool any = false;
	struct vm_place place = vm_symbolic_on() ? vm_place_look(address) : (struct vm_place){ 0 };
	if (!place.object || !place.object->shadow || place.offset < 0 || (uint64_t)place.offset + size > place.object->header.size)
		return false;
	for (uint64_t i = (uint64_t)place.offset; i < (uint64_t)place.offset + size; i++) {
		bool slot = is_slot(place.object->bytes, place.object->shadow, i);
		if (!slot && place.object->shadow[i])
			return false;
		any |= slot;
	}
	return any;
}

static uint8_t slot_of(uint32_t term, uint32_t byte)
{
	struct vm_symbols *s = &vm_symbols;
	for (uint32_t i = 1; i <= s->slot_count; i++)
		if (s->slots[i].term == term && s->slots[i].byte == byte)
			return (uint8_t)i;
	if (s->slot_count == SLOTS)
		vm_symbolic_refuse("a store into memory, which can keep 255 bytes of inputs,");
	s->slots[++s->slot_count] = (struct vm_slot_byte){ term, byte };
	return (uint8_t)s->slot_count;
}

void vm_symbolic_scatter(uint32_t term, unsigned size, uint8_t *bytes, uint8_t *shadow)
{
	unsigned bits = vm_symbols.terms[term].bits;
	for (unsigned i = 0; i < size; i++) {
		bool is_part = 8 * i < bits;
		bytes[i] = is_part ? slot_of(term, i) : 0;
		shadow[i] = is_part ? UINT8_MAX : 0;
	}
}

struct vm_bits64 vm_symbolic_with(enum image_opcode op, unsigned bits, unsigned aux, struct vm_bits64 a, uint64_t b)
{
	return vm_symbolic_binary(op, bits, aux, a, (struct vm_bits64){ b, 0 });
}

/* Return `size` bytes of a term from `byte` on, as a number of as many bits. */
static struct vm_bits64 part_of(uint32_t term, unsigned byte, unsigned size)
{
	unsigned bits = vm_symbols.terms[term].bits;
	struct vm_bits64 part = { term, UINT64_MAX };
	if (byte)
		part = vm_symbolic_with(IMAGE_LSHR, bits, 0, part, 8 * byte);
	if (8 * size < bits)
		return vm_symbolic_with(IMAGE_TRUNC, bits, 8 * size, part, 0);
	return 8 * size > bits ? vm_symbolic_with(IMAGE_ZEXT, bits, 8 * size, part, 0) : part;
}

struct vm_bits64 vm_symbolic_gather(const uint8_t *bytes, const uint8_t *shadow, unsigned size, unsigned bits)
{
	struct vm_bits64 all = { 0, 0 };
	assert(size <= 8);
	for (unsigned i = 0; i < size;) {
		struct vm_bits64 part = { bytes[i], 0 };
		unsigned length = 1;
		if (is_slot(bytes, shadow, i)) {
			const struct vm_slot_byte *slot = slot_at(bytes[i]);
			while (i + length < size && is_slot(bytes, shadow, i + length) &&
			       slot_at(bytes[i + length])->term == slot->term &&
			       slot_at(bytes[i + length])->byte == slot->byte + length)
				length++;
			part = part_of(slot->term, slot->byte, length);
		} else if (shadow && shadow[i]) {
			vm_symbolic_refuse("a read of an input together with what is not initialized");
		}
		if (part.shadow && 8 * length < 8 * size)
			part = vm_symbolic_with(IMAGE_ZEXT, 8 * length, 8 * size, part, 0);
		if (i && part.shadow)
			part = vm_symbolic_with(IMAGE_SHL, 8 * size, 0, part, 8 * i);
		else
			part.value <<= part.shadow ? 0 : 8 * i;
		if (!all.shadow && !part.shadow)
			all.value |= part.value;
		else if (!part.shadow && part.value == 0)
			;
		else if (all.shadow || all.value)
			all = vm_symbolic_binary(IMAGE_ADD, 8 * size, 0, all, part);
		else
			all = part;
		i += length;
	}
	return all.shadow && bits < 8 * size ? vm_symbolic_with(IMAGE_TRUNC, 8 * size, bits, all, 0) : all;
}
