/* SPDX-License-Identifier: MIT
 *
 * Instructions that compute.  Each works on the leaves of its operands: a scalar has one, a vector one for each lane.
 */
#include "instructions.h"
#include "../read/read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static bool same_opcode(LLVMOpcode opcode, enum image_opcode *op)
{
	static const struct {
		LLVMOpcode llvm;
		enum image_opcode image;
	} table[] = {
		/* clang-format off */
		{ LLVMAdd, IMAGE_ADD }, { LLVMSub, IMAGE_SUB }, { LLVMMul, IMAGE_MUL }, { LLVMUDiv, IMAGE_UDIV },
		{ LLVMSDiv, IMAGE_SDIV }, { LLVMURem, IMAGE_UREM }, { LLVMSRem, IMAGE_SREM }, { LLVMAnd, IMAGE_AND },
		{ LLVMOr, IMAGE_OR }, { LLVMXor, IMAGE_XOR }, { LLVMShl, IMAGE_SHL }, { LLVMLShr, IMAGE_LSHR },
		{ LLVMAShr, IMAGE_ASHR }, { LLVMFAdd, IMAGE_FADD }, { LLVMFSub, IMAGE_FSUB }, { LLVMFMul, IMAGE_FMUL },
		{ LLVMFDiv, IMAGE_FDIV }, { LLVMFRem, IMAGE_FREM }, { LLVMFNeg, IMAGE_FNEG }, { LLVMTrunc, IMAGE_TRUNC },
		{ LLVMZExt, IMAGE_ZEXT }, { LLVMSExt, IMAGE_SEXT }, { LLVMFPToUI, IMAGE_FPTOUI }, { LLVMFPToSI, IMAGE_FPTOSI },
		{ LLVMUIToFP, IMAGE_UITOFP }, { LLVMSIToFP, IMAGE_SITOFP }, { LLVMFPTrunc, IMAGE_FPCAST }, { LLVMFPExt, IMAGE_FPCAST },
		{ LLVMICmp, IMAGE_ICMP }, { LLVMFCmp, IMAGE_FCMP }, { LLVMFreeze, IMAGE_FREEZE }, { LLVMAddrSpaceCast, IMAGE_MOV },
		/* clang-format on */
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].llvm == opcode) {
			*op = table[i].image;
			return true;
		}
	return false;
}

/* Return the flags nsw and nuw of `insn`, from its text: LLVM-C has them only from version 17 on. */
static unsigned overflow_flags(LLVMValueRef insn)
{
	char *text = LLVMPrintValueToString(insn);
	char *end = strstr(text, LLVMIsConstant(insn) ? "(" : ", !dbg"); /* those of its operands are others */
	if (end)
		*end = '\0';
	unsigned flags = (strstr(text, " nsw ") ? IMAGE_NSW : 0u) | (strstr(text, " nuw ") ? IMAGE_NUW : 0u);
	LLVMDisposeMessage(text);
	return flags;
}

static unsigned icmp_predicate(LLVMIntPredicate predicate)
{
	switch (predicate) {
	case LLVMIntEQ: return ICMP_EQ;
	case LLVMIntNE: return ICMP_NE;
	case LLVMIntUGT: return ICMP_UGT;
	case LLVMIntUGE: return ICMP_UGE;
	case LLVMIntULT: return ICMP_ULT;
	case LLVMIntULE: return ICMP_ULE;
	case LLVMIntSGT: return ICMP_SGT;
	case LLVMIntSGE: return ICMP_SGE;
	case LLVMIntSLT: return ICMP_SLT;
	case LLVMIntSLE: return ICMP_SLE;
	}
	return ICMP_EQ;
}

static unsigned aux_of(struct emitter *e, LLVMValueRef insn, enum image_opcode op, unsigned result_bits)
{
	switch (op) {
	case IMAGE_ICMP: return icmp_predicate(LLVMGetICmpPredicate(insn));
	case IMAGE_FCMP: return (unsigned)LLVMGetFCmpPredicate(insn);
	/* clang-format off */
	case IMAGE_TRUNC: case IMAGE_BOOL: case IMAGE_ZEXT: case IMAGE_SEXT: case IMAGE_FPTOUI: case IMAGE_FPTOSI: case IMAGE_UITOFP:
	case IMAGE_SITOFP: case IMAGE_FPCAST: return result_bits;
	case IMAGE_ADD: case IMAGE_SUB: case IMAGE_MUL: case IMAGE_SHL:
		/* clang-format on */
		return e->t->request->options.overflow ? overflow_flags(insn) : 0;
	default: return 0;
	}
}

/* Does `insn` truncate a byte that was loaded from memory to one bit?  If no optimiser has run, that is how clang reads a _Bool,
 * and clang does it for nothing else.  An atomic _Bool is left out: `b |= 2` leaves 3 in it where clang makes that one
 * operation. */
static bool reads_bool(struct emitter *e, LLVMValueRef insn)
{
	LLVMValueRef from = LLVMGetOperand(insn, 0);
	return !e->t->optimised && LLVMIsALoadInst(from) && LLVMGetOrdering(from) == LLVMAtomicOrderingNotAtomic &&
		!is_library(e->function) && bits_of_type(LLVMTypeOf(from)) == 8 && bits_of_type(LLVMTypeOf(insn)) == 1;
}

/* Emit `op` for each leaf of the operands of `insn`. */
static void lower_lanes(struct emitter *e, LLVMValueRef insn, enum image_opcode op)
{
	int operands = LLVMGetNumOperands(insn);
	struct leaves from = flatten(e->t, LLVMTypeOf(LLVMGetOperand(insn, 0)), insn), to = flatten(e->t, LLVMTypeOf(insn), insn);
	struct operands a = { 0 }, b = { 0 };
	operands_value(e, &a, LLVMGetOperand(insn, 0));
	if (operands > 1)
		operands_value(e, &b, LLVMGetOperand(insn, 1));
	assert((from.count == to.count && (operands < 2 || b.count == a.count)) || e->t->result->nmessages);
	uint32_t first = result_of(e, insn), checks = op == IMAGE_FPTOUI || op == IMAGE_FPTOSI ? 1 : NONE;
	for (unsigned i = 0; i < to.count && i < from.count; i++) {
		unsigned slot = from.items[i].slot;
		emit(e, op, from.items[i].bits, aux_of(e, insn, op, to.items[i].bits), first + to.items[i].slot, a.items[slot],
		     operands > 1 ? b.items[slot] : checks, NONE);
	}
	free(a.items);
	free(b.items);
	free(from.items);
	free(to.items);
}

static void move(struct emitter *e, uint32_t to, uint32_t from, unsigned slots)
{
	for (unsigned i = 0; i < slots; i++)
		emit(e, IMAGE_MOV, 64, 0, to + i, from + i, NONE, NONE);
}

static void lower_select(struct emitter *e, LLVMValueRef insn)
{
	struct leaves leaves = flatten(e->t, LLVMTypeOf(insn), insn);
	LLVMValueRef condition = LLVMGetOperand(insn, 0);
	bool lanes = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind;
	struct operands yes = { 0 }, no = { 0 };
	operands_value(e, &yes, LLVMGetOperand(insn, 1));
	operands_value(e, &no, LLVMGetOperand(insn, 2));
	uint32_t first = result_of(e, insn);
	for (unsigned i = 0; i < leaves.count; i++) {
		unsigned slot = leaves.items[i].slot;
		emit(e, IMAGE_SELECT, leaves.items[i].bits, 0, first + slot, operand_at(e, condition, lanes ? i : 0),
		     yes.items[slot], no.items[slot]);
	}
	free(yes.items);
	free(no.items);
	free(leaves.items);
}

/* Return how many slots come before the part of the aggregate *type that the indices of `insn` lead to, and put the type of the
 * part into *type. */
static unsigned slot_of_indices(struct emitter *e, LLVMValueRef insn, LLVMTypeRef *type)
{
	const unsigned *indices = LLVMGetIndices(insn);
	unsigned slot = 0;
	for (unsigned i = 0; i < LLVMGetNumIndices(insn); i++) {
		bool is_struct = LLVMGetTypeKind(*type) == LLVMStructTypeKind;
		for (unsigned k = 0; k < indices[i]; k++) {
			struct leaves before = flatten(e->t,
						       is_struct ? LLVMStructGetTypeAtIndex(*type, k) : LLVMGetElementType(*type),
						       insn);
			slot += before.slots;
			free(before.items);
		}
		*type = is_struct ? LLVMStructGetTypeAtIndex(*type, indices[i]) : LLVMGetElementType(*type);
	}
	return slot;
}

static unsigned slots_of_type(struct emitter *e, LLVMTypeRef type, LLVMValueRef where)
{
	struct leaves leaves = flatten(e->t, type, where);
	free(leaves.items);
	return leaves.slots;
}

static void move_list(struct emitter *e, uint32_t to, const uint32_t *from, unsigned slots)
{
	for (unsigned i = 0; i < slots; i++)
		move(e, to + i, from[i], 1);
}

static void lower_extractvalue(struct emitter *e, LLVMValueRef insn)
{
	LLVMValueRef aggregate = LLVMGetOperand(insn, 0);
	LLVMTypeRef type = LLVMTypeOf(aggregate);
	unsigned slot = slot_of_indices(e, insn, &type);
	struct operands list = { 0 };
	operands_value(e, &list, aggregate);
	assert(slot + slots_of_type(e, type, insn) <= list.count);
	move_list(e, result_of(e, insn), list.items + slot, slots_of_type(e, type, insn));
	free(list.items);
}

static void lower_insertvalue(struct emitter *e, LLVMValueRef insn)
{
	LLVMTypeRef type = LLVMTypeOf(insn);
	unsigned slot = slot_of_indices(e, insn, &type);
	struct operands whole = { 0 }, part = { 0 };
	operands_value(e, &whole, LLVMGetOperand(insn, 0));
	operands_value(e, &part, LLVMGetOperand(insn, 1));
	assert(slot + part.count <= whole.count);
	memcpy(whole.items + slot, part.items, part.count * sizeof *part.items);
	move_list(e, result_of(e, insn), whole.items, whole.count);
	free(whole.items);
	free(part.items);
}

/* ---- vectors ------------------------------------------------------------------------------------------------------- */

static unsigned lane_bits(LLVMTypeRef vector)
{
	return bits_of_type(LLVMGetElementType(vector));
}

static uint32_t lane_is(struct emitter *e, LLVMValueRef index, unsigned lane)
{
	uint32_t equal = new_register(e, 1);
	emit(e, IMAGE_ICMP, 64, ICMP_EQ, equal, zero_extended(e, index), number(e, lane), NONE);
	return equal;
}

static void lower_extractelement(struct emitter *e, LLVMValueRef insn)
{
	LLVMValueRef vector = LLVMGetOperand(insn, 0), index = LLVMGetOperand(insn, 1);
	LLVMTypeRef type = LLVMTypeOf(vector);
	unsigned bits = lane_bits(type), slots = slots_of_bits(bits), lanes = LLVMGetVectorSize(type);
	struct operands list = { 0 };
	operands_value(e, &list, vector);
	assert(list.count == lanes * slots);
	uint32_t result = result_of(e, insn);
	if (LLVMIsAConstantInt(index)) {
		uint64_t lane = LLVMConstIntGetZExtValue(index);
		move_list(e, result, list.items + (lane < lanes ? lane : 0) * slots, slots);
	} else {
		move_list(e, result, list.items, slots);
		for (unsigned lane = 1; lane < lanes; lane++)
			emit(e, IMAGE_SELECT, bits, 0, result, lane_is(e, index, lane), list.items[lane * slots], result);
	}
	free(list.items);
}

static void lower_insertelement(struct emitter *e, LLVMValueRef insn)
{
	LLVMValueRef value = LLVMGetOperand(insn, 1), index = LLVMGetOperand(insn, 2);
	unsigned bits = lane_bits(LLVMTypeOf(insn)), slots = slots_of_bits(bits), lanes = LLVMGetVectorSize(LLVMTypeOf(insn));
	struct operands list = { 0 };
	operands_value(e, &list, LLVMGetOperand(insn, 0));
	uint32_t result = result_of(e, insn), part = operand_of(e, value);
	assert(list.count == lanes * slots);
	for (unsigned lane = 0; lane < lanes; lane++) {
		uint32_t to = result + lane * slots, old = list.items[lane * slots];
		if (LLVMIsAConstantInt(index))
			move(e, to, LLVMConstIntGetZExtValue(index) == lane ? part : old, slots);
		else
			emit(e, IMAGE_SELECT, bits, 0, to, lane_is(e, index, lane), part, old);
	}
	free(list.items);
}

static void lower_shuffle(struct emitter *e, LLVMValueRef insn)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(insn, 0));
	unsigned slots = slots_of_bits(lane_bits(type));
	struct operands list = { 0 };
	operands_value(e, &list, LLVMGetOperand(insn, 0));
	operands_value(e, &list, LLVMGetOperand(insn, 1));
	uint32_t result = result_of(e, insn);
	for (unsigned i = 0; i < LLVMGetNumMaskElements(insn); i++) {
		int lane = LLVMGetMaskValue(insn, i);
		assert(lane == LLVMGetUndefMaskElem() || ((unsigned)lane + 1) * slots <= list.count);
		if (lane == LLVMGetUndefMaskElem())
			emit_undefined(e, result + i * slots, lane_bits(type), NONE);
		else
			move_list(e, result + i * slots, list.items + (unsigned)lane * slots, slots);
	}
	free(list.items);
}

/* ---- casts --------------------------------------------------------------------------------------------------------- */

/* Emit a bitcast by a store and loads, as LLVM defines it: the leaves of operand and result may begin at different bits. */
static void cast_through_memory(struct emitter *e, LLVMValueRef insn, const struct leaves *from, const struct leaves *to)
{
	uint64_t size = LLVMABISizeOfType(e->t->layout, LLVMTypeOf(insn));
	uint32_t scratch = static_object(e, size, 16, NONE, false);
	struct operands list = { 0 };
	operands_value(e, &list, LLVMGetOperand(insn, 0));
	for (unsigned i = 0; i < from->count; i++)
		emit(e, IMAGE_STORE, from->items[i].bits, 0, NONE, add_offset(e, scratch, from->items[i].offset),
		     list.items[from->items[i].slot], NONE);
	uint32_t result = result_of(e, insn);
	for (unsigned i = 0; i < to->count; i++)
		emit(e, IMAGE_LOAD, to->items[i].bits, 0, result + to->items[i].slot, add_offset(e, scratch, to->items[i].offset),
		     NONE, NONE);
	free(list.items);
}

/* Emit a bitcast of lanes that are no whole bytes, such as those of a comparison: they lie side by side, the first one lowest. */
static void cast_bits(struct emitter *e, LLVMValueRef insn, const struct leaves *from, const struct leaves *to)
{
	unsigned width = from->items[0].bits, part = to->items[0].bits;
	assert(width * from->count == part * to->count);
	if (width * from->count > 64) {
		unsupported(e->t, insn, "unsupported cast of a vector of %u elements of %u bits", from->count, width);
		return;
	}
	struct operands list = { 0 };
	operands_value(e, &list, LLVMGetOperand(insn, 0));
	uint32_t all = list.items[0], result = result_of(e, insn);
	for (unsigned i = 1; i < from->count; i++) {
		uint32_t moved = new_register(e, 1), sum = new_register(e, 1);
		emit(e, IMAGE_SHL, 64, 0, moved, list.items[i], number(e, (uint64_t)i * width), NONE);
		emit(e, IMAGE_OR, 64, 0, sum, all, moved, NONE);
		all = sum;
	}
	for (unsigned i = 0; i < to->count; i++) {
		uint32_t moved = new_register(e, 1);
		emit(e, IMAGE_LSHR, 64, 0, moved, all, number(e, (uint64_t)i * part), NONE);
		emit(e, IMAGE_AND, 64, 0, result + to->items[i].slot, moved, number(e, low_ones(part)), NONE);
	}
	free(list.items);
}

static void lower_bitcast(struct emitter *e, LLVMValueRef insn)
{
	struct leaves from = flatten(e->t, LLVMTypeOf(LLVMGetOperand(insn, 0)), insn), to = flatten(e->t, LLVMTypeOf(insn), insn);
	bool same = from.count == to.count;
	for (unsigned i = 0; same && i < from.count; i++)
		same = from.items[i].bits == to.items[i].bits;
	if (same)
		lower_lanes(e, insn, IMAGE_MOV);
	else if (!from.count || !to.count) /* flatten() has complained */
		;
	else if (from.items[0].bits % 8 || to.items[0].bits % 8)
		cast_bits(e, insn, &from, &to);
	else
		cast_through_memory(e, insn, &from, &to);
	free(from.items);
	free(to.items);
}

/* Emit ptrtoint or inttoptr: a pointer is its address, so only the width changes. */
static void lower_pointer_cast(struct emitter *e, LLVMValueRef insn)
{
	struct leaves from = flatten(e->t, LLVMTypeOf(LLVMGetOperand(insn, 0)), insn), to = flatten(e->t, LLVMTypeOf(insn), insn);
	enum image_opcode op = IMAGE_MOV;
	if (from.count && to.count && from.items[0].bits != to.items[0].bits)
		op = from.items[0].bits > to.items[0].bits ? IMAGE_TRUNC : IMAGE_ZEXT;
	free(from.items);
	free(to.items);
	lower_lanes(e, insn, op);
}

static bool lower_operation(struct emitter *e, LLVMValueRef insn, LLVMOpcode opcode)
{
	enum image_opcode op;
	if (same_opcode(opcode, &op)) {
		lower_lanes(e, insn, op == IMAGE_TRUNC && reads_bool(e, insn) ? IMAGE_BOOL : op);
		return true;
	}
	switch (opcode) {
	case LLVMSelect: lower_select(e, insn); return true;
	case LLVMExtractValue: lower_extractvalue(e, insn); return true;
	case LLVMInsertValue: lower_insertvalue(e, insn); return true;
	case LLVMExtractElement: lower_extractelement(e, insn); return true;
	case LLVMInsertElement: lower_insertelement(e, insn); return true;
	case LLVMShuffleVector: lower_shuffle(e, insn); return true;
	case LLVMBitCast: lower_bitcast(e, insn); return true;
	case LLVMPtrToInt:
	case LLVMIntToPtr: lower_pointer_cast(e, insn); return true;
	default: return false;
	}
}

bool lower_arithmetic(struct emitter *e, LLVMValueRef insn)
{
	note_address(e, insn);
	return lower_operation(e, insn, LLVMGetInstructionOpcode(insn));
}

/* ---- constants ----------------------------------------------------------------------------------------------------- */

/* Emit the expression `gep`, whose indices may depend on the thread; those of a struct are constants. */
static bool lower_place(struct emitter *e, LLVMValueRef gep)
{
	LLVMTypeRef type;
	uint64_t bytes;
	uint32_t address = operand_of(e, LLVMGetOperand(gep, 0));
	if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind)
		return false;
	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = gep_index(e->t->layout, gep, i, &type, &bytes);
		if (!index) {
			address = add_offset(e, address, bytes);
			continue;
		}
		uint32_t sum = new_register(e, 1);
		emit(e, IMAGE_INDEX, 64, 0, sum, address, sign_extended(e, index), number(e, bytes));
		address = sum;
	}
	move(e, result_of(e, gep), address, 1);
	return true;
}

/* Compute the expression in registers of this use alone: there is no place in the function that comes before all uses. */
uint32_t lower_constant(struct emitter *e, LLVMValueRef expression)
{
	unsigned slots = slots_of_type(e, LLVMTypeOf(expression), e->function);
	uint32_t result = new_register(e, slots);
	LLVMOpcode opcode = LLVMGetConstOpcode(expression);
	map_put(&e->values, expression, result);
	note_address(e, expression);
	if (opcode == LLVMGetElementPtr ? lower_place(e, expression) : lower_operation(e, expression, opcode))
		return result;
	char *text = LLVMPrintValueToString(expression);
	unsupported(e->t, e->function, "unsupported constant '%s'", text);
	LLVMDisposeMessage(text);
	return result;
}
