/* SPDX-License-Identifier: MIT
 *
 * What a preemption is.
 */
#ifndef BITSPIN_BOUND_H
#define BITSPIN_BOUND_H

#include "search.h"

/* Can the search leave the thread that has moved last for another without a preemption, because the thread cannot go on, or is
 * about to yield or to time out? */
bool vm_bound_leaves(int state, unsigned slot);

/* Can the thread take this step, and do the reductions offer it, without regard to the bound? */
bool vm_bound_offers(int state, int thread, int choice);

/* Forget what is known by handles, because the table has been renewed. */
void vm_options_forget(void);

/* Is a step allowed in pan's own search, whose nodes have beside the state the thread that moved last and the preemptions used?
 * vm_bound_take: take the step, as vm_step_by() does. */
int vm_bound_allows(int state, unsigned char last, unsigned char used, int thread, int choice);
void vm_bound_take(int *state, unsigned char *last, unsigned char *used, int thread, int choice, vm_single_step *single);

/* Fill in the options of each thread in a state, where there is no bound.  Return how many slots there are. */
unsigned vm_options_at(vm_ref state, unsigned short *options);

#endif
