/* SPDX-License-Identifier: MIT
 *
 * What formulas and invariants speak of: functions to evaluate, functions and labels where threads are.  A name that the
 * program does not have is an error, not a proposition that is never true.
 */
#include "request.h"
#include "../read/read.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct names {
	const char **items;
	size_t count;
	bool complete; /* there are no others */
};

static void add(struct names *names, const char *name)
{
	names->items = xrealloc(names->items, (names->count + 1) * sizeof *names->items);
	names->items[names->count++] = name;
}

static bool has(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

/* Return the functions of the user that have a body. */
static struct names functions_of(const struct translation *t)
{
	struct names names = { .complete = true };
	for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);
		if (!LLVMIsDeclaration(f) && !is_library(f) && !begins(name, "__bitspin_"))
			add(&names, name);
	}
	return names;
}

/* Return the string literal that `value` is the address of, or NULL. */
static const char *literal(LLVMValueRef value)
{
	size_t length;
	while (LLVMIsAConstantExpr(value) && LLVMGetNumOperands(value) > 0)
		value = LLVMGetOperand(value, 0);
	if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value))
		return NULL;
	LLVMValueRef bytes = LLVMGetInitializer(value);
	return bytes && LLVMIsAConstantDataSequential(bytes) && LLVMIsConstantString(bytes) ? LLVMGetAsString(bytes, &length) :
											      NULL;
}

/* Return the labels that bitspin_label() is called with. */
static struct names labels_of(const struct translation *t)
{
	struct names names = { .complete = true };
	LLVMValueRef function = LLVMGetNamedFunction(t->module, "bitspin_label");
	add(&names, "bitspin_progress");
	for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef call = LLVMGetUser(use);
		const char *label = LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function ?
			literal(LLVMGetOperand(call, 0)) :
			NULL;
		names.complete = names.complete && label;
		if (label && !has(&names, label))
			add(&names, label);
	}
	return names;
}

/* Complain that there is no `what` named `name`, and name the one in `names` that may have been meant. */
static void complain_of_name(struct translation *t, const char *what, const char *name, const struct names *names)
{
	const char *(*nearest)(const char *, const char *const *, size_t) = t->request->nearest;
	const char *other = nearest ? nearest(name, names->items, names->count) : NULL;
	if (other)
		complain(t, NULL, "there is no %s named '%s' in the program; did you mean '%s'?", what, name, other);
	else
		complain(t, NULL, "there is no %s named '%s' in the program", what, name);
}

static bool check_label(struct translation *t, const char *label)
{
	struct names names = labels_of(t);
	bool known = !names.complete || has(&names, label);
	if (!known)
		complain_of_name(t, "bitspin_label", label, &names);
	free(names.items);
	return known;
}

static bool evaluated_by_function(const struct translator_property *p)
{
	return p->kind == PROPERTY_EXPRESSION || p->kind == PROPERTY_SHOWN || (p->kind == PROPERTY_INVARIANT && !p->formula);
}

/* Return the function that the property names, or complain and return NULL. */
static LLVMValueRef function_named(struct translation *t, const struct translator_property *p)
{
	LLVMValueRef function = LLVMGetNamedFunction(t->module, p->function);
	bool evaluated = evaluated_by_function(p);
	if (function && !LLVMIsDeclaration(function) && !(evaluated && LLVMCountParams(function) != 0))
		return function;
	if (evaluated) {
		complain(t, NULL, "there is no function 'int %s(void)' in the program", p->function);
		return NULL;
	}
	struct names names = functions_of(t);
	complain_of_name(t, "function with a body", p->function, &names);
	free(names.items);
	return NULL;
}

static void add_property(struct translation *t, const struct translator_property *p)
{
	assert(p->function || !evaluated_by_function(p));
	assert(p->label || p->kind != PROPERTY_AT);
	LLVMValueRef function = p->function ? function_named(t, p) : NULL;
	if ((p->function && !function) || (p->label && !check_label(t, p->label)))
		return;
	struct image_property property = {
		.kind = p->kind,
		.function = function ? function_index(t, function) : 0,
		.text = builder_string(&t->builder, p->text, strlen(p->text)),
		.label = p->label ? builder_string(&t->builder, p->label, strlen(p->label)) : 0,
		.thread = p->thread < 0 ? IMAGE_NONE : (uint32_t)p->thread,
		.part = p->part,
		.formula = IMAGE_NONE,
		.nformula = (uint32_t)p->nformula,
	};
	if (p->formula)
		property.formula = builder_pool(&t->builder, p->formula, p->nformula);
	if (evaluated_by_function(p) && p->kind != PROPERTY_SHOWN)
		property_reads(t, function, &property);
	if (p->kind == PROPERTY_IN)
		((struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, property.function))->flags |= FUNCTION_WATCHED;
	builder_add(&t->builder, IMAGE_PROPERTIES, &property, 1);
}

void add_properties(struct translation *t)
{
	for (size_t i = 0; i < t->request->nproperties; i++)
		add_property(t, &t->request->properties[i]);
}
