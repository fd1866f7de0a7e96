/* SPDX-License-Identifier: MIT
 *
 * Super-steps: from a state, every enabled thread runs alone for as long as that loses nothing; the ends of the runs are
 * the successors of the state.  Zaks and Joshi, "Verifying multi-threaded C programs with SPIN" (SPIN 2008), section 5;
 * Florian's thesis on SCALE (2010), algorithm 6.
 */
#ifndef BITSPIN_SUPERSTEP_H
#define BITSPIN_SUPERSTEP_H

#include "vm.h"

/* Steps that make up the super-step of thread `slot` with outcome `choice` of its first step, in `state`; and, unless the
 * last of them ends in a violation or the like, the state after them, else 0. */
unsigned vm_superstep(vm_ref state, unsigned slot, uint32_t choice, vm_ref *end);

#endif
