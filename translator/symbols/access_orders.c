/* SPDX-License-Identifier: MIT
 *
 * The memory orders of accesses, and which accesses are atomic.  C gives volatile no meaning between threads.  Much old code relies
 * on what machines do all the same; --races volatile reads such code as it was meant.
 */
#include "symbols.h"

#include <assert.h>

/* Is `access`, of a value of `type`, one instruction of the machine, done at once?  That needs at most 8 bytes that do not lie
 * across two lines of the cache, which the alignment of the type promises.  A copy of a whole structure is no load. */
static bool is_one_access(const struct translation *t, LLVMValueRef access, LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
		kind == LLVMDoubleTypeKind;
	uint64_t size = scalar ? LLVMStoreSizeOfType(t->layout, type) : 0;
	return size > 0 && size <= 8 && LLVMGetAlignment(access) >= size;
}

LLVMAtomicOrdering order_of(const struct translation *t, LLVMValueRef access)
{
	assert(LLVMIsALoadInst(access) || LLVMIsAStoreInst(access));
	LLVMAtomicOrdering own = LLVMGetOrdering(access);
	if (own != LLVMAtomicOrderingNotAtomic || t->request->volatiles == VOLATILES_PLAIN || !LLVMGetVolatile(access))
		return own;
	bool store = LLVMGetInstructionOpcode(access) == LLVMStore;
	if (!is_one_access(t, access, LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access)))
		return own;
	return t->request->volatiles == VOLATILES_RELAXED ? LLVMAtomicOrderingMonotonic : LLVMAtomicOrderingSequentiallyConsistent;
}

unsigned flags_of_order(bool acquires, bool releases, bool total)
{
	assert(!total || (acquires && releases));
	return (total ? 0 : IMAGE_WEAKER) | (acquires ? 0 : IMAGE_RELAXED_READ) | (releases ? 0 : IMAGE_RELAXED_WRITE);
}
