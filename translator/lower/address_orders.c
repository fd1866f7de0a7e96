/* SPDX-License-Identifier: MIT
 *
 * Finds places where a program uses more of an address than the object it points to: which of two is greater, their distance, or
 * the bits.  On another machine the program may take another path there.  So an ORDER instruction is put before the place, and the
 * VM decides at run time whether the report names it: addresses in one object have the same order everywhere.  (Addresses of malloc
 * and of stacks the VM recognizes by itself, wherever they come from.  This is for globals: their addresses look like numbers.)
 */
#include "instructions.h"
#include "../read/read.h"

enum { ALIGNED = 16 };   /* the low bits that programs rightly look at, or keep tags in */
enum { MOST_STEPS = 6 }; /* of a value that is followed */

static bool is_number(LLVMValueRef value, uint64_t *n)
{
	if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
		return false;
	*n = LLVMConstIntGetZExtValue(value);
	return true;
}

static bool tells(LLVMValueRef value, unsigned steps);

/* Does `user` make more of a number that was made of an address than a tag, or the address without one? */
static bool tells_by(LLVMValueRef user, unsigned steps)
{
	uint64_t n = 0;
	bool binary = LLVMGetNumOperands(user) == 2;
	bool known = binary && (is_number(LLVMGetOperand(user, 1), &n) || is_number(LLVMGetOperand(user, 0), &n));
	switch (opcode_of(user)) {
	/* clang-format off */
	case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMSRem: case LLVMXor: case LLVMUIToFP: case LLVMSIToFP: return true;
	/* clang-format on */
	case LLVMShl: return !known || n > 64 - IMAGE_OBJECT_BITS - IMAGE_OFFSET_BITS;
	case LLVMLShr:
	case LLVMAShr: return !known || n < IMAGE_OBJECT_BITS + IMAGE_OFFSET_BITS;
	case LLVMURem: return !known || n > ALIGNED || (n & (n - 1));
	case LLVMAnd:
		if (known && n < IMAGE_MAX_SIZE)
			return n >= ALIGNED;
		return tells(user, steps);
	/* clang-format off */
	case LLVMTrunc: case LLVMOr: case LLVMAdd: case LLVMPHI: case LLVMSelect: case LLVMFreeze: return tells(user, steps);
	/* clang-format on */
	default: return false;
	}
}

static bool tells(LLVMValueRef value, unsigned steps)
{
	for (LLVMUseRef use = LLVMGetFirstUse(value); use && steps < MOST_STEPS; use = LLVMGetNextUse(use))
		if (opcode_of(LLVMGetUser(use)) && tells_by(LLVMGetUser(use), steps + 1))
			return true;
	return false;
}

static bool is_address(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ||
		(opcode_of(value) == LLVMPtrToInt && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
		 LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64);
}

void note_address(struct emitter *e, LLVMValueRef insn)
{
	LLVMOpcode opcode = opcode_of(insn);
	LLVMIntPredicate predicate = opcode == LLVMICmp ? LLVMGetICmpPredicate(insn) : LLVMIntEQ;
	bool compared = (predicate != LLVMIntEQ && predicate != LLVMIntNE) || opcode == LLVMSub;
	if (is_library(e->function))
		return;
	if (compared && is_address(LLVMGetOperand(insn, 0)) && is_address(LLVMGetOperand(insn, 1)))
		emit(e, IMAGE_ORDER, 64, 0, IMAGE_NONE, operand_of(e, LLVMGetOperand(insn, 0)),
		     operand_of(e, LLVMGetOperand(insn, 1)), IMAGE_NONE);
	else if (opcode == LLVMPtrToInt && LLVMGetTypeKind(LLVMTypeOf(insn)) == LLVMIntegerTypeKind && tells(insn, 0))
		emit(e, IMAGE_ORDER, 64, 0, IMAGE_NONE, operand_of(e, LLVMGetOperand(insn, 0)), number(e, IMAGE_NOWHERE),
		     IMAGE_NONE);
}
