/* SPDX-License-Identifier: MIT
 *
 * How many rounds a loop has.
 */
#ifndef BITSPIN_ROUNDS_H
#define BITSPIN_ROUNDS_H

#include "../../image/image.h"

/* Return what the variable is compared with, if the bound's register has this value. */
uint64_t vm_limit_of(const struct image_bound *bound, uint64_t reg);

/* A variable is `from`, and grows by `step` each round, modulo 2^bits of the bound.  After how many rounds, at least 1, does the
 * comparison with `limit` have another outcome than now?  False: never. */
bool vm_rounds_to_change(const struct image_bound *bound, uint64_t limit, uint64_t from, uint64_t step, uint64_t *rounds);

#endif
