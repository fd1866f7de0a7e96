/* SPDX-License-Identifier: MIT
 *
 * Views: what states are matched on when the user says that part of them does not distinguish them (--mask, --abstract).
 * Zaks and Joshi, "Verifying multi-threaded C programs with SPIN" (SPIN 2008), section 4: the search goes on from the
 * concrete state, and only matching sees the abstract one.  So a counterexample is a real execution, and only `verified`
 * depends on the user's claim.
 */
#ifndef BITSPIN_VIEW_H
#define BITSPIN_VIEW_H

#include "search.h"

/* Check the image's masks, once, after vm_open().  End the process with a message and status 2 if one is no variable's. */
void vm_view_open(void);

/* Do two states have equal views?  Forget the working state. */
bool vm_same_view(vm_ref a, vm_ref b);

#endif
