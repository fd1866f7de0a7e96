/* SPDX-License-Identifier: MIT
 *
 * Values that nobody reads any more: two states that differ only in such are taken for one.
 */
#ifndef BITSPIN_UNREAD_H
#define BITSPIN_UNREAD_H

#include "superstep.h"

/* Is the reduction on, and worth its time so far? */
bool vm_unread_is_on(void);

/* Note what the runs of a state read and where those lead that are offered (`kept`), before they are forgotten. */
void vm_unread_note(const struct expansion *expansion);

/* Return a state that the search is done with, and which differs from `state` only in bytes that nobody reads; `state` if there is
 * none. */
vm_ref vm_unread_known(vm_ref state);

/* Let the end of the program count as a read of everything.  Tests compare the last states. */
void vm_unread_shows_ends(void);

/* Look no further: the search comes to states from now on of which not all is known that follows. */
void vm_unread_end(void);

/* Forget all states, because the table has been renewed. */
void vm_unread_forget(void);

#endif
