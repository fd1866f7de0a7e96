/* SPDX-License-Identifier: MIT
 *
 * States as text, for those who work on the checker.  See docs/debugging.md.
 */
#ifndef BITSPIN_DUMP_H
#define BITSPIN_DUMP_H

#include "../base/search.h"

/* Print a line for each thread, frame, live register and variable that is not zero. */
void vm_print_state(FILE *out, vm_ref state);

/* Print the lines that only the first state has, after "-", and those that only the second has, after "+". */
void vm_print_difference(FILE *out, vm_ref first, vm_ref second);

/* Do the same for handles, as pan has them, on standard error: for a debugger, between steps. */
void vm_show_state(int state);
void vm_show_difference(int first, int second);

/* Write to the trace of a replay the state before the first step; what a step has changed that has led from one state to
 * another. */
void vm_trace_begin(int state);
void vm_trace_step(int thread, int choice, int before, int after);

#endif
