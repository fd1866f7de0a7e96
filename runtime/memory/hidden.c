/* SPDX-License-Identifier: MIT
 *
 * See hidden.h.
 */
#include "hidden.h"
#include "../state/symmetry.h"
#include "../state/whole.h"

#include <assert.h>
#include <string.h>

enum { MOST_WORDS = 6 };

/* Bytes of a word that tell the number of an object: others are offsets and tags. */
enum { FIRST_TELLING = 3, END_TELLING = 6 };

enum { ALIGNED = 16 }; /* bytes: what malloc returns is a multiple on all machines */

static bool names(uint64_t word, uint64_t number)
{
	return image_number(word & IMAGE_POINTER_MASK) == number;
}

/* Do two words name one object, or parts of one? */
static bool is_one(uint64_t a, uint64_t b)
{
	return names(a, image_number(b & IMAGE_POINTER_MASK)) ||
		vm_whole_number(a & IMAGE_POINTER_MASK) == vm_whole_number(b & IMAGE_POINTER_MASK);
}

static bool any_names(const uint64_t *words, unsigned count, uint64_t number)
{
	for (unsigned i = 0; i < count; i++)
		if (names(words[i], number))
			return true;
	return false;
}

/* ---- hiding -------------------------------------------------------------------------------------------------------- */

/* Bury a number that has no object, but which `word` names: another object must not be found by it.  Words that are no addresses
 * may look as if they had a tag, so of words with a tag only those count that are near numbers in use: others are not given out
 * soon. */
static void bury(const struct vm_place *place, uint64_t word)
{
	assert(!place->object && place->number >= place->map->first);
	enum { NEAR = 64 };
	uint32_t index = place->number - place->map->first, slot = (place->number - IMAGE_FIRST_DYNAMIC) / vm_this.span;
	bool near = index < place->map->count + NEAR;
	if (slot < vm_this.slots && index < place->map->numbers && (near || word <= IMAGE_POINTER_MASK) &&
	    !vm_map_is_taken(place->map, index))
		vm_map_bury(place->map, index);
}

void vm_hide(uint64_t word)
{
	if (!vm_this.image.options->hidden || vm_this.evaluating || !image_names_dynamic(word & IMAGE_POINTER_MASK))
		return;
	struct vm_place place = vm_place_of(word & IMAGE_POINTER_MASK);
	if (!place.map)
		return;
	if (!place.object) {
		bury(&place, word);
	} else if (!(place.object->header.flags & OBJECT_HIDDEN)) {
		vm_share(word);
		struct vm_whole whole = vm_whole_of(word & IMAGE_POINTER_MASK);
		for (uint32_t i = 0; i < whole.parts; i++) {
			place = vm_place_of(image_address(whole.first + i, 0));
			vm_object_change(place.map, place.object, 0, 0);
			place.object->header.flags |= OBJECT_HIDDEN;
		}
	}
}

/* ---- revealing ----------------------------------------------------------------------------------------------------- */

/* Look only at words without a tag: a tag must be gone before the address is used, and then the address is revealed. */
void vm_reveal(uint64_t word)
{
	if (vm_this.image.options->hidden || vm_this.evaluating || !image_names_dynamic(word))
		return;
	if (!vm_place_of(word).object) { /* it may have no other name, and now has one */
		vm_look_again();
		return;
	}
	vm_inconclusive(LIMIT_HIDDEN_POINTERS, "the address of %s is computed from values that are not pointers",
			vm_describe(word));
}

_Noreturn void vm_hidden_reached(uint64_t address)
{
	if (!vm_this.image.options->hidden)
		vm_inconclusive(LIMIT_HIDDEN_POINTERS, "%s is reached by thread %u, to which no pointer to it was passed",
				vm_describe(address), vm_this.current->slot);
	vm_inconclusive(LIMIT_LOST_POINTERS,
			"thread %u reaches %s by an address that was not passed to it as a pointer, so races "
			"there may be missed",
			vm_this.current->slot, vm_describe(address));
}

/* ---- values of addresses --------------------------------------------------------------------------------------------- */

void vm_address_ordered(uint64_t a, uint64_t b)
{
	vm_symmetry_hides(a);
	vm_symmetry_hides(b);
	uint64_t x = image_number(a & IMAGE_POINTER_MASK), y = b == IMAGE_NOWHERE ? b : image_number(b & IMAGE_POINTER_MASK);
	if (x && y && x != y && !vm_this.evaluating && !vm_this.in_library && (b == IMAGE_NOWHERE || !is_one(a, b)))
		vm_report_assumption("the values and the order of addresses are bitspin's, and differ on a real machine");
}

/* Is what the instruction has made of an address, which is no address, only the tag, or the address less its tag? */
static bool is_tag(const struct image_insn *insn, uint64_t b)
{
	const struct image_insn *next = insn + 1;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_LSHR:
	case IMAGE_ASHR: return b >= IMAGE_OBJECT_BITS + IMAGE_OFFSET_BITS;
	case IMAGE_SHL: return b <= 64 - IMAGE_OBJECT_BITS - IMAGE_OFFSET_BITS;
	case IMAGE_TRUNC:
		return next->op == IMAGE_AND && next->a == insn->dst && (next->b & IMAGE_CONST) &&
			vm_this.image.constants[next->b & ~IMAGE_CONST] < ALIGNED;
	default: return false;
	}
}

/* ---- computations -------------------------------------------------------------------------------------------------- */

/* Does one of the `count` words `from` name an object that none of the words `to` names? */
static bool is_lost(const uint64_t *from, unsigned count, const uint64_t *to, unsigned results)
{
	for (unsigned i = 0; i < count; i++) {
		bool lost = image_names_dynamic(from[i]) && !any_names(to, results, image_number(from[i]));
		for (unsigned k = 0; k < results && lost; k++)
			lost = !is_one(from[i], to[k]);
		if (lost)
			return true;
	}
	return false;
}

/* Hide what the `count` words `from` name and the words `to`, which were made of them, do not; or, under the other rules, reveal
 * what only the words `to` name. */
static void check(const uint64_t *from, unsigned count, const uint64_t *to, unsigned results)
{
	for (unsigned i = 0; vm_this.image.options->hidden && i < count; i++)
		if (!any_names(to, results, image_number(from[i] & IMAGE_POINTER_MASK)))
			vm_hide(from[i]);
	for (unsigned i = 0; !vm_this.image.options->hidden && i < results; i++) {
		bool known = false;
		for (unsigned k = 0; k < count && !known; k++)
			known = image_number(from[k]) == image_number(to[i]);
		for (unsigned k = 0; k < count && !known; k++)
			known = image_names_dynamic(to[i]) && is_one(from[k], to[i]);
		if (!known)
			vm_reveal(to[i]);
	}
}

static unsigned add_operand(uint32_t at, char role, unsigned bits, const uint64_t *registers, uint64_t *words)
{
	if ((role != 'x' && role != 'q') || (at & IMAGE_CONST))
		return 0;
	unsigned slots = role == 'x' && bits > 64 ? 2 : 1;
	memcpy(words, registers + at, slots * sizeof *words);
	return slots;
}

static uint64_t value_of(uint32_t at, const uint64_t *registers)
{
	return vm_this.image.constants && (at & IMAGE_CONST) ? vm_this.image.constants[at & ~IMAGE_CONST] : registers[at];
}

/* Does the instruction tell nothing of the number of an object, though its result does not name it? */
static bool is_harmless(const struct image_insn *insn, const uint64_t *registers)
{
	switch ((enum image_opcode)insn->op) {
	/* clang-format off */
	case IMAGE_MOV: case IMAGE_FREEZE: case IMAGE_SELECT: case IMAGE_ICMP: case IMAGE_FCMP: case IMAGE_FCLASS: return true;
	/* clang-format on */
	case IMAGE_INDEX: return is_one(registers[insn->dst], value_of(insn->a, registers));
	case IMAGE_TRUNC: return insn->aux < IMAGE_OFFSET_BITS;
	case IMAGE_AND: /* with the bits of an offset */
		return insn->bits <= 64 &&
			(value_of(insn->a, registers) < IMAGE_MAX_SIZE || value_of(insn->b, registers) < IMAGE_MAX_SIZE);
	case IMAGE_UREM:
	case IMAGE_SREM: {
		uint64_t by = insn->bits <= 64 ? value_of(insn->b, registers) : 0;
		return by && by <= IMAGE_MAX_SIZE && !(by & (by - 1));
	}
	case IMAGE_SUB: /* a distance in one object, or nearly */
		return insn->bits == 64 && is_one(value_of(insn->a, registers), value_of(insn->b, registers));
	default: return false;
	}
}

static bool is_order(const struct image_insn *insn)
{
	return insn->op == IMAGE_ICMP && insn->bits == 64 && insn->aux != ICMP_EQ && insn->aux != ICMP_NE;
}

/* Does the instruction compute low bits of an address that are not the same for all addresses that malloc returns? */
static bool is_alignment(const struct image_insn *insn, uint64_t a, uint64_t b)
{
	uint64_t low = a < b ? a : b;
	return (insn->op == IMAGE_AND && insn->bits == 64 && low >= ALIGNED && low < IMAGE_MAX_SIZE) ||
		(insn->op == IMAGE_UREM && insn->bits == 64 && b > ALIGNED);
}

void vm_hidden_computed(const struct image_insn *insn, const uint64_t *registers)
{
	if (is_order(insn) && value_of(insn->b, registers) <= IMAGE_POINTER_MASK)
		vm_address_ordered(value_of(insn->a, registers), value_of(insn->b, registers));
	if (is_harmless(insn, registers)) {
		uint64_t a = value_of(insn->a, registers);
		if (insn->bits == 64 && (insn->op == IMAGE_AND || insn->op == IMAGE_UREM) && image_names_dynamic(a) &&
		    is_alignment(insn, a, value_of(insn->b, registers)))
			vm_address_ordered(a, IMAGE_NOWHERE);
		return;
	}
	const char *roles = image_opcodes[insn->op].roles;
	uint64_t words[MOST_WORDS];
	unsigned count = add_operand(insn->a, roles[1], insn->bits, registers, words);
	count += add_operand(insn->b, roles[2], insn->bits, registers, words + count);
	count += add_operand(insn->c, roles[3], insn->bits, registers, words + count);
	assert(count <= MOST_WORDS);
	unsigned bits = roles[0] == 'D' ? insn->aux : roles[0] == '1' ? 64 : insn->bits;
	unsigned results = bits > 64 ? 2 : 1;
	for (unsigned i = 0; i < count; i++)
		if (vm_is_symmetric() && is_lost(words + i, 1, registers + insn->dst, results))
			vm_symmetry_hides(words[i]);
	if (is_lost(words, count, registers + insn->dst, results) &&
	    !is_tag(insn, roles[2] == 'x' ? value_of(insn->b, registers) : 0))
		vm_address_ordered(image_address(IMAGE_FIRST_DYNAMIC, 0), IMAGE_NOWHERE);
	check(words, count, registers + insn->dst, results);
}

void vm_hidden_combined(uint64_t old, uint64_t operand, uint64_t result)
{
	const uint64_t words[] = { old, operand };
	for (const uint64_t *word = words; word < words + 2; word++)
		if (vm_is_symmetric() && is_lost(word, 1, &result, 1))
			vm_symmetry_hides(*word);
	check(words, 2, &result, 1);
}

/* ---- memory -------------------------------------------------------------------------------------------------------- */

/* Is the aligned word at an offset kept whole when bytes [low, high) are moved by `shift`? */
static bool is_whole(uint64_t at, uint64_t low, uint64_t high, uint64_t shift)
{
	return shift % 8 == 0 && low <= at && at + 8 <= high;
}

void vm_address_read(const struct vm_place *place)
{
	assert(place->object && place->offset >= 0);
	uint64_t word = vm_object_word(place->object, (uint64_t)place->offset & ~UINT64_C(7));
	if (!image_names_dynamic(word))
		return;
	struct vm_place named = vm_place_of(word);
	if (named.object && named.offset >= 0 && named.offset < named.object->header.size)
		vm_address_ordered(word, IMAGE_NOWHERE);
}

void vm_hidden_read(const struct vm_place *place, uint64_t size, uint64_t shift)
{
	uint64_t low = (uint64_t)place->offset, high = low + size;
	if (!vm_this.image.options->hidden)
		return;
	for (uint64_t at = low & ~UINT64_C(7); at < high; at += 8) {
		bool telling = low < at + END_TELLING && at + FIRST_TELLING < high;
		if (telling && !is_whole(at, low, high, shift))
			vm_hide(vm_object_word(place->object, at));
	}
}

void vm_hidden_before(const struct vm_place *place, uint64_t size, uint64_t before[2])
{
	assert(size > 0 && place->offset >= 0);
	uint64_t low = (uint64_t)place->offset;
	before[0] = vm_object_word(place->object, low & ~UINT64_C(7));
	before[1] = vm_object_word(place->object, (low + size - 1) & ~UINT64_C(7));
}

void vm_hidden_written(const struct vm_place *place, uint64_t size, uint64_t shift, const uint64_t before[2])
{
	assert(size > 0 && (uint64_t)place->offset + size <= place->object->header.size);
	uint64_t low = (uint64_t)place->offset, high = low + size;
	uint64_t first = low & ~UINT64_C(7), last = (high - 1) & ~UINT64_C(7);
	for (uint64_t at = first; at < high; at += 8) {
		uint64_t word = vm_object_word(place->object, at);
		if (!image_names_dynamic(word) || is_whole(at, low, high, shift))
			continue;
		bool known = (at == first && image_number(before[0]) == image_number(word)) ||
			(at == last && image_number(before[1]) == image_number(word));
		if (!known)
			vm_reveal(word);
	}
}
