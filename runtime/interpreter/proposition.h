/* SPDX-License-Identifier: MIT
 *
 * Properties in every state: invariants, which must hold, and the propositions of formulas; the state has their values.
 */
#ifndef BITSPIN_PROPOSITION_H
#define BITSPIN_PROPOSITION_H

#include "interpreter.h"

/* Count the image's propositions; once, after it is loaded. */
void vm_properties_init(void);

/* Evaluate the properties in the working state: an invariant that does not hold is a violation, values of propositions and
 * what was read go to vm_this.  `ended`: the program has ended.  May leave through vm_this.escape. */
void vm_properties_evaluate(bool ended);

/* States are shown here, so they are the program's, whatever the image says of slicing and peeking; set before a VM is opened. */
extern bool vm_never_slices;

/* Value of proposition `number` in a stored state; and of all, a bit each. */
bool vm_proposition_holds(vm_ref state, unsigned number);
uint64_t vm_valuation(vm_ref state);

/* A stored state has been offered to the search: remember its valuation for the statistics. */
void vm_valuation_seen(vm_ref state);

/* The valuations seen, `count` of them; *complete: there were no more than could be remembered. */
const uint64_t *vm_valuations(unsigned *count, bool *complete);

#endif
