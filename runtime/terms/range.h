/* SPDX-License-Identifier: MIT
 *
 * Bounds of terms, where some conditions hold.
 */
#ifndef BITSPIN_RANGE_H
#define BITSPIN_RANGE_H

#include "node.h"

/* All values of a node are in both: as an unsigned number, and as a signed one.  If there is none, low > high somewhere. */
struct node_range {
	uint64_t low, high;
	int64_t least, most;
};

/* what conditions say of the nodes that they compare with constants */
struct node_bounds {
	uint32_t nodes[64];
	struct node_range ranges[64];
	uint32_t count;
};

/* Return what conditions say, each a node of 1 bit.  Some may be left out. */
void vm_bounds_of(struct node_bounds *bounds, const uint32_t *conditions, uint32_t count);

struct node_range vm_range_of(uint32_t node, const struct node_bounds *bounds);

#endif
