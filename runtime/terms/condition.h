/* SPDX-License-Identifier: MIT
 *
 * The canonical form of terms in a state and of the conditions that their symbols meet.
 *
 * The terms of the state, its roots, stand for a set of tuples: of their values for all values of the symbols that meet the
 * conditions.  A state means this set and nothing else.  Each rule of condition.c leaves it as it is, so states are equal only if
 * they mean the same; those that mean the same may differ, which costs states and no verdict.
 *
 * Invariant P: the conditions can hold together.
 */
#ifndef BITSPIN_CONDITION_H
#define BITSPIN_CONDITION_H

#include "node.h"

struct vm_form {
	uint32_t *roots, root_count;
	uint32_t *conditions, count, capacity; /* from vm_grow() */
	uint32_t kept;                         /* symbols with smaller numbers stay as they are */
	uint32_t symbols;                      /* out: how many there are */
	uint32_t *definitions;                 /* NULL, or for each symbol a node that it stands for, which is kept up to date */
};

/* Add a condition. */
void vm_form_add(struct vm_form *form, uint32_t condition);

/* Bring it into its form.  Roots may become constant, or equal. */
void vm_form_settle(struct vm_form *form);

#endif
