/* SPDX-License-Identifier: MIT
 *
 * What depends on which values and bytes: relevance.c finds it, marks.c writes it into the image.
 */
#ifndef BITSPIN_TRANSLATOR_RELEVANCE_H
#define BITSPIN_TRANSLATOR_RELEVANCE_H

#include "pointers.h"

struct relevance {
	struct points p; /* with the levels of bytes, enum image_level */
	struct translation *t;
	uint8_t *levels; /* of values */
	bool *read;      /* objects of which all that can be reached is read */
	bool deciding;   /* what is only printed, may be an address, or says how long to wait, has no level for that */
	bool changed;
};

const struct pointers *relevance_pointers(struct relevance *r, uint32_t function, uint32_t operand);

/* The highest level of `size` bytes where an operand may point; 0: of all to the end.  LEVEL_VALUE if that is nowhere. */
uint8_t relevance_of_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size);

/* The highest level of what an instruction writes to registers. */
uint8_t relevance_of_result(const struct relevance *r, uint32_t function, const struct image_insn *insn);

/* Does a call print, of numbers that need only be set? */
bool relevance_only_prints(struct relevance *r, uint32_t function, const struct image_insn *insn);

/* Mark what is left out, and add what the VM checks of it (runtime/state/levels.h).  False: there is none. */
bool mark_image(struct relevance *r);

#endif
