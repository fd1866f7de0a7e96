/* SPDX-License-Identifier: MIT
 *
 * The state space as a graph, for pictures of small programs: the states that a search goes to, and the steps between them, each
 * with what happens in it.
 */
#ifndef BITSPIN_SPACE_H
#define BITSPIN_SPACE_H

#include "../base/search.h"

/* Explore at most `most` states breadth first, with the reductions that the image asks for, and write records of them
 * (drive_main.c).  The current VM has been opened and has taken no step. */
void vm_space_write(uint32_t most);

#endif
