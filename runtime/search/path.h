/* SPDX-License-Identifier: MIT
 *
 * The states on the path of pan's depth-first search, reconstructed from the guards that pan evaluates.
 */
#ifndef BITSPIN_PATH_H
#define BITSPIN_PATH_H

#include "../state/table.h"

#include <stdbool.h>

/* Note that pan looks at a guard in this state. */
void vm_path_at(vm_ref state);

/* Note that another search than pan's is going on. */
void vm_path_leave(void);

/* Steps of threads, each by an option of the model, that one step of pan stands for (successors.c); the first is pan's own. */
enum { LONGEST_CHAIN = 16 };
struct chain {
	unsigned count; /* 0: pan's step stands for itself */
	struct vm_link {
		uint8_t slot, option;
	} links[LONGEST_CHAIN + 1];
};

/* The step that pan is taking stands for these; it has led to this state. */
void vm_path_goes_on(const struct chain *chain);
void vm_path_step(vm_ref state);

/* The chain of the step with this number, the first being 1, which may be the one that pan is taking. */
const struct vm_link *vm_path_chain(uint32_t number, uint32_t *count);

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
