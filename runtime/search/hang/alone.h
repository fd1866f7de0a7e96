/* SPDX-License-Identifier: MIT
 *
 * All that a thread can do while the others stand still: the states that it comes to alone.
 */
#ifndef BITSPIN_ALONE_H
#define BITSPIN_ALONE_H

#include "../../memory/footprint.h"
#include "../base/search.h"

struct vm_alone {
	unsigned slot;
	vm_ref *states; /* the first is that from which the thread goes */
	struct vm_alone_edge {
		uint32_t from, to; /* indices */
	} * edges;
	uint32_t count, capacity, edge_count, edge_capacity;
	uint32_t expanded; /* the states before this one have all their edges */
	bool left_out;     /* slicing has left out what a step wrote where others can see it: it may be a change, or none */
};

/* Begin to try steps from `state`, which nobody hears of, in transient states.  vm_alone_end: end that, and forget the working
 * state. */
struct vm_trial {
	bool tracing, nested;
};
struct vm_trial vm_alone_begin(vm_ref state);
void vm_alone_end(const struct vm_trial *trial);

/* Add a state that is not there yet.  Return its index. */
uint32_t vm_alone_add(struct vm_alone *alone, vm_ref state);

/* Take one step of the thread from a state: where it leads, and its footprint; 0 if it does not come to rest, or lets no other
 * thread go on before or after it.  `told`: whether it has said or learned something that is no part of the state. */
vm_ref vm_alone_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *step, bool *told);

/* Find all states that the thread comes to alone, by every outcome of every step, as long as each step is allowed (NULL: all are)
 * and they are not too many.  False: it went no further. */
bool vm_alone_explore(struct vm_alone *alone, vm_ref state, unsigned slot, uint32_t most,
		      bool (*allowed)(vm_ref before, vm_ref after, unsigned slot, const struct footprint *step, bool told));

/* Mark the states from which there is no way out, a strongly connected part without an edge that leaves it, and return the marks.
 * Where not all states have their edges, mark the second half of those that have. */
const bool *vm_alone_last_loop(const struct vm_alone *alone);

#endif
