/* SPDX-License-Identifier: MIT
 *
 * What bitspin-drive does with schedules beside shortening them.
 */
#ifndef BITSPIN_DRIVE_H
#define BITSPIN_DRIVE_H

#include "../interpreter/interpreter.h"

/* simulate.c: take requests from standard input, a line each, until its end, and return the exit status. */
int drive_simulate(void);

/* value.c: return what lies at an address, written as in C with all members and elements, malloc'ed. */
char *drive_value(uint32_t type, uint64_t address);
/* value.c: return a value of up to 8 bytes that lies nowhere, written as in C, malloc'ed. */
char *drive_scalar(uint32_t type, uint64_t value);

/* Return a type as a C program has to write it, malloc'ed; NULL if the program has no name for it. */
char *drive_type(uint32_t type);

#endif
