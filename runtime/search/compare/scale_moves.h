/* SPDX-License-Identifier: MIT
 *
 * What SCALE's search knows of a program state: its moves.  A move is an action of Florian's thesis on SCALE (2010): one
 * operation of a thread and what it does up to its next one.  Starts and ends of threads are no actions: they belong to the
 * action that brings them about.
 */
#ifndef BITSPIN_SCALE_MOVES_H
#define BITSPIN_SCALE_MOVES_H

#include "../base/search.h"

struct scale_subject { /* a thread that an action is about */
	uint8_t slot;
	bool write, created;
};

struct scale_move {
	vm_ref next; /* the state after the move; 0: the program or the path is over */
	uint8_t slot, choice;
	uint8_t subjects;
	bool everything; /* the move depends on every action */
	bool violates;   /* the move ends in a violation, of kind `kind` at `location` */
	uint32_t kind, location;
	struct scale_subject subject[2];
	uint32_t count;
	const struct vm_range *ranges; /* bytes accessed; synchronization only writes */
};

struct scale_moves {
	uint32_t count;
	struct scale_move *items; /* by slot and choice */
};

/* Return the moves of a state at rest, which stay where they are. */
const struct scale_moves *vm_scale_moves(vm_ref state);

/* Return the state in which the first action is taken; 0 if the program does not come so far. */
vm_ref vm_scale_root(void);

/* Take a step of pan's: an action, with the start before it and the ends of threads after it. */
int vm_scale_step(int state, int thread, int choice);

#endif
