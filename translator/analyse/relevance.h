/* SPDX-License-Identifier: MIT
 *
 * On which values and bytes something depends that is checked (relevance.c).
 */
#ifndef BITSPIN_TRANSLATOR_RELEVANCE_H
#define BITSPIN_TRANSLATOR_RELEVANCE_H

#include "points_to.h"

struct cuts;
struct spans;

struct relevance {
	struct points p; /* with the levels of bytes, enum image_level */
	struct translation *t;
	uint8_t *levels;                    /* of values */
	bool *read;                         /* of each object: is all that can be reached from it read? */
	const struct region_rules *regions; /* how values are looked at in regions (regions.h); NULL: as a whole, or not at all */
	struct cuts *cuts;                  /* of each value, if there are regions; else NULL */
	struct spans *spans;                /* of each object */
	bool deciding;                      /* to be printed, to be an address, or to say how long to wait gives a value no level */
	bool changed;
};

/* What regions.c does otherwise. */
struct region_rules {
	/* The objects are known now, and no level has been raised. */
	void (*begin)(struct relevance *r);
	void (*release)(struct relevance *r);
	/* The value, or byte number `at` of the object, has LEVEL_VALUE as a whole. */
	void (*value_is_whole)(struct relevance *r, uint32_t value);
	void (*byte_is_whole)(struct relevance *r, struct object *object, uint32_t at);
	/* Raise `operand` of `function` to what is looked at of `value`. */
	void (*raise_like)(struct relevance *r, uint32_t function, uint32_t operand, uint32_t value);
	/* Raise the operands of `insn`; or return false: it has to be done as without regions. */
	bool (*step)(struct relevance *r, uint32_t function, const struct image_insn *insn);
};

/* Find the levels in the image as it is so far; `t`, `regions` and `deciding` of `r` are set, all else is 0.  Return false if it is
 * not known where pointers may point. */
bool relevance_find(struct relevance *r);
void relevance_release(struct relevance *r);

/* Return where `operand` of `function` may point.  The next call overwrites the answer. */
const struct pointers *relevance_pointers(struct relevance *r, uint32_t function, uint32_t operand);

/* Return the highest level of `size` bytes where the operand `address` may point; size 0: of all bytes to the end of the object.
 * LEVEL_VALUE if the operand points nowhere. */
uint8_t relevance_of_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size);

/* Return the highest level of what an instruction writes to registers. */
uint8_t relevance_of_result(const struct relevance *r, uint32_t function, const struct image_insn *insn);

/* Return the highest level of `size` bytes where `pointer` points, LEVEL_NOTHING at least. */
uint8_t relevance_of_bytes(const struct relevance *r, const struct pointer *pointer, uint32_t size);

/* Return the same without asking how the numbers are passed. */
bool relevance_prints_numbers(struct relevance *r, uint32_t function, const struct image_insn *insn);

/* Return the fields of `insn` on which depends whether it fails (runtime/interpreter/arith.c): a set, the first operand being bit
 * 1. */
unsigned relevance_deciding_fields(const struct relevance *r, const struct image_insn *insn);

/* Raise, for regions.c, `slots` slots of an operand; `size` bytes where the operand `address`, or a pointer, points. */
void relevance_raise_operand(struct relevance *r, uint32_t function, uint32_t operand, unsigned slots, uint8_t level);
void relevance_raise_memory(struct relevance *r, uint32_t function, uint32_t address, uint32_t size, uint8_t level);
void relevance_raise_bytes(struct relevance *r, const struct pointer *pointer, uint32_t size, uint8_t level);

/* Is the instruction a call that only prints numbers, which need only be initialized? */
bool relevance_only_prints(struct relevance *r, uint32_t function, const struct image_insn *insn);

#endif
