/* SPDX-License-Identifier: MIT
 *
 * Questions to the solver: can conditions hold together?  Most are answered before it is asked: by the ranges of terms, by values
 * that have answered another question, and by what has been asked before.
 */
#ifndef BITSPIN_SOLVE_H
#define BITSPIN_SOLVE_H

#include "node.h"

/* Nodes of 1 bit, which can hold together: there are values of the symbols for which all do. */
struct vm_conditions {
	const uint32_t *nodes;
	uint32_t count;
};

/* Unknown: the solver has given up.  That is never taken for a no. */
enum vm_answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

/* Each question gets as much as the first one, whatever has been given up: a replay must find what the search has found. */
void vm_solve_patiently(bool patient);

/* From now on, all questions may take so many conflicts together; UINT64_MAX: there is no such limit. */
void vm_solve_within(uint64_t conflicts);

/* Is nothing of that left? */
bool vm_solve_is_spent(void);

/* Can one more condition hold with them? */
enum vm_answer vm_solve(struct vm_conditions conditions, uint32_t one);

/* Put values of the symbols for which the conditions hold into `values`, by number; those that they do not have are left as they
 * are.  Which values these are depends on nothing but the structure of the conditions, in their order. */
enum vm_answer vm_solve_some(struct vm_conditions conditions, uint64_t *values);

/* Put the values that a node can have into `values`, in rising order, and their number, at most `most`, into *count.
 * YES: these are all; NO: there are more. */
enum vm_answer vm_solve_values(struct vm_conditions conditions, uint32_t node, uint32_t most, uint64_t *values, uint32_t *count);

#endif
