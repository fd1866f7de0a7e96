/* SPDX-License-Identifier: MIT
 *
 * A replay of a search that has sorted threads (symmetry.h): the program's own path, along that of the sorted states.
 */
#ifndef BITSPIN_RETRACE_H
#define BITSPIN_RETRACE_H

#include "../base/search.h"

/* Take `length` steps of thread *slot in the sorted state *state, and the same steps in the program's own path, which is told.  Set
 * *state to the sorted state after them, 0 if they do not come to rest, and *slot to the thread in the program's own path.  Return
 * the state to which that path has come; 0 if it did not come to rest. */
vm_ref vm_retrace(vm_ref *state, unsigned *slot, uint32_t choice, unsigned length);

/* Return the state to which the program's own path has come; 0 if it did not come to rest. */
vm_ref vm_retraced(void);

/* Return a number for where the program's own path is when pan is in the sorted state `sorted`.  Two numbers are equal where each
 * thread is in the same state, except for what slicing leaves out, and as many steps of main are put off. */
unsigned vm_retraced_number(vm_ref sorted);

#endif
