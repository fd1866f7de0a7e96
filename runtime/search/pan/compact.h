/* SPDX-License-Identifier: MIT
 *
 * Searches whose pan stores hashes of states (bitstate, hash-compact): the VM keeps the states on pan's path, and not many
 * others.
 *
 * pan matches keys of states (state/key.h) in place of refs.  It asks only for states on its path, and for the one that its
 * last step has led to; these are found by their keys.  When the table has grown, those on the path are copied to a new one
 * (state/renew.h), and all that is known by refs is forgotten.  That is after so many steps that it costs next to nothing.
 *
 * bitspin_vm.h has what a model calls.
 */
#ifndef BITSPIN_COMPACT_H
#define BITSPIN_COMPACT_H

#include "../base/search.h"

/* Does pan store hashes of states, and the VM only states on pan's path?  Not so under bounds, views and other identities than that
 * of states, nor with formulas: these need what the VM notes of states that are on no path. */
bool vm_compact(void);

/* Return how often the table has been renewed. */
uint64_t vm_compact_renewed(void);

#endif
