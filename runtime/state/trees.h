/* SPDX-License-Identifier: MIT
 *
 * Stored states as the trees that they are (words.c), for code that knows what a step does to some of the nodes.
 */
#ifndef BITSPIN_TREES_H
#define BITSPIN_TREES_H

#include "nodes.h"

/* Which word of the node of a slot, or of the head, holds what. */
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
	vm_ref ref;  /* the new node of the slot */
};

/* Return room for a tree.  The step is inconclusive if there is none. */
struct vm_tree *vm_tree_new(void);

/* Fill in the tree of a state that is not transient. */
void vm_tree_of(vm_ref state, struct vm_tree *tree);

/* Store the state that differs from that of `tree` in `changes`, which are in ascending order of slots, and in its head, and return
 * its ref; 0 if there is no room.  The array of changes is overwritten. */
vm_ref vm_tree_put(const struct vm_tree *tree, struct vm_change *changes, uint32_t count, vm_ref head);

#endif
