/* SPDX-License-Identifier: MIT
 *
 * Symmetric threads whose objects are named in memory (sort_threads.c has the argument): what is named where, in which order
 * threads come then, and how a state is renamed when they are exchanged.
 */
#ifndef BITSPIN_NAMED_THREADS_H
#define BITSPIN_NAMED_THREADS_H

#include "../../state/symmetry.h"

/* Return whether memory names objects of threads other than main, in the state that has these words. */
bool vm_memory_names(const uint32_t *state);

/* Give each slot below state[1] a color: slots that can be exchanged have equal ones, as far as that is seen.  `classes` has a
 * number for each slot: where these differ, colors do.  Return false if a word may be a name or may not. */
bool vm_color_slots(const uint32_t *state, const uint64_t *classes, uint64_t *colors);

/* Rename in `state`, whose threads have been exchanged, what they, and memory, name: an object of slot s of the state `old` is
 * one of slot to[s] now. */
void vm_rename_slots(uint32_t *state, const uint32_t *old, const uint8_t to[SYMMETRIC_SLOTS]);

/* The same in what is recorded of happens-before, and in older values, whether they name objects or not. */
void vm_rename_records(uint32_t *state, const uint32_t *old, const uint8_t to[SYMMETRIC_SLOTS]);

/* Give each of SYMMETRIC_SLOTS slots a number by what its thread knows in a state (memory/records.h), which names no objects of
 * threads: slots that can be exchanged have equal ones. */
void vm_know_slots(const uint32_t *state, uint64_t *known);

/* Forget what is known of refs. */
void vm_names_forget(void);

#endif
