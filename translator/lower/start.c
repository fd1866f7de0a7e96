/* SPDX-License-Identifier: MIT
 *
 * The functions that we make up: _start, which runs constructors, the entry function and exit; _fini for destructors, which exit
 * calls; and those that stand in for functions of the C library that threads, initializations and destructors of keys may be.
 */
#include "instructions.h"
#include "lower.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

struct constructor {
	uint64_t priority;
	LLVMValueRef function;
};

static int by_priority(const void *a, const void *b)
{
	const struct constructor *x = a, *y = b;
	return x->priority < y->priority ? -1 : x->priority > y->priority;
}

/* Return the functions of llvm.global_ctors or llvm.global_dtors, in the order of their priority, and their number in *count.  The
 * caller frees them. */
static struct constructor *constructors(struct translation *t, const char *list, size_t *count)
{
	LLVMValueRef global = LLVMGetNamedGlobal(t->module, list);
	LLVMValueRef array = global ? LLVMGetInitializer(global) : NULL;
	*count = array ? LLVMGetArrayLength(LLVMTypeOf(array)) : 0;
	struct constructor *all = xrealloc(NULL, (*count + 1) * sizeof *all);
	size_t n = 0;
	for (size_t i = 0; i < *count; i++) {
		LLVMValueRef entry = constant_element(array, (unsigned)i), function = constant_element(entry, 1);
		while (LLVMIsAConstantExpr(function))
			function = LLVMGetOperand(function, 0);
		if (LLVMIsAFunction(function))
			all[n++] = (struct constructor){ LLVMConstIntGetZExtValue(constant_element(entry, 0)), function };
	}
	assert(n <= *count);
	*count = n;
	qsort(all, n, sizeof *all, by_priority);
	return all;
}

static void call_all(struct emitter *e, const struct constructor *all, size_t count, bool backwards)
{
	for (size_t i = 0; i < count; i++)
		emit(e, IMAGE_CALL, 0, 0, NONE, function_index(e->t, all[backwards ? count - 1 - i : i].function), 0, 0);
}

void make_destructors(struct translation *t)
{
	size_t count;
	LLVMValueRef declared = LLVMGetNamedFunction(t->module, "__bitspin_destructors");
	if (!t->exit_in_c || !declared)
		return;
	struct constructor *all = constructors(t, "llvm.global_dtors", &count);
	struct image_function f = { .name = builder_string(&t->builder, "_fini", 5),
				    .signature = signature_of_function(t, declared) };
	uint32_t index = add_function(t, &f, NULL);
	struct emitter e = { .t = t, .area = NONE };
	call_all(&e, all, count, true);
	emit(&e, IMAGE_RET, 0, 0, NONE, 0, 0, NONE);
	finish_function(&e, &f);
	*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index) = f;
	map_put(&t->functions, declared, index);
	provide_memory(t, "__bitspin_destructors");
	free(all);
}

bool check_entry(struct translation *t, LLVMValueRef entry)
{
	if (!entry || LLVMIsDeclaration(entry)) {
		complain(
			t, NULL,
			"there is no function '%s' to start from; define it, name another with --entry, or start threads with --call",
			t->request->entry);
		return false;
	}
	if (LLVMCountParams(entry) > 3) {
		complain(t, entry, "'%s' takes %u parameters; an entry function takes none, or those of main", t->request->entry,
			 LLVMCountParams(entry));
		return false;
	}
	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(entry))) {
		complain(t, entry, "'%s' takes variable arguments; an entry function takes none, or those of main",
			 t->request->entry);
		return false;
	}
	return true;
}

static void call_entry(struct emitter *e, LLVMValueRef entry)
{
	uint64_t zero = 0;
	uint32_t index = function_index(e->t, entry);
	struct image_function f = *(struct image_function *)builder_at(&e->t->builder, IMAGE_FUNCTIONS, index);
	struct operands list = { 0 };
	if (f.parameters > 0)
		operands_add(&list, number(e, e->t->request->narguments));
	if (f.parameters > 1)
		operands_add(&list, number(e, make_arguments(e)));
	if (f.parameters > 2)
		operands_add(&list,
			     number(e, image_global_address(make_global(e->t, "environ", &zero, sizeof zero, GLOBAL_INTERNAL), 0)));
	uint32_t status = f.results ? new_register(e, f.results) : number(e, 0);
	emit(e, IMAGE_CALL, 0, 0, f.results ? status : NONE, index, builder_pool(&e->t->builder, list.items, list.count),
	     list.count);
	e->location = f.location;
	emit(e, IMAGE_CALL, 0, 0, NONE, extern_index(e->t, "exit", 1, 0), builder_pool(&e->t->builder, &status, 1), 1);
	emit(e, IMAGE_UNREACHABLE, 0, 0, NONE, NONE, NONE, NONE);
	free(list.items);
}

uint32_t make_start(struct translation *t, LLVMValueRef entry)
{
	size_t count;
	struct image_function f = { .name = builder_string(&t->builder, "_start", 6), .location = location_of(t, entry) };
	uint32_t index = t->start = add_function(t, &f, NULL);
	struct constructor *all = constructors(t, "llvm.global_ctors", &count);
	struct emitter e = { .t = t, .area = NONE, .location = f.location };
	choose_input(&e); /* constructors may read it */
	choose_environment(&e);
	choose_variables(&e);
	call_all(&e, all, count, false);
	call_entry(&e, entry);
	finish_function(&e, &f);
	*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index) = f;
	free(all);
	return index;
}

/* ---- what stands in for external functions --------------------------------------------------------------------------- */

/* Return an instruction or a variable in which the address of `function` is taken; NULL if the function is only called. */
static LLVMValueRef taker_of(LLVMValueRef function)
{
	LLVMValueRef taker = NULL;
	for (LLVMUseRef use = LLVMGetFirstUse(function); use && !(taker && LLVMIsAInstruction(taker)); use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool called = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
		if (LLVMIsAConstant(user) && !LLVMIsAGlobalVariable(user))
			user = taker_of(user);
		if (user && !called)
			taker = user;
	}
	return taker;
}

static void stand_in_for(struct translation *t, uint32_t external, LLVMValueRef taker)
{
	struct image_function f = *(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, external);
	struct emitter e = { .t = t, .area = NONE, .location = location_of(t, taker) };
	struct operands list = { 0 };
	for (uint32_t i = 0; i < f.parameters; i++)
		operands_add(&list, new_register(&e, 1));
	assert(e.registers == f.parameters); /* parameters are registers 0, 1, ... */
	uint32_t result = f.results ? new_register(&e, f.results) : NONE;
	emit(&e, IMAGE_CALL, 0, 0, result, external, builder_pool(&t->builder, list.items, list.count), list.count);
	list.count = 0;
	for (uint32_t i = 0; i < f.results; i++)
		operands_add(&list, result + i);
	emit(&e, IMAGE_RET, 0, 0, NONE, builder_pool(&t->builder, list.items, list.count), list.count, NONE);
	free(list.items);
	f.flags = f.location = 0;
	uint32_t index = add_function(t, &f, NULL);
	finish_function(&e, &f);
	*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index) = f;
	assert(index > external); /* 0 stands for none */
	((struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, external))->stand_in = index;
}

void make_stand_ins(struct translation *t)
{
	for (uint32_t i = 0, count = (uint32_t)t->nfunctions; i < count; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		LLVMValueRef function = LLVMGetNamedFunction(t->module, builder_at(&t->builder, IMAGE_STRINGS, f->name));
		LLVMValueRef taker = function ? taker_of(function) : NULL;
		if (taker && (f->flags & FUNCTION_EXTERN) && !(f->flags & (FUNCTION_VARIADIC | FUNCTION_TWICE)))
			stand_in_for(t, i, taker);
	}
}
