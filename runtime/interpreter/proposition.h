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

/* Return the value of proposition `number` in a stored state; the values of all, a bit each. */
bool vm_proposition_holds(vm_ref state, unsigned number);
uint64_t vm_valuation(vm_ref state);

/* Remember for the statistics the valuation of a stored state that has been offered to the search. */
void vm_valuation_seen(vm_ref state);

/* Return the valuations seen, and in *count how many; *complete says whether all could be remembered. */
const uint64_t *vm_valuations(unsigned *count, bool *complete);

#endif
