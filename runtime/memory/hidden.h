/* SPDX-License-Identifier: MIT
 *
 * Hidden pointers: a program may keep a pointer in another form: shifted, xored, in pieces, unaligned, as text.  Then the words
 * of a state do not show what it points to.
 *
 * A word *names* an object if it is aligned (or a register) and holds an address in or near it; a tag in the high bits does not
 * count.  What memory.c derives from names (what is private, and which numbers may be used again) is right as long as every
 * address that is used comes from the allocation through words that name its object, each made from the one before.
 *
 * A search assumes at first that this is so, and watches for the contrary: a word that names an object is made out of words or
 * bytes that do not.  That *reveals* a pointer, and it must happen before a hidden pointer is used.  Then the search begins anew
 * (options->hidden), and watches for the moment at which pointers are *hidden*: a word that names an object goes into a
 * computation, or is read in part, and what comes out does not name it.  From then on that object counts as shared, and when it is
 * freed its number is buried: not used again.  Running out of numbers is a limit that is reported.
 *
 * Why the first search does not miss it: take an execution up to the first moment at which a pointer is revealed.  Until then
 * private objects were private and numbers rightly used again, so the reductions were right to take the steps for independent; and
 * to reveal is a step that depends on all, as a violation is.  So if it can be reached, the search reaches it, or an error that
 * comes before.
 *
 * Programs that never reveal a pointer have the states they had.  Those that only look at parts of addresses (hash tables, tests of
 * alignment) never do.
 *
 * Neither search notices an address that is only compared, and guessed from the results.  If another thread reaches an object that
 * way although it counts as private, the search is inconclusive.
 */
#ifndef BITSPIN_HIDDEN_H
#define BITSPIN_HIDDEN_H

#include "memory.h"

/* Look at what an instruction has computed; needed only where vm_hidden_concerns(). */
void vm_hidden_computed(const struct image_insn *insn, const uint64_t *registers);

static inline bool vm_hidden_concerns(const struct image_insn *insn, const uint64_t *registers)
{
	bool from = (!(insn->a & IMAGE_CONST) && image_names_dynamic(registers[insn->a])) ||
		(insn->op >= IMAGE_ADD && insn->op <= IMAGE_ASHR && !(insn->b & IMAGE_CONST) &&
		 image_names_dynamic(registers[insn->b]));
	return from || image_names_dynamic(registers[insn->dst]) || insn->bits > 64 || vm_this.image.options->hidden;
}

/* Note that something depends on the order or distance of two addresses, or, if one is IMAGE_NOWHERE, on the value of the other.
 * If they do not lie in one object, other machines may go another way, and the report says so. */
void vm_address_ordered(uint64_t a, uint64_t b);

/* Note that something depends on the value of an address of which a part was read at `place`.  vm_address_may_be_part: may `value`,
 * read at `address`, contain the byte of an address that tells most, byte 5? */
void vm_address_read(const struct vm_place *place);

static inline bool vm_address_may_be_part(uint64_t address, uint64_t size, uint64_t value)
{
	uint64_t at = address % 8, byte = at <= 5 ? value >> 8 * (5 - at) : 0;
	return size < 8 && at <= 5 && at + size > 5 && byte >= 0x10 && byte < 0x80;
}

/* Look at the word `result` that an atomic operation has made of two others. */
void vm_hidden_combined(uint64_t old, uint64_t operand, uint64_t result);

/* Look at bytes that are read at `place`, to be written at an offset that is greater by `shift`, modulo 8.  (A register lies at
 * 0.) */
void vm_hidden_read(const struct vm_place *place, uint64_t size, uint64_t shift);

/* Look at bytes that have been written at `place`, from an offset that was less by `shift`.  `before` has the first and the last
 * aligned word that they touch as these were before, from vm_hidden_before(). */
void vm_hidden_written(const struct vm_place *place, uint64_t size, uint64_t shift, const uint64_t before[2]);
void vm_hidden_before(const struct vm_place *place, uint64_t size, uint64_t before[2]);

/* Note that `word` becomes something that is no word; that `word` is made of something that was none. */
void vm_hide(uint64_t word);
void vm_reveal(uint64_t word);

/* End the step as inconclusive: the thread reaches an object that counts as private to another. */
_Noreturn void vm_hidden_reached(uint64_t address);

#endif
