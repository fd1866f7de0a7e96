/* SPDX-License-Identifier: MIT
 *
 * Critical sections: a thread that locks a mutex and unlocks it again leaves the mutex as it was.  So two such sections of one
 * mutex can be swapped if what is done inside can.  Here it is noted what threads do while they hold mutexes; persistent.c asks
 * which mutexes it may leave out when it compares footprints.
 */
#ifndef BITSPIN_SECTIONS_H
#define BITSPIN_SECTIONS_H

#include "../memory/footprint.h"

/* A thread that holds the one mutex is about to do what may have to wait: to lock the other, or anything else (object 0). */
struct nesting {
	struct vm_range held, wanted;
};

/* of a number of steps */
struct sections {
	struct footprint mutexes; /* that they lock, so that it waits, or unlock */
	struct nesting *nestings;
	unsigned count, capacity;
};

void vm_sections_clear(struct sections *sections);

/* Add a step of the thread, which has this footprint and leads from the one state to the other; 0: it does not come to rest. */
void vm_sections_add(struct sections *sections, unsigned slot, const struct footprint *step, vm_ref before, vm_ref state);

void vm_sections_merge(struct sections *to, const struct sections *from);

/* Does the thread hold one of the mutexes after these steps that it did not hold before? */
bool vm_sections_keep(const struct sections *sections, unsigned slot, vm_ref before, vm_ref after);

/* ---- which mutexes may be left out when steps are compared in a state -------------------------------------------------- */

/* Begin with all that are free in the state, and commute by kind. */
void vm_sections_begin(vm_ref state);

/* Is the mutex one of them still? */
bool vm_sections_left_out(const struct vm_range *mutex);

/* Has that been asked of any, so that it mattered? */
bool vm_sections_matter(void);

/* Take out the mutexes that the thread holds in this state. */
void vm_sections_drop_held(const struct sections *sections, unsigned slot, vm_ref state);

/* Take out those that are accessed by more than locks that wait and unlocks. */
void vm_sections_drop_accessed(const struct footprint *footprint);

/* Take out those in whose sections a thread may have to wait for something that is not left out. */
void vm_sections_drop_nested(const struct sections *sections);

/* Take out those that are locked in a circle by the sections that the last function has been told of.  Has nothing
 * changed, so that what has been compared meanwhile is right? */
bool vm_sections_settled(void);

#endif
