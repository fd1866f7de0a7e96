/* SPDX-License-Identifier: MIT
 *
 * SCALE's search, as Florian's thesis (2010) has it in algorithms 2 to 6, to compare ours with it.
 */
#ifndef BITSPIN_SCALE_H
#define BITSPIN_SCALE_H

#include "scale_moves.h"

/* Does one of the paths to violations that the search has found go on from `place` (0: the beginning) with this action?
 * vm_scale_follow: return the place after the action. */
bool vm_scale_offers(int place, int thread, int choice);
int vm_scale_follow(int place, int thread, int choice);

#endif
