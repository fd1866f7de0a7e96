/* SPDX-License-Identifier: MIT
 *
 * What the function of a property may read, in any state: ranges of global variables if its code shows them, else any memory that
 * threads share.  The VM makes writes to that visible (runtime/interpreter/proposition.c).
 *
 * Too much is harmless, too little is not.  So an address counts as known only where it is a global variable, moved by
 * constants (then these bytes are meant) or by anything else (then the whole variable: an access beyond it is a violation).
 * A pointer that was loaded, passed or returned may point anywhere.  Local variables of the function are its own.
 */
#include "request.h"
#include "../symbols/symbols.h"
#include "../symbols/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* each once */
struct values {
	LLVMValueRef *items;
	size_t count;
};

struct reads {
	struct translation *t;
	struct values functions, phis; /* those that have been looked at, or will be */
	uint32_t *words;               /* for each range three: the global variable, the first byte, the byte after the last one */
	size_t count;                  /* of words */
	bool anything;
};

/* in memory: what an access reads */
struct place {
	uint64_t offset, size; /* bytes, from the address that is looked at */
	bool exact;            /* else these are not known */
};

static bool add_value(struct values *values, LLVMValueRef value)
{
	for (size_t i = 0; i < values->count; i++)
		if (values->items[i] == value)
			return false;
	values->items = xrealloc(values->items, (values->count + 1) * sizeof *values->items);
	values->items[values->count++] = value;
	return true;
}

static void read_global(struct reads *r, LLVMValueRef global, struct place place)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(global);
	uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(r->t->layout, type) : 0;
	bool missing = LLVMGetLinkage(global) == LLVMExternalWeakLinkage; /* its address is null */
	bool within = place.exact && place.offset <= size && place.size <= size - place.offset;
	if (LLVMIsGlobalConstant(global) || missing || size == 0)
		return;
	if (LLVMIsThreadLocal(global) || size > UINT32_MAX) {
		r->anything = true;
		return;
	}
	const uint32_t range[3] = {
		global_index(r->t, global),
		within ? (uint32_t)place.offset : 0,
		(uint32_t)(within ? place.offset + place.size : size),
	};
	assert(range[1] <= range[2] && range[2] <= size);
	for (size_t i = 0; i < r->count; i += 3)
		if (memcmp(r->words + i, range, sizeof range) == 0)
			return;
	r->words = xrealloc(r->words, (r->count + 3) * sizeof *r->words);
	memcpy(r->words + r->count, range, sizeof range);
	r->count += 3;
}

/* Return `place`, which counts from the result of `gep`, counted from its base. */
static struct place from_base(const struct reads *r, LLVMValueRef gep, struct place place)
{
	LLVMTypeRef type;
	uint64_t bytes;
	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = gep_index(r->t->layout, gep, i, &type, &bytes);
		if (!index)
			place.offset += bytes;
		else if (LLVMIsAConstantInt(index))
			place.offset += (uint64_t)LLVMConstIntGetSExtValue(index) * bytes;
		else
			place.exact = false;
	}
	return place;
}

static void read_at(struct reads *r, LLVMValueRef address, struct place place);

/* Read at all values of `phi`.  What a loop makes of the address is not followed: the place is not exact. */
static void read_phi(struct reads *r, LLVMValueRef phi)
{
	if (!add_value(&r->phis, phi))
		return;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		read_at(r, LLVMGetIncomingValue(phi, i), (struct place){ .exact = false });
}

static void read_at(struct reads *r, LLVMValueRef address, struct place place)
{
	if (LLVMIsAGlobalVariable(address)) {
		read_global(r, address, place);
		return;
	}
	if (LLVMIsAGlobalAlias(address)) {
		read_at(r, LLVMAliasGetAliasee(address), place);
		return;
	}
	switch (opcode_of(address)) {
	case LLVMAlloca: return;
	case LLVMBitCast:
	case LLVMAddrSpaceCast: read_at(r, LLVMGetOperand(address, 0), place); return;
	case LLVMGetElementPtr: read_at(r, LLVMGetOperand(address, 0), from_base(r, address, place)); return;
	case LLVMPHI: read_phi(r, address); return;
	case LLVMSelect:
		read_at(r, LLVMGetOperand(address, 1), place);
		read_at(r, LLVMGetOperand(address, 2), place);
		return;
	default: r->anything = true;
	}
}

/* Does `call` pass a pointer, which a function without a body may read through? */
static bool takes_pointer(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
			return true;
	return false;
}

static void read_intrinsic(struct reads *r, LLVMValueRef call, const char *name)
{
	static const char *const harmless[] = { "llvm.dbg.", "llvm.lifetime.", "llvm.memset." };
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (begins(name, harmless[i]))
			return;
	if (begins(name, "llvm.memcpy.") || begins(name, "llvm.memmove."))
		read_at(r, LLVMGetOperand(call, 1), (struct place){ .exact = false });
	else
		r->anything = r->anything || takes_pointer(call);
}

static void read_call(struct reads *r, LLVMValueRef call)
{
	LLVMValueRef called = LLVMGetCalledValue(call);
	size_t length;
	if (!LLVMIsAFunction(called))
		r->anything = true;
	else if (LLVMGetIntrinsicID(called))
		read_intrinsic(r, call, LLVMGetValueName2(called, &length));
	else if (!LLVMIsDeclaration(called))
		add_value(&r->functions, called);
	else
		r->anything = r->anything || takes_pointer(call);
}

static void read_instruction(struct reads *r, LLVMValueRef insn)
{
	switch (LLVMGetInstructionOpcode(insn)) {
	case LLVMLoad:
		read_at(r, LLVMGetOperand(insn, 0),
			(struct place){ .size = LLVMStoreSizeOfType(r->t->layout, LLVMTypeOf(insn)), .exact = true });
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: read_at(r, LLVMGetOperand(insn, 0), (struct place){ .exact = false }); break;
	case LLVMCall: read_call(r, insn); break;
	case LLVMInvoke:
	case LLVMCallBr:
	case LLVMVAArg: r->anything = true; break;
	default: break;
	}
}

void property_reads(struct translation *t, LLVMValueRef function, struct image_property *property)
{
	struct reads r = { .t = t };
	assert(!LLVMIsDeclaration(function));
	add_value(&r.functions, function);
	for (size_t i = 0; i < r.functions.count && !r.anything; i++)
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(r.functions.items[i]); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef insn = LLVMGetFirstInstruction(b); insn; insn = LLVMGetNextInstruction(insn))
				read_instruction(&r, insn);
	assert(r.count % 3 == 0);
	property->reads = r.anything ? IMAGE_NONE : builder_pool(&t->builder, r.words, r.count);
	property->nreads = r.anything ? 0 : (uint32_t)r.count / 3;
	free(r.functions.items);
	free(r.phis.items);
	free(r.words);
}
