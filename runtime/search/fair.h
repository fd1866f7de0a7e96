/* SPDX-License-Identifier: MIT
 *
 * pan's own weak fairness, option -f: what it needs to be right about threads.
 */
#ifndef BITSPIN_FAIR_H
#define BITSPIN_FAIR_H

#include <stdbool.h>

/* pan asks what a state offers: leave out the reductions that its fairness cannot go with. */
void vm_fair_heed(void);

/* Nothing is offered in the state that pan is in: may thread 0 take a step that changes nothing? */
bool vm_fair_may_idle(void);

/* A thread takes a step in the state that pan is in, which offers one or not; true if it is a step that changes nothing. */
bool vm_fair_idles(bool offered);

/* Is the step to this depth of pan's path one that changes nothing? */
bool vm_fair_has_idled(unsigned depth);

#endif
