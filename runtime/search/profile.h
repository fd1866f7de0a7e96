/* SPDX-License-Identifier: MIT
 *
 * Where states come from: for a sample of them, which variables tell them apart, and where threads are in them.
 */
#ifndef BITSPIN_PROFILE_H
#define BITSPIN_PROFILE_H

#include "search.h"

/* Explore at most so many states, in random order, under the reductions that the image tells, and write records of what they are
 * made of (drive_main.c).  The VM is the current one, which has been opened and has taken no step. */
void vm_profile_write(uint32_t most);

#endif
