/* SPDX-License-Identifier: MIT
 *
 * Where states come from: for a sample of them, which variables tell them apart, and where threads are in them.
 */
#ifndef BITSPIN_PROFILE_H
#define BITSPIN_PROFILE_H

#include "../base/search.h"

/* Explore at most `most` states in random order, with the reductions that the image asks for, and write records of what they are
 * made of (drive_main.c), in so many seconds (0: no limit).  The current VM has been opened and has taken no step. */
void vm_profile_write(uint32_t most, double seconds);

#endif
