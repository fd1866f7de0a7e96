/* SPDX-License-Identifier: MIT
 *
 * What a program uses that it does not define: external functions, intrinsics, inline assembly; where, and whether bitspin
 * supports it.  All that is not supported is reported, not only the first.
 */
#include "instructions.h"
#include "lower.h"
#include "../read/read.h"
#include "../symbols/symbols.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void add_use(struct emitter *e, enum translator_use_kind kind, const char *name, LLVMValueRef where, bool supported)
{
	struct translation *t = e->t;
	assert(name && (where || kind == USE_FUNCTION));
	if (e->function && is_library(e->function))
		return;
	t->uses = xrealloc(t->uses, (t->nuses + 1) * sizeof *t->uses);
	t->uses[t->nuses++] = (struct use){ kind, xstrdup(name), where, supported, false };
}

void note_refusal(struct emitter *e, const char *text, LLVMValueRef where)
{
	const struct use *last = e->t->nuses ? &e->t->uses[e->t->nuses - 1] : NULL;
	if (!last || last->where != where || last->supported)
		add_use(e, USE_INSTRUCTION, text, where, false);
}

void note_atomics(struct translation *t)
{
	if (!t->weak_exchange)
		return;
	uint32_t budget = t->request->budgets[INJECT_WEAK_CAS];
	char *place = place_text(t, t->weak_exchange);
	if (budget == 0)
		add_note(t,
			 "weak compare-and-exchange operations (the first%s) never fail while the value is the expected one"
			 " (--faults weak-cas:1 lets them fail)",
			 place);
	else if (budget == UINT32_MAX)
		add_note(t,
			 "weak compare-and-exchange operations (the first%s) may fail at any time although the value is the"
			 " expected one (--faults weak-cas:*)",
			 place);
	else
		add_note(t,
			 "weak compare-and-exchange operations (the first%s) may fail, although the value is the expected one,"
			 " at most %u time%s on any path (--faults)",
			 place, budget, budget == 1 ? "" : "s");
	free(place);
}

void note_counter(struct translation *t)
{
	add_note_once(t, "the counter of the processor's cycles (rdtsc) stands still, at 0");
}

void add_note_once(struct translation *t, const char *text)
{
	for (size_t i = 0; i < t->result->nnotes; i++)
		if (strcmp(t->result->notes[i], text) == 0)
			return;
	add_note(t, "%s", text);
}

/* Return why the checker does not do the function `f`, malloc'ed; NULL if it does. */
static char *objection(const struct translation *t, const struct image_function *f, const char *name)
{
	char *text = NULL;
	if (!(f->flags & FUNCTION_EXTERN) || (f->flags & (FUNCTION_HAVOC | FUNCTION_DECLARED)))
		return NULL;
	int length = 0;
	switch (builtin_policy(name)) {
	case POLICY_LIBRARY:
		if (t->request->library)
			length = asprintf(&text, "function '%s' is not in the C library that bitspin was installed with", name);
		else
			length = asprintf(&text, "function '%s' needs bitspin's C library", name);
		break;
	case POLICY_UNKNOWN:
		length = asprintf(&text,
				  "function '%s' is not defined, and bitspin does not provide it; define it, add the file that "
				  "does, or say what it does with --extern %s=nop, fresh:SIZE or others",
				  name, name);
		break;
	default: return NULL;
	}
	return length < 0 ? NULL : text;
}

/* Note that the uses of the function `name` are not supported; complain about each, if `text` says why. */
static bool refuse_uses(struct translation *t, const char *name, const char *text)
{
	bool any = false;
	for (size_t i = 0; i < t->nuses; i++)
		if (t->uses[i].kind == USE_FUNCTION && strcmp(t->uses[i].name, name) == 0) {
			if (text)
				complain(t, t->uses[i].where, "%s", text);
			t->uses[i].supported = false;
			t->uses[i].missing = text;
			any = true;
		}
	return any;
}

static void complain_about(struct translation *t, const char *name, const char *text)
{
	bool placed = refuse_uses(t, name, text);
	LLVMValueRef function = placed ? NULL : LLVMGetNamedFunction(t->module, name);
	LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;
	if (!placed)
		complain(t, use ? LLVMGetUser(use) : function, "%s", text);
}

static bool same_place(const struct translator_use *a, const struct translator_use *b)
{
	return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->line == b->line && !a->file == !b->file &&
		(!a->file || strcmp(a->file, b->file) == 0);
}

static const char *without(const char *prefix, const char *name)
{
	return begins(name, prefix) ? name + strlen(prefix) : name;
}

/* Return the name that the program knows, if write_in_c() or lock_streams() has replaced it by `name`. */
static const char *own_name(const char *name)
{
	const char *rest = without("unlocked_", without("locked_", without("__bitspin_", name)));
	return rest != name && image_builtin_exists(rest) ? rest : name;
}

/* The uses of the result, found by kind, name and place.  Large programs have tens of thousands. */
struct index {
	size_t *places; /* 1 + number of a use; 0: none */
	size_t room;    /* a power of two, more than twice the uses that come */
};

/* Return the place in `index` of a use of `result` that is the same as `use`, or the place for `use`. */
static size_t *place_in(const struct index *index, const struct translator_result *result, const struct translator_use *use)
{
	uint64_t hash = XXH3_64bits_withSeed(use->name, strlen(use->name), (uint64_t)use->kind << 32 | use->line);
	size_t at = hash & (index->room - 1);
	while (index->places[at] && !same_place(&result->uses[index->places[at] - 1], use))
		at = (at + 1) & (index->room - 1);
	return &index->places[at];
}

static void put_use(struct translation *t, struct index *index, const struct use *use)
{
	struct translator_result *result = t->result;
	struct translator_use out = {
		.kind = use->kind, .name = xstrdup(own_name(use->name)), .supported = use->supported, .missing = use->missing
	};
	struct translator_message place = { 0 };
	if (use->where)
		place_of(t, use->where, &place);
	out.file = place.file;
	out.line = place.line;
	out.function = place.function;
	assert(2 * result->nuses < index->room); /* so that a search for a place ends */
	size_t *known = place_in(index, result, &out);
	if (*known) {
		free(out.name);
		free(out.file);
		free(out.function);
		return;
	}
	result->uses = xrealloc(result->uses, (result->nuses + 1) * sizeof out);
	result->uses[result->nuses++] = out;
	*known = result->nuses;
}

static bool is_used_by_library_only(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || !is_library(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
			return false;
	}
	return true;
}

static bool is_called(const struct translation *t, const char *name)
{
	for (size_t i = 0; i < t->nuses; i++)
		if (strcmp(t->uses[i].name, name) == 0)
			return true;
	return false;
}

void note_processor(struct translation *t)
{
	add_note_once(t, "the processor (cpuid) has no extension that programs ask for");
}

/* What libgcc knows of the processor is data (libc/program.c), so that no call tells who asks. */
static void note_processor_data(struct translation *t)
{
	static const char *const data[] = { "__cpu_model", "__cpu_features2" };
	for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
		LLVMValueRef global = LLVMGetNamedGlobal(t->module, data[i]);
		uint32_t index;
		if (global && map_get(t->globals, global, &index))
			note_processor(t);
	}
}

void finish_uses(struct translation *t)
{
	note_processor_data(t);
	struct index index = { .room = 16 };
	while (index.room < 2 * (t->nuses + t->nfunctions) + 2)
		index.room *= 2;
	index.places = calloc(index.room, sizeof *index.places);
	if (!index.places)
		exit(2);
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function f = *(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		const char *name = builder_at(&t->builder, IMAGE_STRINGS, f.name);
		char *text = objection(t, &f, name);
		if (text)
			complain_about(t, name, text);
		free(text);
		bool supported = !(f.flags & FUNCTION_DECLARED) || !is_unsupported(t, name);
		if (!supported)
			refuse_uses(t, name, NULL);
		LLVMValueRef own = f.flags & FUNCTION_EXTERN ? LLVMGetNamedFunction(t->module, name) : NULL;
		if (own && LLVMGetFirstUse(own) && !is_called(t, name) && !is_used_by_library_only(own))
			put_use(t, &index, &(struct use){ USE_FUNCTION, name, NULL, supported, false });
	}
	for (size_t i = 0; i < t->nuses; i++) {
		put_use(t, &index, &t->uses[i]);
		free((char *)t->uses[i].name);
	}
	free(t->uses);
	free(index.places);
}
