/* SPDX-License-Identifier: MIT
 *
 * Stored states as the trees that they are (words.c), for who knows what a step does to some of the nodes.
 */
#ifndef BITSPIN_TREES_H
#define BITSPIN_TREES_H

#include "nodes.h"

/* The words of the node of a slot, and of the head. */
enum vm_slot_word { SLOT_THREAD, SLOT_LOCALS, SLOT_HEAP, SLOT_OUTCOMES };
enum vm_head_word { HEAD_GLOBALS, HEAD_RECORDS, HEAD_FLAGS /* in the upper half; the number of slots */, HEAD_WATCH };

/* A state whose words have nothing behind the outcomes: no formulas. */
struct vm_tree {
	uint32_t slots;
	vm_ref head;      /* the node of what belongs to no slot */
	uint32_t nodes[]; /* of each slot; then the levels above, up to the root's words */
};

struct vm_change {
	uint32_t at; /* slot */
	vm_ref ref;  /* its node now */
};

/* Room for one; or the step is inconclusive. */
struct vm_tree *vm_tree_new(void);

/* The tree of a state that is not transient. */
void vm_tree_of(vm_ref state, struct vm_tree *tree);

/* The state that differs from another one in these slots, which are in ascending order, and in its head.  0: there is no room.  The
 * array is used for other things then. */
vm_ref vm_tree_put(const struct vm_tree *tree, struct vm_change *changes, uint32_t count, vm_ref head);

#endif
