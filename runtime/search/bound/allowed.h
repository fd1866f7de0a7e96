/* SPDX-License-Identifier: MIT
 *
 * Which steps a bound on preemptions allows.
 */
#ifndef BITSPIN_ALLOWED_H
#define BITSPIN_ALLOWED_H

#include "../base/search.h"
#include "../reduce/search_step.h"

/* Can the thread take this step, and do the reductions offer it, without regard to the bound? */
bool vm_bound_offers(int state, int thread, int choice);

/* Is a step allowed in a search whose nodes have beside the state the thread that moved last and the preemptions used?
 * vm_bound_take: take the step, as vm_step_by() does. */
int vm_bound_allows(int state, unsigned char last, unsigned char used, int thread, int choice);
void vm_bound_take(int *state, unsigned char *last, unsigned char *used, int thread, int choice, vm_single_step *single);

/* Is a step allowed in a search whose nodes are states?  Under a bound on preemptions, the VM does its search when this is asked
 * first.  What is allowed then leads to the violations that were found: `place`, 0 at first, is where the search is on the way to
 * them.  Without a bound it stays 0.  vm_offered_options: return the options that are allowed to a thread which has so many
 * outcomes, a bit each.  vm_follow: take the step. */
bool vm_allowed(int state, int place, int thread, int choice);
unsigned short vm_offered_options(int state, int place, int thread, uint32_t outcomes);
void vm_follow(int *state, int *place, int thread, int choice);

#endif
