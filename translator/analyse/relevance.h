/* SPDX-License-Identifier: MIT
 *
 * On which values and bytes something depends that is checked (relevance.c).
 */
#ifndef BITSPIN_TRANSLATOR_RELEVANCE_H
#define BITSPIN_TRANSLATOR_RELEVANCE_H

#include "points_to.h"

struct relevance {
	struct points p; /* with the levels of bytes, enum image_level */
	struct translation *t;
	uint8_t *levels; /* of values */
	bool *read;      /* of each object: is all that can be reached from it read? */
	bool deciding;   /* to be printed, to be an address, or to say how long to wait gives a value no level */
	bool changed;
};

/* Find the levels in the image as it is so far; `t` and `deciding` of `r` are set, all else is 0.  Return false if it is not known
 * where pointers may point. */
bool relevance_find(struct relevance *r);
void relevance_release(struct relevance *r);

/* Return where `operand` of `function` may point.  The next call overwrites the answer. */
const struct pointers *relevance_pointers(struct relevance *r, uint32_t function, uint32_t operand);

/* Return the highest level of `size` bytes where the operand `address` may point; size 0: of all bytes to the end of the object.
 * LEVEL_VALUE if the operand points nowhere. */
uint8_t relevance_of_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size);

/* Return the highest level of what an instruction writes to registers. */
uint8_t relevance_of_result(const struct relevance *r, uint32_t function, const struct image_insn *insn);

/* Is the instruction a call that only prints numbers, which need only be initialized? */
bool relevance_only_prints(struct relevance *r, uint32_t function, const struct image_insn *insn);

#endif
