/* SPDX-License-Identifier: MIT
 *
 * What the user says of functions, and of faults that may happen: rows of IMAGE_EXTERNS, and hidden globals
 * for what of it is part of a state.
 */
#include "symbols.h"
#include "../read/read.h"
#include "../../runtime/image/policy.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static const struct translator_extern *find_exactly(const struct translation *t, const char *name)
{
	for (size_t i = 0; i < t->request->nexterns; i++)
		if (strcmp(t->request->externs[i].name, name) == 0)
			return &t->request->externs[i];
	return NULL;
}

bool is_told(const struct translation *t, const char *name)
{
	return find_exactly(t, name) != NULL;
}

/* Does the C library of this machine have the function?  Then no linker would miss it. */
static bool is_of_c_library(const char *name)
{
	static const char *const libraries[] = { "libc.so.6", "libm.so.6" };
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY);
		if (library && dlsym(library, name))
			return true;
	}
	return false;
}

/* Return what is said of the function `name`: by the user, by this name or by "*", of all functions that bitspin does not provide;
 * else, of one of the C library, that it is not supported; NULL if nothing is. */
static const struct translator_extern *find(const struct translation *t, const char *name)
{
	static const struct translator_extern unsupported = { .policy = EXTERN_UNSUPPORTED };
	const struct translator_extern *told = find_exactly(t, name);
	enum builtin_policy policy = builtin_policy(name);
	if (told || is_provided(name) || (policy != POLICY_UNKNOWN && policy != POLICY_REFUSED))
		return told;
	told = find_exactly(t, "*");
	bool exists = policy == POLICY_REFUSED || begins(name, "syscall(") || is_of_c_library(name);
	if (told || !exists || (policy == POLICY_UNKNOWN && t->request->options.svcomp))
		return told;
	return &unsupported;
}

bool is_unsupported(const struct translation *t, const char *name)
{
	const struct translator_extern *told = find(t, name);
	return told && told->policy == EXTERN_UNSUPPORTED;
}

/* Return the letter of host.c for how a value of `type` is passed in a call; '?' if it is not one register. */
static char letter_of(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind: return 'v';
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 32 ? 'i' : LLVMGetIntTypeWidth(type) == 64 ? 'l' : '?';
	case LLVMFloatTypeKind: return 'f';
	case LLVMDoubleTypeKind: return 'd';
	case LLVMX86_FP80TypeKind: return 'x';
	case LLVMPointerTypeKind: return 'P';
	default: return '?';
	}
}

enum { MOST_PARAMETERS = 8 };

static void signature_of(LLVMValueRef function, char text[MOST_PARAMETERS + 4])
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	unsigned count = LLVMCountParams(function), n = 0;
	text[n++] = letter_of(LLVMGetReturnType(type));
	text[n++] = ' ';
	for (unsigned i = 0; i < count && i < MOST_PARAMETERS; i++)
		text[n++] = letter_of(LLVMTypeOf(LLVMGetParam(function, i)));
	if (count > MOST_PARAMETERS || LLVMIsFunctionVarArg(type))
		text[n++] = '?';
	text[n] = '\0';
}

/* Return why a function of type `signature` cannot be what `told` says; NULL if it can. */
static const char *contradiction(const struct translator_extern *told, const char *signature)
{
	if (told->policy == EXTERN_FRESH && signature[0] != 'P')
		return "it does not return a pointer";
	if (told->policy == EXTERN_ARGUMENT && (uint64_t)told->low > strcspn(signature + 2, "?x"))
		return "it has no such argument, or an argument before that one is larger than 8 bytes";
	if (told->policy == EXTERN_ARGUMENT && !strchr("Pil", signature[0]))
		return "it does not return a whole number or a pointer";
	bool chooses = told->policy == EXTERN_CHOOSE || told->policy == EXTERN_PURE;
	if (chooses && !strchr("ilfd", signature[0]))
		return "it does not return a number";
	if (told->policy == EXTERN_NATIVE && strchr(signature, 'P'))
		return "it takes or returns a pointer, and the host's memory is not the program's";
	if (told->policy == EXTERN_PURE && strchr(signature + 2, 'P'))
		return "it takes a pointer, so its result may depend on memory";
	if ((told->policy == EXTERN_NATIVE || told->policy == EXTERN_PURE) && strpbrk(signature, "?x"))
		return "it takes or returns values that are not plain numbers, or too many";
	return NULL;
}

/* Make the variable for what a pure function has returned: a row of arguments and result for each call, and how many there are. */
static uint32_t make_memo(struct translation *t, const char *name)
{
	uint64_t rows[IMAGE_MEMO_WORDS] = { 0 };
	return make_global(t, name, rows, sizeof rows, GLOBAL_INTERNAL);
}

bool declare_as_told(struct translation *t, LLVMValueRef function, const char *name, struct image_function *f)
{
	const struct translator_extern *told = find(t, name);
	if (!told)
		return false;
	char signature[MOST_PARAMETERS + 4];
	signature_of(function, signature);
	const char *why = contradiction(told, signature);
	if (why)
		complain(t, function, "%s cannot describe function '%s' so: %s", told->origin ? told->origin : "--nondet", name,
			 why);
	f->flags &= ~(uint32_t)FUNCTION_LIBRARY;
	f->flags |= FUNCTION_EXTERN | FUNCTION_DECLARED;
	struct image_extern row = {
		.name = builder_string(&t->builder, name, strlen(name)),
		.policy = told->policy,
		.low = told->low,
		.high = told->high,
		.signature = builder_string(&t->builder, signature, strlen(signature)),
		.memo = told->policy == EXTERN_PURE ? make_memo(t, name) : NONE,
	};
	builder_add(&t->builder, IMAGE_EXTERNS, &row, 1);
	return true;
}

void check_told(struct translation *t)
{
	for (size_t i = 0; i < t->request->nexterns; i++) {
		const struct translator_extern *told = &t->request->externs[i];
		bool named = told->origin && strcmp(told->name, "*") != 0;
		LLVMValueRef function = named ? LLVMGetNamedFunction(t->module, told->name) : NULL;
		if (told->required && !function)
			complain(t, NULL, "%s names '%s', which the program does not use", told->origin, told->name);
	}
}

void make_budgets(struct translation *t)
{
	const uint32_t *budgets = t->request->budgets;
	bool any = false;
	for (unsigned i = 0; i < IMAGE_INJECTIONS; i++)
		any = any || budgets[i] != builtin_injection_usual(i);
	if (any)
		make_global(t, "the budget of faults", budgets, sizeof t->request->budgets, GLOBAL_INTERNAL | GLOBAL_BUDGETS);
}
