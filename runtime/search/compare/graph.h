/* SPDX-License-Identifier: MIT
 *
 * Happens-before graphs: which action of an execution happens before which.  Executions that differ only in the order of
 * independent actions (equivalent ones, Mazurkiewicz 1977) have equal graphs, others have not.
 *
 * There is one working graph; stored, a graph is a blob of the table, 0 being the empty one.  Equal graphs have equal refs.
 */
#ifndef BITSPIN_GRAPH_H
#define BITSPIN_GRAPH_H

#include "../base/search.h"

void vm_graph_load(vm_ref ref);
vm_ref vm_graph_store(void); /* 0 when the table is full */

/* Do what vm_single() does, and add the step to the working graph. */
vm_ref vm_graph_single(vm_ref state, unsigned slot, uint32_t choice);

#endif
