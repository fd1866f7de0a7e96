/* SPDX-License-Identifier: MIT
 *
 * Is a module that was just read valid?  LLVM's readers run LLVM's verifier when they upgrade old debug information, and end the
 * process if it finds an error.  That is switched off: what can be mended is mended here, and the rest becomes a message.
 */
#include "passes.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>

#include <string.h>

void keep_readers_alive(void)
{
#if LLVM_VERSION_MAJOR >= 19 /* older versions have no such option, and do not verify */
	static const char *const arguments[] = { "bitspin", "-disable-auto-upgrade-debug-info" };
	static bool done;
	if (!done)
		LLVMParseCommandLineOptions((int)(sizeof arguments / sizeof *arguments), arguments, NULL);
	done = true;
#endif
}

static bool is_atomic_bit(LLVMValueRef insn, LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1 &&
		LLVMGetOrdering(insn) != LLVMAtomicOrderingNotAtomic;
}

/* Give `to` the alignment, the order and the volatility of `from`. */
static void copy_access(LLVMValueRef from, LLVMValueRef to)
{
	LLVMSetAlignment(to, LLVMGetAlignment(from));
	LLVMSetOrdering(to, LLVMGetOrdering(from));
	LLVMSetVolatile(to, LLVMGetVolatile(from));
}

static LLVMValueRef byte_address(LLVMBuilderRef builder, LLVMValueRef address)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(address)));
	LLVMTypeRef pointer = LLVMPointerType(byte, LLVMGetPointerAddressSpace(LLVMTypeOf(address)));
	return LLVMTypeOf(address) == pointer ? address : LLVMBuildBitCast(builder, address, pointer, "");
}

static void widen_load(LLVMBuilderRef builder, LLVMValueRef load)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
	LLVMValueRef address = byte_address(builder, LLVMGetOperand(load, 0));
	LLVMValueRef byte = LLVMBuildLoad2(builder, LLVMInt8TypeInContext(context), address, "");
	copy_access(load, byte);
	LLVMReplaceAllUsesWith(load, LLVMBuildTrunc(builder, byte, LLVMTypeOf(load), ""));
	LLVMInstructionEraseFromParent(load);
}

static void widen_store(LLVMBuilderRef builder, LLVMValueRef store)
{
	LLVMValueRef bit = LLVMGetOperand(store, 0), address = byte_address(builder, LLVMGetOperand(store, 1));
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(bit));
	LLVMValueRef byte = LLVMBuildStore(builder, LLVMBuildZExt(builder, bit, LLVMInt8TypeInContext(context), ""), address);
	copy_access(store, byte);
	LLVMInstructionEraseFromParent(store);
}

/* Make atomic accesses to a bit, which are not valid, accesses to a byte.  clang 19's optimiser shrinks a static variable that has
 * only two values to a bit (globalopt), and leaves its accesses atomic.  A bit lies in memory as a byte, so the accesses are the
 * same. */
static void widen_atomic_bits(LLVMModuleRef module)
{
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
				next = LLVMGetNextInstruction(i);
				LLVMPositionBuilderBefore(builder, i);
				LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
				if (LLVMIsALoadInst(i) && is_atomic_bit(i, LLVMTypeOf(i)))
					widen_load(builder, i);
				else if (LLVMIsAStoreInst(i) && is_atomic_bit(i, LLVMTypeOf(LLVMGetOperand(i, 0))))
					widen_store(builder, i);
			}
	LLVMDisposeBuilder(builder);
}

static bool is_valid(LLVMModuleRef module, char **error)
{
	*error = NULL;
	if (!LLVMVerifyModule(module, LLVMReturnStatusAction, error))
		return true;
	assert(*error);
	(*error)[strcspn(*error, "\n")] = '\0';
	return false;
}

bool make_valid(struct translation *t, LLVMModuleRef module, const char *path)
{
	char *error;
	widen_atomic_bits(module);
	if (LLVMGetModuleDebugMetadataVersion(module) != LLVMDebugMetadataVersion())
		LLVMStripModuleDebugInfo(module);
	bool valid = is_valid(module, &error);
	if (!valid && LLVMStripModuleDebugInfo(module)) { /* does only that not hold? we can do without */
		LLVMDisposeMessage(error);
		valid = is_valid(module, &error);
	}
	if (!valid)
		complain(t, NULL, "'%s' is not valid: LLVM %s says: %s", path, LLVM_VERSION_STRING, error);
	LLVMDisposeMessage(error);
	return valid;
}
