/* SPDX-License-Identifier: MIT
 *
 * Rule C of superstep.c: main's run goes past the creation of threads.
 */
#ifndef BITSPIN_CREATIONS_H
#define BITSPIN_CREATIONS_H

#include "superstep.h"

/* May main's run go past the state `end`, where it can go on and has let another thread go on?  Then only by steps that only
 * create. */
bool vm_creations_pass(vm_ref end);

/* Does the step with this footprint, from the state `before`, do nothing except create threads and keep their handles?  Or
 * detach threads, where that shows to nobody. */
bool vm_only_creates(const struct footprint *step, vm_ref before);

#endif
