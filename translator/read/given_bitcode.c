/* SPDX-License-Identifier: MIT
 *
 * Bitcode that the user gives, and that less can be checked of than of the C it was made from: no marks where variables begin
 * and end, optimised, no debug information.  A note of the report says so, and how to make better bitcode.
 */
#include "passes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Is the module at `path` the user's?  Modules that bitspin had made itself lie in a directory of its own. */
static bool is_given(const struct translation *t, const char *path)
{
	const char *own = t->request->own;
	return !own || !begins(path, own);
}

static bool marks_lifetimes(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (begins(function_name(f), "llvm.lifetime.start") && LLVMGetFirstUse(f))
			return true;
	return false;
}

static bool has_variables(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAAllocaInst(i))
				return true;
	return false;
}

/* Has an optimiser run on `module`, or could it have?  Functions that clang -O0 made say so themselves; else debug information
 * does. */
static bool may_be_optimised(LLVMModuleRef module)
{
	bool forbidden = true, any = false;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f)) {
			any = true;
			forbidden = forbidden && attribute_of(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "optnone");
		}
	unsigned units = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
	if (!any || forbidden || units == 0)
		return any && !forbidden;
	LLVMValueRef *unit = xrealloc(NULL, units * sizeof *unit);
	bool optimised = false;
	LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", unit);
	for (unsigned i = 0; i < units; i++) {
		char *text = LLVMPrintValueToString(unit[i]);
		optimised = optimised || !strstr(text, "isOptimized: false");
		LLVMDisposeMessage(text);
	}
	free(unit);
	return optimised;
}

static bool any_variables(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && has_variables(f))
			return true;
	return false;
}

void inspect_given(struct translation *t, LLVMModuleRef module, const char *path)
{
	if (!is_given(t, path))
		return;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	bool optimised = may_be_optimised(module);
	if (optimised)
		add_note(t,
			 "'%s' has been optimized, or may have been; errors that are undefined behaviour may be gone"
			 " (make it with clang -O0)",
			 name);
	t->optimised = t->optimised || optimised;
	if (!marks_lifetimes(module) && any_variables(module)) {
		add_note(t,
			 "uses of a variable after its block has ended are missed in '%s', which does not mark where blocks end"
			 " (make it with clang -Xclang -fsanitize-address-use-after-scope)",
			 name);
		t->unmarked = true;
	}
	if (LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu") == 0)
		add_note(t, "'%s' has no debug information: lines and variables cannot be named (make it with clang -g)", name);
}
