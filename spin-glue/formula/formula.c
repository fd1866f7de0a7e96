/* SPDX-License-Identifier: MIT
 *
 * See formula.h.  What a formula means is ltl/'s business; here are the options, and the
 * names of the functions by which the VM evaluates C expressions.
 */
#include "formula.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void formula_fail_at(struct ltl_error *error, const char *file)
{
	char *told = ltl_error_text(error);
	size_t length = strlen(told);
	while (length && told[length - 1] == '\n')
		told[--length] = '\0';
	if (file)
		fail("%s:%u: %s", file, ltl_error_line(error), told);
	fail("%s", told);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static struct formula *add(struct formulas *formulas, const char *name)
{
	assert(name && formulas->options);
	formulas->items = realloc(formulas->items, (formulas->count + 1) * sizeof *formulas->items);
	if (!formulas->items)
		BUG("out of memory");
	struct formula *formula = &formulas->items[formulas->count++];
	*formula = (struct formula){
		.name = text("%s", name),
		.fairness = (enum ltl_fairness)formulas->options->fairness,
		.verdict = VERDICT_ERROR,
	};
	return formula;
}

static void add_formula(struct formulas *formulas, const struct ltl_names *names, const char *name, const char *source)
{
	struct formula *formula = add(formulas, name);
	struct ltl_error error;
	if (ltl_parse(source, names, &formula->propositions, &formula->parsed, &error) < 0)
		formula_fail_at(&error, NULL);
	formula->automaton = ltl_buchi(&formula->parsed, true, LTL_FEW_EDGES, &error);
	if (!formula->automaton)
		formula_fail_at(&error, NULL);
}

/* Add the user's formula `source`.  A conjunction is split: it holds if each of its parts does, and the report can say which one
 * does not. */
static void add_asked(struct formulas *formulas, const struct ltl_names *names, const char *source)
{
	struct ltl_propositions propositions = { 0 };
	struct ltl_formula parsed;
	struct ltl_error error;
	size_t count = 0;
	if (ltl_parse(source, names, &propositions, &parsed, &error) < 0)
		formula_fail_at(&error, NULL);
	if (parsed.note && !formulas->options->quiet)
		fprintf(stderr, "bitspin: %s\n", parsed.note);
	char **conjuncts = ltl_conjuncts(&parsed, &count);
	assert(count > 0);
	if (formulas->whole || count == 1)
		add_formula(formulas, names, source, source);
	for (size_t i = 0; i < count; i++) {
		if (!formulas->whole && count > 1)
			add_formula(formulas, names, conjuncts[i], conjuncts[i]);
		free(conjuncts[i]);
	}
	free(conjuncts);
	ltl_formula_release(&parsed);
	ltl_propositions_release(&propositions);
}

/* Add the definitions in `names`, without a formula: the model gets a macro for each. */
static void add_vocabulary(struct formulas *formulas, const struct ltl_names *names)
{
	struct formula *formula = add(formulas, "a claim in the model");
	char *macros = text("%s", "");
	formula->fairness = LTL_UNFAIR;
	for (size_t i = 0; i < names->ndefinitions; i++) {
		struct ltl_formula parsed;
		struct ltl_error error;
		const char *name = names->definitions[i].name;
		if (ltl_parse(name, names, &formula->propositions, &parsed, &error) < 0)
			formula_fail_at(&error, NULL);
		assert(parsed.root->op == LTL_PROPOSITION);
		char *longer = text("%s#define %s (c_expr { vm_holds (now.vm, %u) }) /* %s */\n", macros, name,
				    parsed.root->proposition, formula->propositions.items[parsed.root->proposition].source);
		free(macros);
		macros = longer;
		ltl_formula_release(&parsed);
	}
	formula->macros = macros;
}

static void add_file(struct formulas *formulas, const struct ltl_names *names)
{
	size_t count;
	char *bytes = read_file(formulas->options->ltl_file, NULL);
	if (!bytes)
		fail("cannot read '%s': %s", formulas->options->ltl_file, strerror(errno));
	char **lines = ltl_split(bytes, &count);
	if (count == 0)
		fail("there is no formula in '%s'", formulas->options->ltl_file);
	for (size_t i = 0; i < count; i++) {
		add_asked(formulas, names, lines[i]);
		free(lines[i]);
	}
	free(lines);
	free(bytes);
}

static void add_never(struct formulas *formulas, const struct ltl_names *names)
{
	struct ltl_error error;
	char *bytes = read_file(formulas->options->never, NULL);
	if (!bytes)
		fail("cannot read '%s': %s", formulas->options->never, strerror(errno));
	struct formula *formula = add(formulas, formulas->options->never);
	formula->by_user = true;
	formula->automaton = ltl_never(bytes, names, &formula->propositions, &error);
	if (!formula->automaton)
		formula_fail_at(&error, formulas->options->never);
	formula->counts_steps = !ltl_is_stutter_closed(formula->automaton, formula->propositions.count);
	if (formula->counts_steps && image_inputs_are_whole(formulas->options->input_values))
		fail("'%s' may count steps, and --inputs sets and symbolic add some to those of the program; --inputs enumerate does not",
		     formula->name);
	free(bytes);
}

static void add_properties(struct formulas *formulas, const struct ltl_names *names)
{
	for (size_t i = 0; i < formulas->options->properties.count; i++) {
		const char *property = formulas->options->properties.items[i];
		char *source = strcmp(property, "termination") == 0 ? ltl_termination() :
			strcmp(property, "progress") == 0           ? ltl_progress() :
			strcmp(property, "lock-free") == 0          ? ltl_termination() :
								      NULL;
		char *name = strcmp(property, "lock-free") == 0 ? text("lock-free: %s", source) : text("%s", property);
		if (source)
			add_formula(formulas, names, name, source);
		free(name);
		free(source);
	}
}

static void add_invariants(struct formulas *formulas, const struct ltl_names *names)
{
	assert(!formulas->invariants && formulas->ninvariants == 0);
	const struct list *texts = &formulas->options->invariants;
	formulas->invariants = calloc(texts->count + 1, sizeof *formulas->invariants);
	if (!formulas->invariants)
		BUG("out of memory");
	for (; formulas->ninvariants < texts->count; formulas->ninvariants++) {
		const char *source = texts->items[formulas->ninvariants];
		struct formula *invariant = &formulas->invariants[formulas->ninvariants];
		struct ltl_error error;
		invariant->name = text("%s", source);
		if (ltl_is_formula(source, names) &&
		    ltl_parse_state(source, names, &invariant->propositions, &invariant->parsed, &error) < 0)
			formula_fail_at(&error, NULL);
	}
}

void formulas_read(struct formulas *formulas, const struct options *options, bool whole)
{
	assert(!formulas->items && formulas->count == 0);
	struct ltl_definition *definitions = calloc(options->definitions.count + 1, sizeof *definitions);
	struct ltl_error error;
	formulas->options = options;
	formulas->whole = whole;
	if (!definitions)
		BUG("out of memory");
	for (size_t i = 0; i < options->definitions.count; i++)
		if (ltl_definition_parse(options->definitions.items[i], &definitions[i], &error) < 0)
			formula_fail_at(&error, NULL);
	struct ltl_names names = { .definitions = definitions, .ndefinitions = options->definitions.count };
	for (size_t i = 0; i < options->ltl.count; i++)
		add_asked(formulas, &names, options->ltl.items[i]);
	if (options->ltl_file)
		add_file(formulas, &names);
	if (options->never)
		add_never(formulas, &names);
	add_properties(formulas, &names);
	add_invariants(formulas, &names);
	if (formulas->count + formulas->ninvariants == 0 && names.ndefinitions)
		add_vocabulary(formulas, &names);
	for (size_t i = 0; i < options->definitions.count; i++)
		ltl_definition_release(&definitions[i]);
	free(definitions);
}

static bool is_wanted(const struct formulas *formulas, const char *property)
{
	for (size_t i = 0; i < formulas->options->properties.count; i++)
		if (strcmp(formulas->options->properties.items[i], property) == 0)
			return true;
	return false;
}

void formulas_add_threads(struct formulas *formulas, unsigned threads)
{
	assert(formulas->options);
	bool starvation = is_wanted(formulas, "starvation"), lock_free = is_wanted(formulas, "lock-free");
	for (unsigned thread = 0; thread < threads; thread++) {
		char *source = starvation ? ltl_starvation(thread) : text("[] !blocked(%u)", thread);
		char *name = starvation ? text("no starvation of thread %u", thread) : text("lock-free: %s", source);
		if (starvation || (lock_free && thread > 0)) /* main waits for the others */
			add_formula(formulas, &(struct ltl_names){ 0 }, name, source);
		free(source);
		free(name);
	}
}

static void release(struct formula *formulas, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct formula *formula = &formulas[i];
		free(formula->name);
		free(formula->automaton);
		free(formula->macros);
		free(formula->reason);
		free(formula->vacuous);
		free(formula->idle);
		ltl_propositions_release(&formula->propositions);
		if (formula->parsed.text)
			ltl_formula_release(&formula->parsed);
	}
	free(formulas);
}

void formulas_release(struct formulas *formulas)
{
	release(formulas->items, formulas->count);
	release(formulas->invariants, formulas->ninvariants);
	*formulas = (struct formulas){ 0 };
}

/* ---- functions for the VM ------------------------------------------------------------------------------------------ */

char *formula_function(const struct formulas *formulas, const struct formula *formula, size_t proposition)
{
	assert(proposition < formula->propositions.count);
	for (size_t i = 0; i < formulas->ninvariants; i++)
		if (formula == &formulas->invariants[i])
			return text("__bitspin_part_%zu_%zu", i, proposition);
	assert(formula >= formulas->items && formula < formulas->items + formulas->count);
	return text("__bitspin_proposition_%zu_%zu", (size_t)(formula - formulas->items), proposition);
}

/* Return number `number` of all: invariants come first, then formulas. */
static const struct formula *formula_at(const struct formulas *formulas, size_t number)
{
	if (number < formulas->ninvariants)
		return &formulas->invariants[number];
	return number - formulas->ninvariants < formulas->count ? &formulas->items[number - formulas->ninvariants] : NULL;
}

const struct ltl_proposition *formulas_expression(const struct formulas *formulas, size_t number, char **function)
{
	const struct formula *formula;
	for (size_t i = 0; (formula = formula_at(formulas, i)); i++) {
		for (size_t k = 0; k < formula->propositions.count; k++) {
			if (!ltl_is_c(&formula->propositions.items[k]) || number-- > 0)
				continue;
			if (function)
				*function = formula_function(formulas, formula, k);
			return &formula->propositions.items[k];
		}
	}
	return NULL;
}

bool formulas_name_functions(const struct formulas *formulas)
{
	const struct formula *formula;
	for (size_t i = 0; formulas && (formula = formula_at(formulas, i)); i++)
		for (size_t k = 0; k < formula->propositions.count; k++)
			if (formula->propositions.items[k].kind == LTL_KIND_IN)
				return true;
	return false;
}
