/* SPDX-License-Identifier: MIT
 *
 * The program as a whole: from what is named at its start to all that is reachable, and the result.
 */
#include "analyse/analyse.h"
#include "lower/lower.h"
#include "read/read.h"
#include "request/request.h"
#include "symbols/symbols.h"
#include "../runtime/image/policy.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Translate functions and globals, which name one another, until no new one is named. */
static void translate_reachable(struct translation *t)
{
	size_t function = 0, global = 0;
	while (function < t->nfunctions || global < t->nglobals) {
		if (function < t->nfunctions) {
			uint32_t index = (uint32_t)function++;
			if (!t->function_queue[index])
				continue;
			struct image_function f = *(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index);
			if (LLVMIsDeclaration(t->function_queue[index]))
				lower_provided(t, function_name(t->function_queue[index]), &f);
			else
				lower_function(t, t->function_queue[index], &f);
			assert(f.ncode > 0 && !(f.flags & FUNCTION_EXTERN));
			*(struct image_function *)builder_at(&t->builder, IMAGE_FUNCTIONS, index) = f;
		} else {
			uint32_t index = (uint32_t)global++;
			if (t->global_queue[index])
				fill_global(t, index, t->global_queue[index]);
		}
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_external(struct translator_result *result, const char *name)
{
	assert(*name);
	result->externals = xrealloc(result->externals, (result->nexternals + 1) * sizeof *result->externals);
	result->externals[result->nexternals++] = xstrdup(name);
}

static void list_externals(struct translation *t)
{
	struct translator_result *result = t->result;
	for (uint32_t i = 0; i < t->nfunctions; i++) {
		const struct image_function *f = builder_at(&t->builder, IMAGE_FUNCTIONS, i);
		const char *name = builder_at(&t->builder, IMAGE_STRINGS, f->name);
		bool own = (f->flags & FUNCTION_LIBRARY) && builtin_policy(name) == POLICY_UNKNOWN; /* a helper of ours */
		if ((f->flags & (FUNCTION_EXTERN | FUNCTION_LIBRARY)) && !own)
			add_external(result, name);
	}
	for (size_t i = 0; i < result->nuses; i++) /* an alias has no function of its own */
		if (result->uses[i].kind == USE_FUNCTION)
			add_external(result, result->uses[i].name);
	if (result->nexternals)
		qsort(result->externals, result->nexternals, sizeof *result->externals, by_name);
}

/* Return why the argument in analyse/relevance.c does not hold for this program and this check; NULL if it does. */
static const char *why_not_sliced(const struct translation *t, const struct image_options *options)
{
	const struct translator_request *r = t->request;
	return options->hidden                      ? "the program hides pointers" :
		options->optimised                  ? "the program was optimized" :
		options->identity != IDENTITY_STATE ? "--identity compares more than states" :
		r->nviews                           ? "--mask or --abstract is used" :
		r->nsuppressions || r->ntolerated   ? "faults are suppressed" :
						      NULL;
}

static bool may_slice(const struct translation *t, const struct image_options *options)
{
	const char *why = why_not_sliced(t, options);
	t->result->why_off[REDUCTION_SLICING_NUMBER] = why;
	return (options->reductions & REDUCTION_SLICING) && !why;
}

/* Does the argument in analyse/owners.c hold?  Under other memory models, an access does more than to find the newest value. */
static bool may_own(const struct image_options *options)
{
	return (options->reductions & REDUCTION_OWNED) && !options->hidden && options->memory == MEMORY_SC;
}

/* List the functions that are not in the image, because nothing there names them. */
static void list_unnamed(struct translation *t)
{
	uint32_t index;
	for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
		const char *name = function_name(f);
		if (LLVMIsDeclaration(f) || is_library(f) || map_get(t->functions, f, &index) || begins(name, "__bitspin"))
			continue;
		struct image_unnamed row = { function_text(t, f), location_of(t, f) };
		builder_add(&t->builder, IMAGE_UNNAMED, &row, 1);
	}
}

static void translate(struct translation *t)
{
	LLVMValueRef entry = LLVMGetNamedFunction(t->module, t->request->entry);
	if (!check_entry(t, entry))
		return;
	assert(entry);
	make_destructors(t);
	struct image_options options = t->request->options;
	options.optimised = t->optimised;
	options.unmarked = t->unmarked;
	add_properties(t); /* before any code is made that calls a watched function */
	options.start = make_start(t, entry);
	options.exit = t->exit_in_c ? extern_index(t, "exit", 1, 0) : IMAGE_NONE;
	add_views(t);
	translate_reachable(t);
	make_stand_ins(t);
	check_told(t);
	make_budgets(t);
	list_orders(t);
	options.order = find_order(t);
	if (options.memory == MEMORY_C11)
		options.order |= find_stale(t);
	add_suppressions(t, &options);
	if (!t->spins)
		options.reductions &= ~(uint32_t)REDUCTION_SPINS;
	if (!note_handles(t)) {
		options.reductions &= ~(uint32_t)REDUCTION_SYMMETRY;
		t->result->why_off[REDUCTION_SYMMETRY_NUMBER] = "more is done with handles of threads than to join them";
	}
	options.handles = handles_are_not_told(t);
	finish_uses(t);
	note_atomics(t);
	if (t->result->nmessages == 0)
		mark_questions(t);
	if (t->result->nmessages == 0 && !why_not_sliced(t, &options))
		choose_values(t);
	if (t->result->nmessages || !may_slice(t, &options) || !slice_image(t))
		options.reductions &= ~(uint32_t)REDUCTION_SLICING;
	if (t->result->nmessages || !may_own(&options) || !mark_owned(t, options.start, options.exit))
		options.reductions &= ~(uint32_t)REDUCTION_OWNED;
	assert(t->nfunctions == t->builder.sections[IMAGE_FUNCTIONS].count &&
	       t->nglobals == t->builder.sections[IMAGE_GLOBALS].count);
	builder_add(&t->builder, IMAGE_OPTIONS, &options, 1);
	note_passed_inputs(t);
	list_unnamed(t);
	list_externals(t);
}

int translator_run(const struct translator_request *request, const char *output, struct translator_result *result)
{
	assert(request->npaths > 0 && output);
	struct translation t = { .request = request, .result = result };
	*result = (struct translator_result){ 0 };
	builder_init(&t.builder);
	if (load_program(&t) == 0)
		translate(&t);
	if (result->nmessages == 0 && builder_write(&t.builder, output) < 0)
		complain(&t, NULL, "cannot write '%s': %s", output, strerror(errno));
	unload_program(&t);
	builder_release(&t.builder);
	map_free(&t.globals);
	map_free(&t.functions);
	map_free(&t.types);
	free(t.function_queue);
	free(t.input_calls);
	free(t.environment);
	free(t.global_queue);
	return result->nmessages ? -1 : 0;
}

void translator_result_release(struct translator_result *result)
{
	for (size_t i = 0; i < result->nmessages; i++) {
		free(result->messages[i].file);
		free(result->messages[i].function);
		free(result->messages[i].text);
	}
	free(result->messages);
	for (size_t i = 0; i < result->nexternals; i++)
		free(result->externals[i]);
	free(result->externals);
	for (size_t i = 0; i < result->nnotes; i++)
		free(result->notes[i]);
	free(result->notes);
	for (size_t i = 0; i < result->ninputs; i++) {
		free(result->inputs[i].name);
		free(result->inputs[i].place);
	}
	free(result->inputs);
	for (size_t i = 0; i < result->nuses; i++) {
		free(result->uses[i].name);
		free(result->uses[i].file);
		free(result->uses[i].function);
	}
	free(result->uses);
	for (size_t i = 0; i < result->natomics; i++) {
		free(result->atomics[i].file);
		free(result->atomics[i].function);
	}
	free(result->atomics);
	free(result->weaker_file);
	free(result->orders_narrow);
	*result = (struct translator_result){ 0 };
}
