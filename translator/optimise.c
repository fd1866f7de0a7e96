/* SPDX-License-Identifier: MIT
 *
 * The passes of clang's -O, run here, as they need one word more than clang gives them.
 *
 * LLVM's GlobalOpt makes a local variable of a static one that a single function uses, which does not call itself and writes the
 * variable before it reads it.  So it does with an atomic `turn` that several threads share, as all of them may run that function
 * at a time; a lock then locks nothing.  C does not allow that, so the variables of a module with atomic accesses are kept: they
 * are listed in llvm.compiler.used while the passes run.
 */
#include "base/translation.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <assert.h>
#include <stdlib.h>

static bool is_atomic(LLVMValueRef insn)
{
	switch (LLVMGetInstructionOpcode(insn)) {
	case LLVMLoad:
	case LLVMStore: return LLVMGetOrdering(insn) != LLVMAtomicOrderingNotAtomic;
	default: return LLVMIsAAtomicRMWInst(insn) || LLVMIsAAtomicCmpXchgInst(insn);
	}
}

static bool has_atomics(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef insn = LLVMGetFirstInstruction(b); insn; insn = LLVMGetNextInstruction(insn))
				if (is_atomic(insn))
					return true;
	return false;
}

static bool is_static_variable(LLVMValueRef global)
{
	return LLVMGetLinkage(global) == LLVMInternalLinkage && !LLVMIsGlobalConstant(global) && !LLVMIsThreadLocal(global);
}

/* Add the static variables of `module` to the list of what is used. */
static void keep_variables(LLVMModuleRef module)
{
	static const char name[] = "llvm.compiler.used";
	LLVMValueRef before = LLVMGetNamedGlobal(module, name), first = before ? LLVMGetInitializer(before) : NULL;
	unsigned count = first ? (unsigned)LLVMGetNumOperands(first) : 0, most = count;
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		most++;
	LLVMValueRef *kept = xrealloc(NULL, (most + 1) * sizeof(LLVMValueRef));
	for (unsigned i = 0; i < count; i++)
		kept[i] = LLVMGetOperand(first, i);
	LLVMTypeRef byte = LLVMPointerType(LLVMInt8TypeInContext(LLVMGetModuleContext(module)), 0);
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		if (is_static_variable(g))
			kept[count++] = LLVMConstBitCast(g, byte);
	assert(count <= most);
	if (before)
		LLVMDeleteGlobal(before);
	LLVMValueRef list = LLVMAddGlobal(module, LLVMArrayType(byte, count), name);
	LLVMSetInitializer(list, LLVMConstArray(byte, kept, count));
	LLVMSetLinkage(list, LLVMAppendingLinkage);
	LLVMSetSection(list, "llvm.metadata");
	free(kept);
}

/* Return NULL, or what went wrong, malloc'ed. */
static char *run_passes(LLVMModuleRef module, int level)
{
	char passes[] = "default<O0>";
	passes[sizeof passes - 3] = (char)('0' + level);
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMPassBuilderOptionsSetLoopVectorization(options, false); /* the VM has no vectors of its own */
	LLVMPassBuilderOptionsSetSLPVectorization(options, false);
	LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return NULL;
	char *text = LLVMGetErrorMessage(error), *message = xstrdup(text);
	LLVMDisposeErrorMessage(text);
	return message;
}

static char *optimise(LLVMModuleRef module, void *level)
{
	if (has_atomics(module))
		keep_variables(module);
	return run_passes(module, *(int *)level);
}

char *translator_optimise(const char *path, const char *output, int level)
{
	assert(path && output && level >= 1 && level <= 3);
	return rewrite_module(path, output, optimise, &level);
}
