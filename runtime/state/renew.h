/* SPDX-License-Identifier: MIT
 *
 * A new table with a few of the states of the old one, for searches that need no others (search/pan/compact.h).  All refs change.
 */
#ifndef BITSPIN_RENEW_H
#define BITSPIN_RENEW_H

#include "table.h"

/* Make a new table, with the state before the program starts and the final state of paths that are cut.  No step may be under way.
 * Return false if there is no memory; then the VM cannot go on. */
bool vm_renew_begin(void);

/* Copy a state of the old table, with its note, and return its ref in the new table; 0 if there is no memory. */
vm_ref vm_renew_state(vm_ref old);

/* Drop the old table. */
void vm_renew_end(void);

#endif
