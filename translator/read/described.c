/* SPDX-License-Identifier: MIT
 *
 * Functions that the program defines and the user describes (--extern, --stubs): the description takes the place of the body.
 */
#include "passes.h"

#include <assert.h>
#include <string.h>

static bool has_source_name(LLVMValueRef function, const char *name)
{
	size_t length = source_name_length(function);
	return strlen(name) == length && strncmp(function_name(function), name, length) == 0;
}

/* Return the declaration of `name` that all functions of this name become. */
static LLVMValueRef declaration(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
	LLVMValueRef before = LLVMGetNamedFunction(module, name);
	return before && LLVMIsDeclaration(before) ? before : LLVMAddFunction(module, name, type);
}

/* Let all that names `function` name a function without a body. */
static void drop_body(LLVMModuleRef module, LLVMValueRef function, const char *name)
{
	if (strcmp(function_name(function), name) == 0)
		LLVMSetValueName2(function, "", 0);
	LLVMValueRef declared = declaration(module, name, LLVMGlobalGetValueType(function));
	assert(declared != function && LLVMIsDeclaration(declared));
	bool same = LLVMTypeOf(declared) == LLVMTypeOf(function);
	LLVMReplaceAllUsesWith(function, same ? declared : LLVMConstBitCast(declared, LLVMTypeOf(function)));
	LLVMDeleteFunction(function);
}

void drop_described_bodies(struct translation *t)
{
	for (size_t i = 0; i < t->request->nexterns; i++) {
		const struct translator_extern *told = &t->request->externs[i];
		if (!told->origin || strcmp(told->name, "*") == 0) /* these are for functions without a body */
			continue;
		if (strcmp(told->name, t->request->entry) == 0) {
			complain(t, NULL, "%s describes '%s', where the program begins: its own code runs", told->origin,
				 told->name);
			continue;
		}
		for (LLVMValueRef f = LLVMGetFirstFunction(t->module), next; f; f = next) {
			next = LLVMGetNextFunction(f);
			if (!LLVMIsDeclaration(f) && has_source_name(f, told->name))
				drop_body(t->module, f, told->name);
		}
	}
}
