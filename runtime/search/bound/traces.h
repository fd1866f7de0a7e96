/* SPDX-License-Identifier: MIT
 *
 * How many Mazurkiewicz traces a program has: executions up to the order of steps that are independent.
 */
#ifndef BITSPIN_TRACES_H
#define BITSPIN_TRACES_H

/* Count them, and write a record (drive_main.c).  `most`: pairs of a state and a sleep set.  The current VM has been opened, for an
 * image without reductions, and has taken no step. */
void vm_traces_write(unsigned long most);

#endif
