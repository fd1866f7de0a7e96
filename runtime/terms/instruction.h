/* SPDX-License-Identifier: MIT
 *
 * What instructions (image/opcode.def) compute, as nodes.
 */
#ifndef BITSPIN_INSTRUCTION_H
#define BITSPIN_INSTRUCTION_H

#include "node.h"

/* an instruction on integers of `bits` bits, whose result has `width` */
struct node_instruction {
	enum image_opcode op;
	unsigned bits, aux, width;
	uint32_t operands[3]; /* nodes; 0: it has fewer */
};

/* Return its result; the second one, whether the first one does not fit; whether the instruction would be a fault.  The caller
 * knows where signed overflow is a fault, except for shifts: aux has IMAGE_NSW if it is. */
uint32_t vm_node_result(const struct node_instruction *i);
uint32_t vm_node_flag(const struct node_instruction *i);
uint32_t vm_node_fault(const struct node_instruction *i);

#endif
