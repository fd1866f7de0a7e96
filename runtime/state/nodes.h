/* SPDX-License-Identifier: MIT
 *
 * A table of nodes, each of four words: equal nodes have equal refs.  Trees of such nodes make states small, as two states that
 * differ in one thread share all but the path from it to the root (Laarman, van de Pol and Weber, "Parallel recursive state
 * compression for free", SPIN 2011, who have pairs).  A node takes 16 bytes, and some 9 in the index.
 *
 * The memory is shared between processes that fork after vm_nodes_open(), and insertion takes no locks.  Where the index grows
 * while several processes insert the same node, it may be there twice: then equal states have two refs, and are searched twice.
 */
#ifndef BITSPIN_NODES_H
#define BITSPIN_NODES_H

#include "table.h"

enum { NODE_WORDS = 4 };

struct vm_node {
	_Alignas(16) uint32_t words[NODE_WORDS];
};

/* Set up an empty table that may grow to so many bytes.  Return false when memory is refused. */
bool vm_nodes_open(uint64_t bytes);
void vm_nodes_close(void);

/* Insert a node that is not all zeros, and return its ref; 0 if there is no room.  Refs have 31 bits, and those of new nodes
 * grow. */
vm_ref vm_node_put(const struct vm_node *node);
const struct vm_node *vm_node_get(vm_ref ref);

/* See vm_table_renew().  vm_nodes_old: return the nodes of the old table, by their refs. */
bool vm_nodes_renew(void);
const struct vm_node *vm_nodes_old(void);
void vm_nodes_drop_old(void);

/* See vm_table_snapshot(). */
bool vm_nodes_snapshot(struct snapshot *snapshot);

/* Return all nodes, by their refs. */
const struct vm_node *vm_nodes(void);

/* Return a number above all refs: how many nodes there are, or a few more. */
uint32_t vm_nodes_count(void);

/* Return the memory that the nodes and their index take, in bytes. */
uint64_t vm_nodes_bytes(void);

#endif
