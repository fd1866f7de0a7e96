/* SPDX-License-Identifier: MIT
 *
 * Linker sets: the variables of a section whose name is one of C lie one behind the other, from __start_NAME to __stop_NAME, two
 * symbols that the linker defines.  Here they become the fields of one variable, which is called __start_NAME.
 */
#include "passes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define START "__start_"
#define STOP  "__stop_"

/* The section as it grows: padding and variables, in order. */
struct linker_set {
	const char *name;
	LLVMValueRef *fields;    /* initializers */
	LLVMValueRef *variables; /* NULL: padding */
	unsigned count, alignment;
	unsigned long long size;
	bool constant;
};

static bool is_in(LLVMValueRef variable, const char *section)
{
	const char *own = LLVMGetSection(variable);
	return own && strcmp(own, section) == 0 && LLVMGetInitializer(variable) && !LLVMIsThreadLocal(variable);
}

static void add_field(struct linker_set *s, LLVMValueRef initializer, LLVMValueRef variable)
{
	s->fields = xrealloc(s->fields, (s->count + 1) * sizeof *s->fields);
	s->variables = xrealloc(s->variables, (s->count + 1) * sizeof *s->variables);
	s->fields[s->count] = initializer;
	s->variables[s->count++] = variable;
}

static void add_variable(const struct translation *t, struct linker_set *s, LLVMValueRef variable)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(t->module);
	LLVMTypeRef type = LLVMGlobalGetValueType(variable);
	unsigned alignment = LLVMGetAlignment(variable);
	if (!alignment)
		alignment = LLVMABIAlignmentOfType(layout, type);
	assert(alignment && (alignment & (alignment - 1)) == 0);
	unsigned padding = (unsigned)((alignment - s->size % alignment) % alignment);
	if (padding)
		add_field(s, LLVMConstNull(LLVMArrayType(LLVMInt8TypeInContext(t->context), padding)), NULL);
	add_field(s, LLVMGetInitializer(variable), variable);
	s->size += padding + LLVMABISizeOfType(layout, type);
	s->alignment = alignment > s->alignment ? alignment : s->alignment;
	s->constant = s->constant && LLVMIsGlobalConstant(variable);
}

static void replace(LLVMValueRef old, LLVMValueRef address)
{
	LLVMReplaceAllUsesWith(old, LLVMConstBitCast(address, LLVMTypeOf(old)));
	assert(!LLVMGetFirstUse(old));
	LLVMDeleteGlobal(old);
}

/* Return the address of field number `index` of `whole`; with `index` = `count`, that of its end. */
static LLVMValueRef address_of(const struct translation *t, LLVMTypeRef type, LLVMValueRef whole, unsigned index, unsigned count)
{
	assert(index <= count);
	LLVMTypeRef word = LLVMInt32TypeInContext(t->context);
	LLVMValueRef zero = LLVMConstInt(word, 0, false), one = LLVMConstInt(word, 1, false);
	LLVMValueRef field[] = { zero, LLVMConstInt(word, index, false) };
	return index < count ? LLVMConstGEP2(type, whole, field, 2) : LLVMConstGEP2(type, whole, &one, 1);
}

static void join(const struct translation *t, struct linker_set *s)
{
	assert(s->count > 0);
	char name[256];
	LLVMValueRef fields = LLVMConstStructInContext(t->context, s->fields, s->count, true);
	LLVMTypeRef type = LLVMTypeOf(fields);
	assert(LLVMABISizeOfType(LLVMGetModuleDataLayout(t->module), type) == s->size); /* the linker leaves the same gaps */
	LLVMValueRef whole = LLVMAddGlobal(t->module, type, "");
	LLVMSetInitializer(whole, fields);
	LLVMSetLinkage(whole, LLVMInternalLinkage);
	LLVMSetGlobalConstant(whole, s->constant);
	LLVMSetAlignment(whole, s->alignment);
	for (unsigned i = 0; i < s->count; i++)
		if (s->variables[i])
			replace(s->variables[i], address_of(t, type, whole, i, s->count));
	snprintf(name, sizeof name, STOP "%s", s->name);
	LLVMValueRef stop = LLVMGetNamedGlobal(t->module, name);
	if (stop)
		replace(stop, address_of(t, type, whole, s->count, s->count));
	snprintf(name, sizeof name, START "%s", s->name);
	LLVMValueRef start = LLVMGetNamedGlobal(t->module, name);
	if (start)
		replace(start, whole);
	LLVMSetValueName2(whole, name, strlen(name));
}

/* Return the name of the section that `variable`, a symbol of the linker, begins or ends; NULL if it is no such symbol. */
static const char *section_of(LLVMValueRef variable)
{
	size_t length;
	const char *name = LLVMGetValueName2(variable, &length);
	if (LLVMGetInitializer(variable))
		return NULL;
	return begins(name, START) ? name + strlen(START) : begins(name, STOP) ? name + strlen(STOP) : NULL;
}

/* Delete the lists that keep variables from passes: they may list whole variables only, and are no uses of these. */
static void forget_lists(const struct translation *t)
{
	static const char *const lists[] = { "llvm.used", "llvm.compiler.used" };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		LLVMValueRef list = LLVMGetNamedGlobal(t->module, lists[i]);
		if (list)
			LLVMDeleteGlobal(list);
	}
}

static bool join_section(const struct translation *t, const char *name)
{
	struct linker_set s = { .name = name, .alignment = 1, .constant = true };
	for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g; g = LLVMGetNextGlobal(g))
		if (is_in(g, name))
			add_variable(t, &s, g);
	if (s.count)
		join(t, &s);
	free(s.fields);
	free(s.variables);
	return s.count > 0;
}

/* Join one set after the other: each time, the two symbols of the set are gone. */
void join_sections(struct translation *t)
{
	forget_lists(t);
	for (bool again = true; again;) {
		again = false;
		for (LLVMValueRef g = LLVMGetFirstGlobal(t->module); g && !again; g = LLVMGetNextGlobal(g)) {
			char *name = section_of(g) ? xstrdup(section_of(g)) : NULL;
			again = name && join_section(t, name);
			free(name);
		}
	}
}
