/* SPDX-License-Identifier: MIT
 *
 * What the machine has to offer.
 */
#ifndef BITSPIN_MACHINE_H
#define BITSPIN_MACHINE_H

#include <stdint.h>

/* Return the memory that a search may take by default, in bytes: four fifths of what the machine and the container have available
 * now. */
uint64_t image_usual_memory(void);

#endif
