/* SPDX-License-Identifier: MIT
 *
 * The happens-before graph of the path that SCALE's search is on, and the graphs that it has visited (section 5.3.4 of
 * Florian's thesis on SCALE, 2010).
 */
#ifndef BITSPIN_SCALE_GRAPH_H
#define BITSPIN_SCALE_GRAPH_H

#include "scale_moves.h"

struct scale_action { /* a move on a path, where threads have numbers in the order of their creation */
	const struct scale_move *move;
	uint32_t thread;
	uint32_t subject[2]; /* numbers of the move's subjects */
	uint32_t replaced;   /* number that the slot of a created thread had before */
};

struct scale_hash { /* of a graph */
	uint64_t low, high;
};

/* Return a move as an action at the end of the path. */
struct scale_action vm_scale_action(const struct scale_move *move);

/* Return the hash of the graph of the path; of the path with one action more. */
struct scale_hash vm_scale_graph(void);
struct scale_hash vm_scale_graph_with(const struct scale_action *action);

/* Append an action to the path; take off the last action of the path. */
void vm_scale_graph_take(struct scale_action *action);
void vm_scale_graph_undo(const struct scale_action *action);

/* Do two actions of different threads depend on each other?  vm_scale_writes: does an action write anything? */
bool vm_scale_dependent(const struct scale_action *a, const struct scale_action *b);
bool vm_scale_writes(const struct scale_action *action);

/* Note that a graph has been visited; has it been?  Return how many have been. */
void vm_scale_visited(struct scale_hash graph);
bool vm_scale_was_visited(struct scale_hash graph);
uint64_t vm_scale_graphs(void);

#endif
