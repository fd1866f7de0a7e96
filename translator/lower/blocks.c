/* SPDX-License-Identifier: MIT
 *
 * A function of LLVM to instructions of the image: blocks, edges, phis; each kind of instruction has a file.
 *
 * Blocks are laid out in reverse postorder, so that a jump backwards is a back-edge; each block that a back-edge of the
 * depth-first search leads to begins with LOOP, so every cycle contains one.  Phis become parallel copies on the edges.
 */
#include "instructions.h"
#include "lower.h"
#include "results.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- block order --------------------------------------------------------------------------------------------------- */

struct order {
	LLVMBasicBlockRef *blocks; /* postorder */
	size_t count;
	struct map *state; /* 1: on the search's stack, 2: done */
	struct map **loops;
};

static void visit(struct order *order, LLVMBasicBlockRef root)
{
	struct {
		LLVMBasicBlockRef block;
		unsigned next;
	} *stack = NULL;
	size_t depth = 0;
	LLVMBasicBlockRef enter = root;
	while (enter || depth) {
		if (enter) {
			stack = xrealloc(stack, (depth + 1) * sizeof *stack);
			stack[depth].block = enter;
			stack[depth++].next = 0;
			map_put(&order->state, enter, 1);
			enter = NULL;
		}
		LLVMValueRef end = LLVMGetBasicBlockTerminator(stack[depth - 1].block);
		unsigned n = LLVMGetNumSuccessors(end);
		if (stack[depth - 1].next == n) {
			map_put(&order->state, stack[--depth].block, 2);
			order->blocks = xrealloc(order->blocks, (order->count + 1) * sizeof *order->blocks);
			order->blocks[order->count++] = stack[depth].block;
			continue;
		}
		/* Last successor first, so that in reverse postorder the first one comes right after the block. */
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, n - 1 - stack[depth - 1].next++);
		uint32_t state = 0;
		if (!map_get(order->state, to, &state))
			enter = to;
		else if (state == 1)
			map_put(order->loops, to, 1);
	}
	free(stack);
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

struct copies {
	uint32_t *to;
	struct operands from;
};

static bool is_source(const struct copies *copies, uint32_t reg)
{
	for (unsigned i = 0; i < copies->from.count; i++)
		if (copies->from.items[i] == reg && copies->to[i] != IMAGE_NONE)
			return true;
	return false;
}

/* Emit the copies as if all happened at once: copies to a target that no other copy still reads go first; when only cycles are
 * left, one target is saved (Briggs et al., Practical Improvements to SSA Construction, 1998, section 3). */
static void emit_copies(struct emitter *e, struct copies *copies)
{
	unsigned left = 0;
	for (unsigned i = 0; i < copies->from.count; i++) {
		if (copies->to[i] == copies->from.items[i])
			copies->to[i] = IMAGE_NONE;
		left += copies->to[i] != IMAGE_NONE;
	}
	while (left) {
		bool moved = false;
		for (unsigned i = 0; i < copies->from.count; i++) {
			if (copies->to[i] == IMAGE_NONE)
				continue;
			uint32_t to = copies->to[i], from = copies->from.items[i];
			copies->to[i] = IMAGE_NONE;
			if (is_source(copies, to)) {
				copies->to[i] = to;
				continue;
			}
			emit(e, IMAGE_MOV, 64, 0, to, from, IMAGE_NONE, IMAGE_NONE);
			moved = true;
			left--;
		}
		if (moved)
			continue;
		unsigned i = 0;
		while (copies->to[i] == IMAGE_NONE)
			i++;
		assert(i < copies->from.count);
		uint32_t saved = new_register(e, 1), victim = copies->to[i];
		emit(e, IMAGE_MOV, 64, 0, saved, victim, IMAGE_NONE, IMAGE_NONE);
		for (unsigned k = 0; k < copies->from.count; k++)
			if (copies->from.items[k] == victim)
				copies->from.items[k] = saved;
	}
}

static void copy_phis(struct emitter *e, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	struct copies copies = { 0 };
	for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
		unsigned before = copies.from.count;
		assert(incoming(phi, from)); /* the verifier has seen to it */
		operands_value(e, &copies.from, incoming(phi, from));
		copies.to = xrealloc(copies.to, (copies.from.count + 1) * sizeof *copies.to);
		uint32_t first = result_of(e, phi);
		for (unsigned i = before; i < copies.from.count; i++)
			copies.to[i] = first + (i - before);
	}
	if (copies.from.count)
		emit_copies(e, &copies);
	free(copies.to);
	free(copies.from.items);
}

static bool has_phis(LLVMBasicBlockRef block)
{
	LLVMValueRef first = LLVMGetFirstInstruction(block);
	return first && LLVMIsAPHINode(first);
}

static uint32_t label_of(struct emitter *e, LLVMBasicBlockRef block)
{
	uint32_t label;
	if (!map_get(e->blocks, block, &label)) {
		label = new_label(e);
		map_put(&e->blocks, block, label);
	}
	return label;
}

/* from a block with several successors: phis need a place of their own for their copies */
struct edge {
	LLVMBasicBlockRef to;
	uint32_t label;
};

static uint32_t edge_label(struct emitter *e, LLVMBasicBlockRef to, struct edge *edges, unsigned *count)
{
	if (!has_phis(to))
		return label_of(e, to);
	for (unsigned i = 0; i < *count; i++)
		if (edges[i].to == to)
			return edges[i].label;
	edges[*count] = (struct edge){ .to = to, .label = new_label(e) };
	return edges[(*count)++].label;
}

static void place_edges(struct emitter *e, LLVMBasicBlockRef from, const struct edge *edges, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		place_label(e, edges[i].label);
		copy_phis(e, from, edges[i].to);
		emit(e, IMAGE_BR, 0, 0, IMAGE_NONE, label_of(e, edges[i].to), IMAGE_NONE, IMAGE_NONE);
	}
}

/* ---- terminators --------------------------------------------------------------------------------------------------- */

static void lower_switch(struct emitter *e, LLVMValueRef insn, LLVMBasicBlockRef block)
{
	unsigned n = LLVMGetNumSuccessors(insn), nedges = 0;
	struct edge *edges = xrealloc(NULL, n * sizeof *edges);
	LLVMValueRef value = LLVMGetOperand(insn, 0);
	unsigned bits = bits_of_type(LLVMTypeOf(value));
	uint32_t fallback = edge_label(e, LLVMGetSwitchDefaultDest(insn), edges, &nedges);
	uint32_t *table = xrealloc(NULL, 3 * n * sizeof *table), at = operand_of(e, value);
	unsigned cases = 0;
	for (unsigned i = 1; i < n; i++) {
		LLVMValueRef constant = LLVMGetOperand(insn, 2 * i);
		uint32_t target = edge_label(e, LLVMGetSuccessor(insn, i), edges, &nedges);
		if (bits > 64) {
			uint32_t equal = new_register(e, 1), next = new_label(e);
			emit(e, IMAGE_ICMP, bits, ICMP_EQ, equal, at, operand_of(e, constant), IMAGE_NONE);
			emit(e, IMAGE_BRCOND, 1, 0, IMAGE_NONE, equal, target, next);
			place_label(e, next);
			continue;
		}
		assert(LLVMIsAConstantInt(constant) && cases < n - 1);
		uint64_t c = LLVMConstIntGetZExtValue(constant);
		table[3 * cases] = (uint32_t)c;
		table[3 * cases + 1] = (uint32_t)(c >> 32);
		table[3 * cases++ + 2] = target;
	}
	if (bits > 64)
		emit(e, IMAGE_BR, 0, 0, IMAGE_NONE, fallback, IMAGE_NONE, IMAGE_NONE);
	else /* the table has labels yet, so it must not be shared with another */
		emit(e, IMAGE_SWITCH, bits, 0, fallback, at, cases ? builder_add(&e->t->builder, IMAGE_POOL, table, 3 * cases) : 0,
		     cases);
	assert(nedges <= n);
	place_edges(e, block, edges, nedges);
	free(table);
	free(edges);
}

static void lower_branch(struct emitter *e, LLVMValueRef insn, LLVMBasicBlockRef block)
{
	if (!LLVMIsConditional(insn)) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(insn, 0);
		copy_phis(e, block, to);
		emit(e, IMAGE_BR, 0, 0, IMAGE_NONE, label_of(e, to), IMAGE_NONE, IMAGE_NONE);
		return;
	}
	struct edge edges[2];
	unsigned nedges = 0;
	uint32_t condition = operand_of(e, LLVMGetCondition(insn));
	uint32_t yes = edge_label(e, LLVMGetSuccessor(insn, 0), edges, &nedges);
	uint32_t no = edge_label(e, LLVMGetSuccessor(insn, 1), edges, &nedges);
	emit(e, IMAGE_BRCOND, 1, 0, IMAGE_NONE, condition, yes, no);
	assert(nedges <= 2);
	place_edges(e, block, edges, nedges);
}

/* Emit GNU C's goto *p as a switch: the address is one of the numbers of block_number(). */
static void lower_indirect_branch(struct emitter *e, LLVMValueRef insn, LLVMBasicBlockRef block)
{
	unsigned n = LLVMGetNumSuccessors(insn), nedges = 0;
	struct edge *edges = xrealloc(NULL, (n + 1) * sizeof *edges);
	uint32_t *table = xrealloc(NULL, (3 * n + 1) * sizeof *table), nowhere = new_label(e);
	uint32_t at = operand_of(e, LLVMGetOperand(insn, 0));
	for (unsigned i = 0; i < n; i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(insn, i);
		uint64_t number = block_number(e->t, e->function, to);
		table[3 * i] = (uint32_t)number;
		table[3 * i + 1] = (uint32_t)(number >> 32);
		table[3 * i + 2] = edge_label(e, to, edges, &nedges);
	}
	emit(e, IMAGE_SWITCH, 64, 0, nowhere, at, n ? builder_add(&e->t->builder, IMAGE_POOL, table, 3 * n) : 0, n);
	place_label(e, nowhere);
	emit(e, IMAGE_UNREACHABLE, 0, 0, IMAGE_NONE, IMAGE_NONE, IMAGE_NONE, IMAGE_NONE);
	place_edges(e, block, edges, nedges);
	free(table);
	free(edges);
}

static void lower_return(struct emitter *e, LLVMValueRef insn)
{
	struct operands list = { 0 };
	if (LLVMGetNumOperands(insn) && result_is_unused(e->t, e->function)) {
		operands_value(e, &list, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(insn, 0))));
	} else if (LLVMGetNumOperands(insn)) {
		lower_returned(e, LLVMGetOperand(insn, 0));
		operands_value(e, &list, LLVMGetOperand(insn, 0));
	}
	assert(list.count == e->results || e->t->result->nmessages);
	emit(e, IMAGE_RET, 0, 0, IMAGE_NONE, builder_pool(&e->t->builder, list.items, list.count), list.count, IMAGE_NONE);
	free(list.items);
}

static bool lower_terminator(struct emitter *e, LLVMValueRef insn, LLVMBasicBlockRef block)
{
	switch (LLVMGetInstructionOpcode(insn)) {
	case LLVMRet: lower_return(e, insn); return true;
	case LLVMBr: lower_branch(e, insn, block); return true;
	case LLVMSwitch: lower_switch(e, insn, block); return true;
	case LLVMIndirectBr: lower_indirect_branch(e, insn, block); return true;
	case LLVMUnreachable: emit(e, IMAGE_UNREACHABLE, 0, 0, IMAGE_NONE, IMAGE_NONE, IMAGE_NONE, IMAGE_NONE); return true;
	default: return false;
	}
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

/* What is not supported is refused where it stands, so that programs are checked in which no path comes there.  Such a path ends
 * inconclusive; nothing is said of what comes behind. */

/* If the messages behind the first `messages` say that `where` is not supported, emit a refusal in place of the code from `first`
 * on, which stands for it in part. */
static void refuse_unsupported(struct emitter *e, LLVMValueRef where, size_t first, size_t messages)
{
	char *text = take_back(e->t, messages);
	assert(first <= e->count);
	if (!text)
		return;
	e->count = first;
	note_refusal(e, text, where);
	emit(e, IMAGE_REFUSE, 0, 0, IMAGE_NONE, builder_string(&e->t->builder, text, strlen(text)), IMAGE_NONE, IMAGE_NONE);
	free(text);
}

static void lower_supported(struct emitter *e, LLVMValueRef insn, LLVMBasicBlockRef block)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(insn);
	if (opcode == LLVMPHI || lower_terminator(e, insn, block) || lower_wide(e, insn) || lower_arithmetic(e, insn) ||
	    lower_memory(e, insn))
		return;
	if (opcode == LLVMCall) {
		lower_call(e, insn);
		return;
	}
	char *text = LLVMPrintValueToString(insn);
	unsupported(e->t, insn, "unsupported instruction '%s'", text + strspn(text, " "));
	LLVMDisposeMessage(text);
}

static void lower_instruction(struct emitter *e, LLVMValueRef insn, LLVMBasicBlockRef block)
{
	size_t first = e->count, messages = e->t->result->nmessages;
	uint32_t location = location_of(e->t, insn);
	if (location)
		e->location = location;
	lower_supported(e, insn, block);
	refuse_unsupported(e, insn, first, messages);
}

static void lower_block(struct emitter *e, LLVMBasicBlockRef block)
{
	size_t first = e->count;
	place_label(e, label_of(e, block));
	if (map_get(e->loops, block, NULL))
		emit(e, IMAGE_LOOP, 0, 0, IMAGE_NONE, IMAGE_NONE, IMAGE_NONE, IMAGE_NONE);
	for (LLVMValueRef insn = LLVMGetFirstInstruction(block); insn; insn = LLVMGetNextInstruction(insn))
		lower_instruction(e, insn, block);
	for (size_t i = 0; i < e->ncounts; i++)
		if (e->counts[i].block == block) {
			e->counts[i].first = first;
			e->counts[i].last = e->count;
		}
}

static void bind_parameters(struct emitter *e, struct image_function *f)
{
	for (unsigned i = 0; i < LLVMCountParams(e->function); i++)
		result_of(e, LLVMGetParam(e->function, i));
	e->area = IMAGE_NONE;
	if (f->flags & FUNCTION_VARIADIC)
		e->area = new_register(e, IMAGE_AREA_OPERANDS);
	assert(e->registers == f->parameters); /* parameters are registers 0, 1, ... */
}

void lower_function(struct translation *t, LLVMValueRef function, struct image_function *f)
{
	struct emitter e = {
		.t = t, .function = function, .location = f->location, .results = f->results, .compute = lower_constant
	};
	struct order order = { .loops = &e.loops };
	size_t messages = t->result->nmessages;
	bind_parameters(&e, f);
	refuse_unsupported(&e, function, 0, messages);
	visit(&order, LLVMGetEntryBasicBlock(function));
	for (size_t i = 0; i < order.count; i++)
		if (map_get(e.loops, order.blocks[i], NULL))
			find_spins(&e, order.blocks[i]);
	lower_entered(&e);
	f->waits = add_waits(&e);
	for (size_t i = order.count; i-- > 0;)
		lower_block(&e, order.blocks[i]);
	free(order.blocks);
	map_free(&order.state);
	finish_function(&e, f);
}
