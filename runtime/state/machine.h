/* SPDX-License-Identifier: MIT
 *
 * What the machine has to offer.
 */
#ifndef BITSPIN_MACHINE_H
#define BITSPIN_MACHINE_H

#include <stdint.h>

/* The memory that a search may take by default, bytes: half of what the machine or our container has, and no more than four
 * fifths of what is free now. */
uint64_t image_usual_memory(void);

#endif
