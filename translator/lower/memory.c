/* SPDX-License-Identifier: MIT
 *
 * Instructions that make addresses and use them.
 */
#include "instructions.h"
#include "../read/variables.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

/* ---- stack objects ------------------------------------------------------------------------------------------------- */

/* phis that have been followed, as they may make circles */
struct seen {
	LLVMValueRef phis[16];
	size_t count;
};

static bool seen_before(struct seen *seen, LLVMValueRef phi)
{
	for (size_t i = 0; i < seen->count; i++)
		if (seen->phis[i] == phi)
			return true;
	return false;
}

/* Does `call` leave `address` with nobody?  Intrinsics do, and so do the creation and joining of threads, which write a result
 * there: so the handles of threads, which most programs have, are not taken for memory that other threads may find. */
static bool keeps_nothing(LLVMValueRef call, LLVMValueRef address)
{
	static const struct {
		const char *name;
		unsigned argument;
	} writers[] = {
		{ "pthread_create", 0 },
		{ "thrd_create", 0 },
		{ "pthread_join", 1 },
		{ "thrd_join", 1 },
	};
	LLVMValueRef called = LLVMGetCalledValue(call);
	if (!LLVMIsAFunction(called))
		return false;
	if (LLVMGetIntrinsicID(called) != 0 || is_keeper(called))
		return true;
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		bool elsewhere = false;
		if (!LLVMIsDeclaration(called) || strcmp(function_name(called), writers[i].name) != 0)
			continue;
		for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
			elsewhere = elsewhere || (LLVMGetOperand(call, k) == address && k != writers[i].argument);
		return !elsewhere;
	}
	return false;
}

/* Does every use of `address` stay within this frame, as the place of a load, a store or a memory intrinsic?  Then only registers
 * of the frame ever have it. */
static bool stays_in_frame(LLVMValueRef address, struct seen *seen)
{
	for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user))
			return false;
		switch (LLVMGetInstructionOpcode(user)) {
		case LLVMLoad:
		case LLVMAtomicRMW:
		case LLVMAtomicCmpXchg:
		case LLVMStore:
			/* As the place, not as the value. */
			if (LLVMGetInstructionOpcode(user) == LLVMStore && LLVMGetOperand(user, 0) == address)
				return false;
			if (LLVMGetInstructionOpcode(user) == LLVMAtomicRMW && LLVMGetOperand(user, 1) == address)
				return false;
			if (LLVMGetInstructionOpcode(user) == LLVMAtomicCmpXchg &&
			    (LLVMGetOperand(user, 1) == address || LLVMGetOperand(user, 2) == address))
				return false;
			break;
		case LLVMGetElementPtr:
		case LLVMBitCast:
			if (!stays_in_frame(user, seen))
				return false;
			break;
		case LLVMPHI:
		case LLVMSelect:
			if (seen_before(seen, user))
				break;
			if (seen->count == sizeof seen->phis / sizeof *seen->phis)
				return false;
			seen->phis[seen->count++] = user;
			if (!stays_in_frame(user, seen))
				return false;
			break;
		case LLVMICmp: break;
		case LLVMCall:
			if (!keeps_nothing(user, address))
				return false;
			break;
		default: return false;
		}
	}
	return true;
}

static void lower_alloca(struct emitter *e, LLVMValueRef insn)
{
	uint64_t size = LLVMABISizeOfType(e->t->layout, LLVMGetAllocatedType(insn));
	LLVMValueRef count = LLVMGetOperand(insn, 0);
	/* What does not escape is cleared when nothing reads it any more (vm_forget_dead()). */
	bool escapes = e->t->request->variables_stay || !stays_in_frame(insn, &(struct seen){ 0 });
	uint32_t symbol = symbol_of(e->t, e->function, insn);
	unsigned align = LLVMGetAlignment(insn);
	assert(align); /* LLVM knows it of each alloca */
	bool in_entry = LLVMGetInstructionParent(insn) == LLVMGetEntryBasicBlock(e->function);
	if (LLVMIsAConstantInt(count) && in_entry) {
		uint32_t address = static_object(e, size * LLVMConstIntGetZExtValue(count), align, symbol, escapes);
		map_put(&e->values, insn, address);
		return;
	}
	uint32_t bytes = new_register(e, 1);
	emit(e, IMAGE_MUL, 64, 0, bytes, zero_extended(e, count), number(e, size), NONE);
	emit(e, IMAGE_ALLOCA, 64, escapes ? IMAGE_ESCAPES : 0, result_of(e, insn), bytes, symbol, align);
}

/* ---- addresses ----------------------------------------------------------------------------------------------------- */

static void lower_gep(struct emitter *e, LLVMValueRef insn)
{
	if (LLVMGetTypeKind(LLVMTypeOf(insn)) == LLVMVectorTypeKind) {
		unsupported(e->t, insn, "vectors of addresses are not supported; compile without vectorization");
		return;
	}
	LLVMTypeRef type;
	uint32_t address = operand_of(e, LLVMGetOperand(insn, 0));
	uint64_t constant = 0, bytes;
	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(insn); i++) {
		LLVMValueRef index = gep_index(e->t->layout, insn, i, &type, &bytes);
		if (!index || LLVMIsAConstantInt(index)) {
			constant += index ? (uint64_t)LLVMConstIntGetSExtValue(index) * bytes : bytes;
			continue;
		}
		uint32_t sum = new_register(e, 1);
		emit(e, IMAGE_INDEX, 64, 0, sum, address, sign_extended(e, index), number(e, bytes));
		address = sum;
	}
	address = add_offset(e, address, constant);
	emit(e, IMAGE_MOV, 64, 0, result_of(e, insn), address, NONE, NONE);
}

/* ---- loads and stores ---------------------------------------------------------------------------------------------- */

/* Return the flags for what `ordering` lacks.  LLVM's orderings are numbered by strength, but acquire and release lie side by side.
 * */
static unsigned lacks(LLVMAtomicOrdering ordering)
{
	bool acquires = ordering == LLVMAtomicOrderingAcquire || ordering >= LLVMAtomicOrderingAcquireRelease;
	bool releases = ordering >= LLVMAtomicOrderingRelease;
	return flags_of_order(acquires, releases, ordering == LLVMAtomicOrderingSequentiallyConsistent);
}

/* Return the flags of the access `insn`.  IMAGE_VOLATILE is for reports of races, which then name --races volatile. */
static unsigned access_flags(const struct emitter *e, LLVMValueRef insn, LLVMAtomicOrdering ordering)
{
	bool told = e->t->request->volatiles != VOLATILES_PLAIN;
	unsigned flags = LLVMGetVolatile(insn) && !told ? IMAGE_VOLATILE : 0;
	return ordering == LLVMAtomicOrderingNotAtomic ? flags : flags | IMAGE_ATOMIC | lacks(ordering);
}

/* Return the memory order of the access `insn`.  A volatile variable that only its own frame can reach needs none. */
static LLVMAtomicOrdering order_here(const struct emitter *e, LLVMValueRef insn)
{
	LLVMValueRef base = LLVMGetOperand(insn, LLVMGetInstructionOpcode(insn) == LLVMStore ? 1 : 0);
	while (LLVMIsAGetElementPtrInst(base) || LLVMIsABitCastInst(base))
		base = LLVMGetOperand(base, 0);
	bool own = LLVMIsAAllocaInst(base) && stays_in_frame(base, &(struct seen){ 0 });
	return own ? LLVMGetOrdering(insn) : order_of(e->t, insn);
}

/* Return the alignment that clang derived from the type of the pointer, for the first leaf of an access; the other leaves lie where
 * they lie. */
static uint32_t alignment_of(LLVMValueRef insn, unsigned leaf)
{
	return leaf == 0 && LLVMGetAlignment(insn) ? LLVMGetAlignment(insn) : NONE;
}

/* Complain, and return true, if `type` is a vector whose elements lie in memory side by side by bits, not by bytes. */
static bool packs_bits(struct emitter *e, LLVMTypeRef type, LLVMValueRef insn)
{
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMIntegerTypeKind)
		return false;
	unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(type));
	if (bits == 8 * LLVMABISizeOfType(e->t->layout, LLVMGetElementType(type)))
		return false;
	unsupported(e->t, insn, "unsupported access to a vector of elements of %u bits in memory", bits);
	return true;
}

/* Return the flags for what stories say of an access to `address`. */
static unsigned story_flags(LLVMTypeRef type, LLVMValueRef address)
{
	bool floating = is_float_type(type);
	bool field = LLVMIsAGetElementPtrInst(address) && LLVMGetNumOperands(address) > 2 &&
		LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) == LLVMStructTypeKind;
	return (field ? IMAGE_FIELD : 0) | (floating ? IMAGE_FLOATING : 0);
}

/* Complain about an atomic access that would become several; then return true, and release `leaves`. */
static bool is_split(struct emitter *e, LLVMValueRef insn, unsigned flags, struct leaves *leaves)
{
	if (!(flags & IMAGE_ATOMIC) || leaves->count == 1)
		return false;
	unsupported(e->t, insn, "unsupported atomic access to a value of more than 128 bits");
	free(leaves->items);
	return true;
}

static void lower_load(struct emitter *e, LLVMValueRef insn)
{
	if (packs_bits(e, LLVMTypeOf(insn), insn))
		return;
	struct leaves leaves = flatten(e->t, LLVMTypeOf(insn), insn);
	unsigned flags = access_flags(e, insn, order_here(e, insn)) | story_flags(LLVMTypeOf(insn), LLVMGetOperand(insn, 0));
	if (is_split(e, insn, flags, &leaves))
		return;
	uint32_t address = operand_of(e, LLVMGetOperand(insn, 0)), result = result_of(e, insn);
	for (unsigned i = 0; i < leaves.count; i++)
		emit(e, IMAGE_LOAD, leaves.items[i].bits, flags, result + leaves.items[i].slot,
		     add_offset(e, address, leaves.items[i].offset), NONE, alignment_of(insn, i));
	free(leaves.items);
}

/* Where the request asks for fences: emit one behind a store that others may see.  It does nothing unless it gets an order
 * (analyse/orders.c). */
static void emit_fence_behind(struct emitter *e, LLVMValueRef address)
{
	while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address))
		address = LLVMGetOperand(address, 0);
	bool own = LLVMIsAAllocaInst(address) && stays_in_frame(address, &(struct seen){ 0 });
	if (e->t->request->fences && !own)
		emit(e, IMAGE_FENCE, 0, 0, NONE, NONE, NONE, NONE);
}

static void lower_store(struct emitter *e, LLVMValueRef insn)
{
	LLVMValueRef value = LLVMGetOperand(insn, 0);
	if (packs_bits(e, LLVMTypeOf(value), insn))
		return;
	struct leaves leaves = flatten(e->t, LLVMTypeOf(value), insn);
	unsigned flags = access_flags(e, insn, order_here(e, insn)) | story_flags(LLVMTypeOf(value), LLVMGetOperand(insn, 1));
	if (is_split(e, insn, flags, &leaves))
		return;
	uint32_t address = operand_of(e, LLVMGetOperand(insn, 1));
	struct operands list = { 0 };
	operands_value(e, &list, value);
	assert(leaves.count == 0 || leaves.items[leaves.count - 1].slot < list.count);
	for (unsigned i = 0; i < leaves.count; i++)
		emit(e, IMAGE_STORE, leaves.items[i].bits, flags, NONE, add_offset(e, address, leaves.items[i].offset),
		     list.items[leaves.items[i].slot], alignment_of(insn, i));
	emit_fence_behind(e, LLVMGetOperand(insn, 1));
	free(list.items);
	free(leaves.items);
}

/* ---- atomic read-modify-write -------------------------------------------------------------------------------------- */

static int rmw_of(LLVMAtomicRMWBinOp operation)
{
	switch (operation) {
	case LLVMAtomicRMWBinOpXchg: return RMW_XCHG;
	case LLVMAtomicRMWBinOpAdd: return RMW_ADD;
	case LLVMAtomicRMWBinOpSub: return RMW_SUB;
	case LLVMAtomicRMWBinOpAnd: return RMW_AND;
	case LLVMAtomicRMWBinOpNand: return RMW_NAND;
	case LLVMAtomicRMWBinOpOr: return RMW_OR;
	case LLVMAtomicRMWBinOpXor: return RMW_XOR;
	case LLVMAtomicRMWBinOpMax: return RMW_MAX;
	case LLVMAtomicRMWBinOpMin: return RMW_MIN;
	case LLVMAtomicRMWBinOpUMax: return RMW_UMAX;
	case LLVMAtomicRMWBinOpUMin: return RMW_UMIN;
	case LLVMAtomicRMWBinOpFAdd: return RMW_FADD;
	case LLVMAtomicRMWBinOpFSub: return RMW_FSUB;
	default: return -1;
	}
}

static void lower_rmw(struct emitter *e, LLVMValueRef insn)
{
	int operation = rmw_of(LLVMGetAtomicRMWBinOp(insn));
	unsigned bits = bits_of_type(LLVMTypeOf(insn));
	if (operation < 0 || bits == 0 || bits > 128 || (bits > 64 && (operation == RMW_FADD || operation == RMW_FSUB))) {
		unsupported(e->t, insn, "unsupported atomic operation on a value of %u bits", bits);
		return;
	}
	unsigned blind = LLVMGetFirstUse(insn) ? 0 : IMAGE_BLIND;
	emit(e, IMAGE_RMW, bits, access_flags(e, insn, LLVMGetOrdering(insn)) | blind, result_of(e, insn),
	     operand_of(e, LLVMGetOperand(insn, 0)), operand_of(e, LLVMGetOperand(insn, 1)), (uint32_t)operation);
}

static void lower_cmpxchg(struct emitter *e, LLVMValueRef insn)
{
	unsigned bits = bits_of_type(LLVMTypeOf(LLVMGetOperand(insn, 1)));
	if (bits == 0) {
		unsupported(e->t, insn, "unsupported atomic operation on a value of more than 128 bits");
		return;
	}
	unsigned flags = access_flags(e, insn, LLVMGetCmpXchgSuccessOrdering(insn));
	unsigned failure = lacks(LLVMGetCmpXchgFailureOrdering(insn));
	flags |= (failure & IMAGE_WEAKER) | (failure & IMAGE_RELAXED_READ ? IMAGE_RELAXED_FAILURE : 0);
	emit(e, IMAGE_CMPXCHG, bits, flags, result_of(e, insn), operand_of(e, LLVMGetOperand(insn, 0)),
	     operand_of(e, LLVMGetOperand(insn, 1)), operand_of(e, LLVMGetOperand(insn, 2)));
	assert(e->code[e->count - 1].op == IMAGE_CMPXCHG);
	e->code[e->count - 1].order = (LLVMGetCmpXchgSuccessOrdering(insn) == LLVMAtomicOrderingSequentiallyConsistent ?
					       IMAGE_TOTAL :
					       0) |
		(LLVMGetCmpXchgFailureOrdering(insn) == LLVMAtomicOrderingSequentiallyConsistent ? IMAGE_TOTAL_FAILURE : 0);
	if (!LLVMGetWeak(insn))
		return;
	e->code[e->count - 1].aux |= IMAGE_WEAK;
	if (!e->t->weak_exchange)
		e->t->weak_exchange = insn;
}

/* Emit a fence.  It changes no value, as memory is sequentially consistent; it orders relaxed accesses before and after it.  One
 * that is for signal handlers of the same thread orders nothing between threads.  LLVM-C tells the order of a fence by its text
 * only. */
static void lower_fence(struct emitter *e, LLVMValueRef insn)
{
	char *text = LLVMPrintValueToString(insn);
	bool acquires = !strstr(text, " release"), releases = !strstr(text, " acquire");
	assert(strstr(text, "fence ") && (acquires || releases)); /* as LLVM has printed it so far */
	if (!strstr(text, "syncscope(\"singlethread\")")) {
		emit(e, IMAGE_FENCE, 0, (acquires ? IMAGE_ACQUIRES : 0) | (releases ? IMAGE_RELEASES : 0), NONE, NONE, NONE, NONE);
		e->code[e->count - 1].order = strstr(text, " seq_cst") ? IMAGE_TOTAL : 0;
	}
	LLVMDisposeMessage(text);
}

bool lower_memory(struct emitter *e, LLVMValueRef insn)
{
	switch (LLVMGetInstructionOpcode(insn)) {
	case LLVMAlloca: lower_alloca(e, insn); return true;
	case LLVMGetElementPtr: lower_gep(e, insn); return true;
	case LLVMLoad: lower_load(e, insn); return true;
	case LLVMStore: lower_store(e, insn); return true;
	case LLVMAtomicRMW: lower_rmw(e, insn); return true;
	case LLVMAtomicCmpXchg: lower_cmpxchg(e, insn); return true;
	case LLVMFence: lower_fence(e, insn); return true;
	default: return false;
	}
}
