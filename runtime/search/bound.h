/* SPDX-License-Identifier: MIT
 *
 * What a preemption is.
 */
#ifndef BITSPIN_BOUND_H
#define BITSPIN_BOUND_H

#include "search.h"

/* Is it no preemption to leave this thread, which has moved last, for another?  It cannot go on, or is about to yield or to time
 * out. */
bool vm_bound_leaves(int state, unsigned slot);

/* Can the thread take this step, and do the reductions offer it?  Whatever the bound. */
bool vm_bound_offers(int state, int thread, int choice);

/* The table has been renewed: states have other handles. */
void vm_options_forget(void);

/* A step under pan's own search, whose nodes have `last` and `used` beside the state. */
int vm_bound_allows(int state, unsigned char last, unsigned char used, int thread, int choice);
void vm_bound_take(int *state, unsigned char *last, unsigned char *used, int thread, int choice);

/* The options that are allowed to each thread in a state, where there is no bound; how many slots there are. */
unsigned vm_options_at(vm_ref state, unsigned short *options);

#endif
