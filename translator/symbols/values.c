/* SPDX-License-Identifier: MIT
 *
 * The types of LLVM's values, and the register slots that a value of each takes.
 */
#include "values.h"

#include <assert.h>
#include <stdlib.h>

unsigned slots_of_bits(unsigned bits)
{
	assert(bits <= 128); /* wider values are made of words */
	return bits > 64 ? 2 : 1;
}

void visit_successors(struct builder *b, const struct image_insn *insn, uint32_t at, void (*visit)(uint32_t target, void *data),
		      void *data)
{
	switch ((enum image_opcode)insn->op) {
	case IMAGE_RET:
	case IMAGE_UNREACHABLE:
	case IMAGE_REFUSE: break;
	case IMAGE_BR: visit(insn->a, data); break;
	case IMAGE_BRCOND:
		visit(insn->b, data);
		visit(insn->c, data);
		break;
	case IMAGE_SWITCH:
		visit(insn->dst, data);
		for (uint32_t i = 0; i < insn->c; i++)
			visit(*(uint32_t *)builder_at(b, IMAGE_POOL, insn->b + 3 * i + 2), data);
		break;
	default: visit(at + 1, data); break;
	}
}

unsigned slots_defined(struct builder *b, const struct image_insn *insn)
{
	switch (image_opcodes[insn->op].roles[0]) {
	case 'd': return slots_of_bits(insn->bits);
	case 'D': return slots_of_bits(insn->aux);
	case 'f': return slots_of_bits(insn->bits) + 1;
	case '1': return 1;
	case 'm':
		if (insn->dst == IMAGE_NONE)
			return 0;
		return insn->op == IMAGE_CALL ? ((struct image_function *)builder_at(b, IMAGE_FUNCTIONS, insn->a))->results :
						insn->aux;
	default: return 0;
	}
}

uint64_t low_ones(unsigned bits)
{
	assert(bits >= 1 && bits <= 64);
	return UINT64_MAX >> (64 - bits);
}

LLVMOpcode opcode_of(LLVMValueRef value)
{
	return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) :
		LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) :
					    0;
}

LLVMValueRef gep_index(LLVMTargetDataRef layout, LLVMValueRef gep, unsigned i, LLVMTypeRef *type, uint64_t *bytes)
{
	LLVMValueRef index = LLVMGetOperand(gep, i);
	if (i == 1) {
		*type = LLVMGetGEPSourceElementType(gep);
	} else if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
		assert(LLVMIsAConstantInt(index));
		unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
		*bytes = LLVMOffsetOfElement(layout, *type, member);
		*type = LLVMStructGetTypeAtIndex(*type, member);
		return NULL;
	} else {
		*type = LLVMGetElementType(*type);
	}
	*bytes = LLVMABISizeOfType(layout, *type);
	return index;
}

LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMGetIncomingBlock(phi, i) == from)
			return LLVMGetIncomingValue(phi, i);
	return NULL;
}

bool is_float_type(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind || kind == LLVMFP128TypeKind;
}

unsigned bits_of_type(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 128 ? LLVMGetIntTypeWidth(type) : 0;
	case LLVMPointerTypeKind: return 64;
	case LLVMFloatTypeKind: return 32;
	case LLVMDoubleTypeKind: return 64;
	case LLVMX86_FP80TypeKind: return 80;
	case LLVMFP128TypeKind: return 128;
	default: return 0;
	}
}

bool is_wide(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 128;
}

static void add_leaf(struct leaves *out, unsigned bits, uint64_t offset)
{
	assert(bits >= 1 && bits <= 128);
	out->items = xrealloc(out->items, (out->count + 1) * sizeof *out->items);
	out->items[out->count++] = (struct leaf){ .bits = bits, .slot = out->slots, .offset = offset };
	out->slots += slots_of_bits(bits);
}

static void add_leaves(struct translation *t, LLVMTypeRef type, uint64_t offset, struct leaves *out, LLVMValueRef where)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	if (kind == LLVMVoidTypeKind)
		return;
	if (kind == LLVMStructTypeKind) {
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			add_leaves(t, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(t->layout, type, i), out,
				   where);
		return;
	}
	if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
		LLVMTypeRef element = LLVMGetElementType(type);
		unsigned count = kind == LLVMArrayTypeKind ? LLVMGetArrayLength(type) : LLVMGetVectorSize(type);
		uint64_t size = LLVMABISizeOfType(t->layout, element);
		for (unsigned i = 0; i < count; i++)
			add_leaves(t, element, offset + i * size, out, where);
		return;
	}
	if (is_wide(type)) { /* by words */
		for (unsigned width = LLVMGetIntTypeWidth(type), at = 0; at < width; at += 64)
			add_leaf(out, width - at < 64 ? width - at : 64, offset + at / 8);
		return;
	}
	unsigned bits = bits_of_type(type);
	if (bits == 0) {
		char *name = LLVMPrintTypeToString(type);
		unsupported(t, where, "values of type '%s' are not supported", name);
		LLVMDisposeMessage(name);
		return;
	}
	add_leaf(out, bits, offset);
}

struct leaves flatten(struct translation *t, LLVMTypeRef type, LLVMValueRef where)
{
	struct leaves leaves = { 0 };
	add_leaves(t, type, 0, &leaves, where);
	return leaves;
}

const char *name_of_called(LLVMValueRef call)
{
	LLVMValueRef function = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	size_t length;
	return function && LLVMIsAFunction(function) ? LLVMGetValueName2(function, &length) : "";
}
