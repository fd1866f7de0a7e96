/* SPDX-License-Identifier: MIT
 *
 * The states on the path of pan's depth-first search, reconstructed from the guards that pan evaluates.
 */
#ifndef BITSPIN_PATH_H
#define BITSPIN_PATH_H

#include "../../state/table.h"

#include <stdbool.h>

/* Note that pan looks at a guard in this state.  Most guards are of the state that the path ends with, which is vm_path_last (0:
 * there is none).  vm_path_come_to: the same where the state is another one. */
extern vm_ref vm_path_last;
void vm_path_come_to(vm_ref state);
static inline void vm_path_at(vm_ref state)
{
	if (state != vm_path_last)
		vm_path_come_to(state);
}

/* Tell, from now on, of each state that the path comes to, and of each that it leaves for good, the last one first. */
void vm_path_tell(void (*entered)(vm_ref state), void (*left)(vm_ref state));

/* Note that another search than pan's is going on. */
void vm_path_leave(void);

/* Note to which state the step has led that pan is taking. */
void vm_path_step(vm_ref state);

/* Is this a depth-first search, whose path is known?  vm_path_has: is a state on that path? */
bool vm_path_is_known(void);
bool vm_path_has(vm_ref state);

/* Return how many states the path has; state number `number` of the path, the first being 0. */
uint32_t vm_path_depth(void);
vm_ref vm_path_state(uint32_t number);

/* Give each state of the path the ref that `renew` returns, because the table is renewed, and forget where pan's last step has
 * led.  Return false if `renew` returns 0. */
bool vm_path_renew(vm_ref (*renew)(vm_ref old));

#endif
