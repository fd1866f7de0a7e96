/* SPDX-License-Identifier: MIT
 *
 * A test for each end of a path: the inputs that lead there (--tests).
 */
#ifndef BITSPIN_TESTS_H
#define BITSPIN_TESTS_H

#include "../base/search.h"

/* Explore at most `states` states breadth first, with the reductions that the image asks for, and replay the path to each of the
 * first `most` ends, with records (drive_main.c).  `scratch`: a file that may be written.  The current VM has been opened and has
 * taken no step. */
void vm_tests_write(uint32_t states, uint32_t most, const char *scratch);

#endif
