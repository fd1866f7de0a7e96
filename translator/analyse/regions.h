/* SPDX-License-Identifier: MIT
 *
 * Values of which no more matters than in which region of numbers they lie (regions.c).
 */
#ifndef BITSPIN_TRANSLATOR_REGIONS_H
#define BITSPIN_TRANSLATOR_REGIONS_H

#include "relevance.h"

/* What is looked at of a value that has LEVEL_VALUE: in which region its low `bits` bits lie, taken as an unsigned number.  A cut
 * at c divides c - 1 from c. */
struct cuts {
	uint64_t *items; /* rising; each is above 0 and fits the bits */
	uint32_t count;
	uint8_t bits;
	bool whole; /* the value itself is looked at */
};

/* Cuts of what lies in an object, for each byte at which a number begins; a number is loaded and stored in one piece. */
struct spans {
	uint8_t *size; /* of the number that the byte is a part of; 0: it is a part of none */
	uint8_t *back; /* bytes from the beginning of that number */
	struct cuts *cuts;
};

extern const struct region_rules region_rules;

#endif
