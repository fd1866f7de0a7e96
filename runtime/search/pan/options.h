/* SPDX-License-Identifier: MIT
 *
 * The options of a state that pan is offered.
 */
#ifndef BITSPIN_PAN_OPTIONS_H
#define BITSPIN_PAN_OPTIONS_H

#include "../../state/table.h"
#include "crew.h"

/* Fill in the options of each thread in a state, where there is no bound.  Return how many slots there are. */
unsigned vm_options_at(vm_ref state, unsigned short *options);

/* The first step of pan's path. */
extern struct vm_link vm_first_step;

/* Forget what is known by handles, because the table has been renewed. */
void vm_options_forget(void);

#endif
