/* SPDX-License-Identifier: MIT
 *
 * Whether reductions are worth their time: searches with them and without take turns (spin-glue/program/plan.c).
 */
#ifndef BITSPIN_WORTH_H
#define BITSPIN_WORTH_H

/* Note that the search with reductions looks at one more state.  End the search, where the image asks for it, if reductions seem to
 * cost more time than they save. */
void vm_worth_count(void);

/* End the search if it has had as many moves as the image allows. */
void vm_worth_end_turn(void);

#endif
