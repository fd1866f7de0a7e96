/* SPDX-License-Identifier: MIT
 *
 * The functions of the image: each gets its number when it is first named, and so becomes reachable.
 */
#include "symbols.h"
#include "values.h"
#include "../read/read.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

uint32_t add_function(struct translation *t, const struct image_function *f, LLVMValueRef function)
{
	uint32_t index = builder_add(&t->builder, IMAGE_FUNCTIONS, f, 1);
	assert(index == t->nfunctions);
	t->function_queue = xrealloc(t->function_queue, (t->nfunctions + 1) * sizeof *t->function_queue);
	t->function_queue[t->nfunctions++] = function;
	return index;
}

/* Is `name` a function of the VM that libc/ defines, too, for other programs than this one? */
static bool is_left_to_vm(const struct translation *t, const char *name)
{
	return (!t->exit_in_c && strcmp(name, "exit") == 0) || (!t->abort_in_c && strcmp(name, "abort") == 0);
}

static bool has_body(struct translation *t, LLVMValueRef function)
{
	const char *name = function_name(function);
	if (LLVMIsDeclaration(function) || (is_library(function) && is_told(t, name)))
		return false;
	if (is_library(function) && is_left_to_vm(t, name))
		return false;
	/* These mean what the checker says, whatever body a benchmark gives them. */
	return !(t->request->options.svcomp && (strcmp(name, "reach_error") == 0 || strcmp(name, "__VERIFIER_assert") == 0) &&
		 image_builtin_exists(name)) &&
		strcmp(name, "__VERIFIER_error") != 0;
}

static bool is_atomic_section(const char *name)
{
	return begins(name, "__VERIFIER_atomic_") && strcmp(name, "__VERIFIER_atomic_begin") != 0 &&
		strcmp(name, "__VERIFIER_atomic_end") != 0;
}

/* Fill in `f` for a function without a body.  Those that bitspin cannot do are complained about when all uses are known
 * (lower/uses.c). */
static void declare_extern(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f)
{
	if (declare_as_told(t, function, name, f) || is_provided(name))
		return;
	f->flags &= ~(uint32_t)FUNCTION_LIBRARY;
	f->flags |= FUNCTION_EXTERN;
	provide_memory(t, name);
	if (builtin_policy(name) == POLICY_UNKNOWN && t->request->options.svcomp)
		f->flags |= FUNCTION_HAVOC;
	if (builtin_returns_twice(name))
		f->flags |= FUNCTION_TWICE;
}

uint32_t function_index(struct translation *t, LLVMValueRef function)
{
	uint32_t index;
	if (map_get(t->functions, function, &index))
		return index;
	const char *name = function_name(function);
	size_t messages = t->result->nmessages;
	LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
	struct image_function f = {
		.name = function_text(t, function),
		.location = location_of(t, function),
		.signature = signature_of_function(t, function),
	};
	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		struct leaves leaves = flatten(t, LLVMTypeOf(LLVMGetParam(function, i)), function);
		f.parameters += leaves.slots;
		free(leaves.items);
	}
	struct leaves results = flatten(t, result, function);
	f.results = results.slots;
	free(results.items);
	if (has_body(t, function)) /* the body and the calls are refused where they are */
		free(take_back(t, messages));
	if (LLVMGetTypeKind(result) == LLVMIntegerTypeKind)
		f.result_bits = LLVMGetIntTypeWidth(result);
	if (LLVMIsFunctionVarArg(type)) {
		f.flags |= FUNCTION_VARIADIC;
		f.parameters += IMAGE_AREA_OPERANDS;
	}
	if (is_library(function))
		f.flags |= FUNCTION_LIBRARY;
	if (!has_body(t, function)) {
		declare_extern(t, function, name, &f);
		if (LLVMIsFunctionVarArg(type) && LLVMCountParams(function) == 0) {
			/* Declared without parameters, as in `void f();`: calls say what they pass. */
			f.flags &= ~(uint32_t)FUNCTION_VARIADIC;
			f.parameters = 0;
		}
	}
	if (t->request->options.svcomp && is_atomic_section(name))
		f.flags |= FUNCTION_ATOMIC;
	/* Whatever has no body in the image has one in the program, or lower_provided() writes it. */
	assert(f.flags & FUNCTION_EXTERN || !LLVMIsDeclaration(function) || is_provided(name));
	assert(!map_get(t->functions, function, NULL));
	index = add_function(t, &f, f.flags & FUNCTION_EXTERN ? NULL : function);
	map_put(&t->functions, function, index);
	return index;
}

uint32_t extern_index(struct translation *t, const char *name, unsigned parameters, unsigned results)
{
	LLVMValueRef declared = LLVMGetNamedFunction(t->module, name);
	if (declared)
		return function_index(t, declared);
	uint32_t string = builder_string(&t->builder, name, strlen(name));
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		if (f->name != string || !(f->flags & FUNCTION_EXTERN))
			continue;
		assert(f->parameters == parameters && f->results == results);
		return i;
	}
	struct image_function f = { .name = string, .flags = FUNCTION_EXTERN, .parameters = parameters, .results = results };
	provide_memory(t, name);
	return add_function(t, &f, NULL);
}

bool is_missing(const struct translation *t, LLVMValueRef global)
{
	const char *name = function_name(global);
	return LLVMGetLinkage(global) == LLVMExternalWeakLinkage && !image_builtin_exists(name) && !is_told(t, name);
}
