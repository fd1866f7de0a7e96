/* SPDX-License-Identifier: MIT
 *
 * Critical sections: a thread that locks a mutex and unlocks it again leaves the mutex as it was.  So two such sections of one
 * mutex can be swapped if what is done inside can.  Here it is noted what threads do while they hold mutexes; persistent.c asks
 * which mutexes it may leave out when it compares footprints.
 */
#ifndef BITSPIN_SECTIONS_H
#define BITSPIN_SECTIONS_H

#include "../../memory/footprint.h"

/* A thread that holds the one mutex is about to do what may have to wait: to lock the other, or anything else (object 0). */
struct nesting {
	struct vm_range held, wanted;
};

/* What a number of steps does with mutexes. */
struct sections {
	struct footprint mutexes; /* mutexes that the steps unlock, or lock by a lock that waits */
	struct nesting *nestings;
	unsigned count, capacity;
};

void vm_sections_clear(struct sections *sections);

/* Add a step of the thread in `slot`, with the footprint `step`, which leads from `before` to `state` (0: it does not come to
 * rest). */
void vm_sections_add(struct sections *sections, unsigned slot, const struct footprint *step, vm_ref before, vm_ref state);

void vm_sections_merge(struct sections *to, const struct sections *from);

/* Does the thread in `slot` hold a mutex after these steps that it did not hold before them? */
bool vm_sections_keep(const struct sections *sections, unsigned slot, vm_ref before, vm_ref after);

/* ---- which mutexes may be left out when steps are compared in a state -------------------------------------------------- */

/* Begin with all mutexes that are free in the state, and commute by their kind. */
void vm_sections_begin(vm_ref state);

/* Is a mutex still among those left out? */
bool vm_sections_left_out(const struct vm_range *mutex);

/* Has vm_sections_left_out() returned true for any mutex, so that leaving mutexes out mattered? */
bool vm_sections_matter(void);

/* Leave out no longer the mutexes that the thread in `slot` holds in this state. */
void vm_sections_drop_held(const struct sections *sections, unsigned slot, vm_ref state);

/* Leave out no longer mutexes that a step with this footprint accesses by more than locks that wait and unlocks. */
void vm_sections_drop_accessed(const struct footprint *footprint);

/* Begin to find out whether what has been compared so far is right, where the mutexes are left out that vm_sections_left_out()
 * accepts. */
void vm_sections_settle(void);

/* Leave out no longer mutexes in whose sections a thread may have to wait for something that is not left out. */
void vm_sections_drop_nested(const struct sections *sections);

/* Leave out no longer mutexes that the sections given to vm_sections_drop_nested() lock in a circle.  Return whether nothing has
 * changed since vm_sections_settle(), so that what was compared before is right. */
bool vm_sections_settled(void);

#endif
