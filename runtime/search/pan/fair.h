/* SPDX-License-Identifier: MIT
 *
 * pan's own weak fairness, option -f: what it needs to be right about threads.
 */
#ifndef BITSPIN_FAIR_H
#define BITSPIN_FAIR_H

#include <stdbool.h>

/* May thread 0 take a step that changes nothing, because the state that pan is in offers nothing? */
bool vm_fair_may_idle(void);

/* Is the step that `thread` takes in `state`, which pan is in, one that changes nothing? */
bool vm_fair_idles(int state, int thread);

/* Is the step to this depth of pan's path one that changes nothing? */
bool vm_fair_has_idled(unsigned depth);

#endif
