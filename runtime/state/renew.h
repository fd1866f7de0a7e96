/* SPDX-License-Identifier: MIT
 *
 * A new table with a few of the states of the old one, for searches that need no others (search/compact.h).  All refs change.
 */
#ifndef BITSPIN_RENEW_H
#define BITSPIN_RENEW_H

#include "table.h"

/* A new table, with what belongs to each VM: the state before the program starts, and that of paths that are cut.  No step is under
 * way.  False: there is no memory, and the VM cannot go on. */
bool vm_renew_begin(void);

/* The ref in the new table of a state of the old one, which has its note there, too; 0: there is no memory. */
vm_ref vm_renew_state(vm_ref old);

/* The old table goes. */
void vm_renew_end(void);

#endif
