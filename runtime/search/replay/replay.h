/* SPDX-License-Identifier: MIT
 *
 * Steps for those who may search or replay (vm_driver.replays).
 */
#ifndef BITSPIN_REPLAY_H
#define BITSPIN_REPLAY_H

#include "../reduce/search_step.h"

/* Do what vm_step() does, in a search of the VM's own.  `found` tells of a violation, which is not reported. */
int vm_step_quietly(int state, int thread, int choice, struct vm_found *found);

#endif
