/* SPDX-License-Identifier: MIT
 *
 * Sets of pointers while the analysis of points_to.h goes on.
 */
#ifndef BITSPIN_TRANSLATOR_POINTER_SETS_H
#define BITSPIN_TRANSLATOR_POINTER_SETS_H

#include "points_to.h"

enum { MOST_BYTES = 4096 }; /* larger objects and copies count as of unknown size */

/* Add `pointer` to `set`; set p->changed if it is new there. */
void points_add(struct points *p, struct pointers *set, struct pointer pointer);

/* Is `word` an address?  Then *pointer is the object and where in the object. */
bool points_address(const struct points *p, uint64_t word, struct pointer *pointer);

/* initial_pointers.c: add what the initial value of a global variable points to. */
void points_read_initial(struct points *p, struct translation *t, uint32_t global);

/* Add to the set `to`, and set p->changed if something is new there: that it holds computed numbers; all pointers of `from`;
 * pointers anywhere into the objects of `from`; the pointers of `from` moved by `by` bytes; or by any multiple of `stride`. */
void add_unknown(struct points *p, struct pointers *to);
void add_all(struct points *p, struct pointers *to, const struct pointers *from);
void add_anywhere(struct points *p, struct pointers *to, const struct pointers *from);
void add_moved(struct points *p, struct pointers *to, const struct pointers *from, int64_t by);
void add_strided(struct points *p, struct pointers *to, const struct pointers *from, uint64_t stride);

/* Add an object of `size` bytes, 0 if that is not known, and return its number. */
uint32_t add_object(struct points *p, enum object_kind kind, uint32_t index, uint64_t size);

/* Put the constant that `operand` is into *value, or return false. */
bool constant_of(const struct points *p, uint32_t operand, uint64_t *value);

#endif
