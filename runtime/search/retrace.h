/* SPDX-License-Identifier: MIT
 *
 * A replay of a search that has sorted threads (symmetry.h): the program's own path, along that of the sorted states.
 */
#ifndef BITSPIN_RETRACE_H
#define BITSPIN_RETRACE_H

#include "search.h"

/* Take steps of a thread in a sorted state, and those that they are in the program's own path, which is told.  `*state`: the sorted
 * state, before and after; 0 if the steps do not come to rest.  `*slot`: the thread, there and in the program's own path.
 * The state that the path has come to; 0 if it did not come to rest. */
vm_ref vm_retrace(vm_ref *state, unsigned *slot, uint32_t choice, unsigned length);

/* Where the path is: the state that it has come to; 0 as above. */
vm_ref vm_retraced(void);

/* A number for where it is, when pan is in the sorted state: the same where the threads are, each by itself, in the same state as
 * before, but for what slicing leaves out, and main has as many steps put off. */
unsigned vm_retraced_number(vm_ref sorted);

#endif
