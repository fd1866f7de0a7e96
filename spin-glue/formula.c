/* SPDX-License-Identifier: MIT
 *
 * See formula.h.  What a formula means is ltl/'s business; here are the options, SPIN's part of the construction, and the
 * names of the functions by which the VM evaluates C expressions.
 */
#include "formula.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail_at(struct ltl_error *error, const char *file)
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

/* SPIN's automaton for the negated formula, as text. */
static char *automaton_of(const struct job *job, const struct ltl_formula *formula)
{
	char *negated = ltl_spin(formula, true);
	char *output = text("%s/claim", job->work), *errors = text("%s/claim.err", job->work);
	const char *const argv[] = { "spin", "-f", negated, NULL };
	run_tool(&(struct process){ .argv = argv, .output = output, .errors = errors }, "spin");
	check_space();
	char *automaton = read_file(output, NULL);
	if (!automaton || !strstr(automaton, "never"))
		fail("internal error: SPIN cannot make an automaton of '%s'; this is a bug in bitspin, please report it", negated);
	free(negated);
	free(output);
	free(errors);
	return automaton;
}

static struct formula *add(struct formulas *formulas, const struct job *job, const char *name)
{
	formulas->items = realloc(formulas->items, (formulas->count + 1) * sizeof *formulas->items);
	if (!formulas->items)
		BUG("out of memory");
	struct formula *formula = &formulas->items[formulas->count++];
	*formula = (struct formula){
		.name = text("%s", name), .fairness = (enum ltl_fairness)job->options.fairness, .verdict = VERDICT_ERROR,
	};
	return formula;
}

static void add_formula(struct formulas *formulas, const struct job *job, const struct ltl_names *names,
			const char *name, const char *source, const char *file)
{
	struct formula *formula = add(formulas, job, name);
	struct ltl_error error;
	if (ltl_parse(source, names, &formula->propositions, &formula->parsed, &error) < 0)
		fail_at(&error, file);
	formula->automaton = automaton_of(job, &formula->parsed);
	if (formula->parsed.note && !job->options.quiet)
		fprintf(stderr, "bitspin: %s\n", formula->parsed.note);
}

static void add_file(struct formulas *formulas, const struct job *job, const struct ltl_names *names)
{
	size_t count;
	char *bytes = read_file(job->options.ltl_file, NULL);
	if (!bytes)
		fail("cannot read '%s': %s", job->options.ltl_file, strerror(errno));
	char **lines = ltl_split(bytes, &count);
	if (count == 0)
		fail("there is no formula in '%s'", job->options.ltl_file);
	for (size_t i = 0; i < count; i++) {
		add_formula(formulas, job, names, lines[i], lines[i], NULL);
		free(lines[i]);
	}
	free(lines);
	free(bytes);
}

static void add_never(struct formulas *formulas, const struct job *job, const struct ltl_names *names)
{
	struct ltl_error error;
	char *bytes = read_file(job->options.never, NULL);
	if (!bytes)
		fail("cannot read '%s': %s", job->options.never, strerror(errno));
	struct formula *formula = add(formulas, job, job->options.never);
	formula->by_user = true;
	formula->automaton = ltl_never(bytes, names, &formula->propositions, &error);
	if (!formula->automaton)
		fail_at(&error, job->options.never);
	formula->counts_steps = !ltl_is_stutter_closed(formula->automaton, formula->propositions.count);
	free(bytes);
}

static void add_properties(struct formulas *formulas, const struct job *job, const struct ltl_names *names)
{
	for (size_t i = 0; i < job->options.properties.count; i++) {
		const char *property = job->options.properties.items[i];
		char *source = strcmp(property, "termination") == 0 ? ltl_termination() :
			strcmp(property, "progress") == 0 ? ltl_progress() : NULL;
		if (source)
			add_formula(formulas, job, names, property, source, NULL);
		free(source);
	}
}

static void add_invariants(struct formulas *formulas, const struct job *job, const struct ltl_names *names)
{
	const struct list *texts = &job->options.invariants;
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
			fail_at(&error, NULL);
	}
}

void formulas_read(struct formulas *formulas, const struct job *job)
{
	struct ltl_definition *definitions = calloc(job->options.definitions.count + 1, sizeof *definitions);
	struct ltl_error error;
	if (!definitions)
		BUG("out of memory");
	for (size_t i = 0; i < job->options.definitions.count; i++)
		if (ltl_definition_parse(job->options.definitions.items[i], &definitions[i], &error) < 0)
			fail_at(&error, NULL);
	struct ltl_names names = { .definitions = definitions, .ndefinitions = job->options.definitions.count };
	for (size_t i = 0; i < job->options.ltl.count; i++)
		add_formula(formulas, job, &names, job->options.ltl.items[i], job->options.ltl.items[i], NULL);
	if (job->options.ltl_file)
		add_file(formulas, job, &names);
	if (job->options.never)
		add_never(formulas, job, &names);
	add_properties(formulas, job, &names);
	add_invariants(formulas, job, &names);
	for (size_t i = 0; i < job->options.definitions.count; i++)
		ltl_definition_release(&definitions[i]);
	free(definitions);
}

void formulas_add_starvation(struct formulas *formulas, const struct job *job, unsigned threads)
{
	bool wanted = false;
	for (size_t i = 0; i < job->options.properties.count; i++)
		wanted = wanted || strcmp(job->options.properties.items[i], "starvation") == 0;
	for (unsigned thread = 0; wanted && thread < threads; thread++) {
		char *source = ltl_starvation(thread), *name = text("no starvation of thread %u", thread);
		add_formula(formulas, job, &(struct ltl_names){ 0 }, name, source, NULL);
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
		free(formula->reason);
		free(formula->vacuous);
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
	for (size_t i = 0; i < formulas->ninvariants; i++)
		if (formula == &formulas->invariants[i])
			return text("__bitspin_part_%zu_%zu", i, proposition);
	return text("__bitspin_proposition_%zu_%zu", (size_t)(formula - formulas->items), proposition);
}

/* Invariants first, then formulas. */
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

/* ---- claims -------------------------------------------------------------------------------------------------------- */

const char *fairness_text(enum ltl_fairness fairness)
{
	static const char *const texts[] = {
		[LTL_UNFAIR] = "no fairness: a thread may be passed over for ever",
		[LTL_WEAK] = "weak fairness: a thread that can go on from some time on for ever does go on",
		[LTL_STRONG] = "strong fairness: a thread that can go on again and again does go on",
	};
	return texts[fairness];
}

/* How much stands before a guard that begins with a bracket, if the text is at such a place; else 0. */
static size_t before_guard(const char *claim)
{
	static const char *const before[] = { ":: d_step { ", ":: atomic { ", ":: " };
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		size_t length = strlen(before[i]);
		if (strncmp(claim, before[i], length) == 0 && claim[length] == '(')
			return length;
	}
	return 0;
}

/* An execution that an assumption or a violation has cut short is none: there the claim must not go on, in no guard. */
static char *guarded(const char *claim)
{
	char *result;
	size_t size;
	FILE *out = open_memstream(&result, &size);
	if (!out)
		BUG("out of memory");
	fputs("#define goes_on (c_expr { vm_goes_on (now.vm) })\n", out);
	while (*claim) {
		size_t length = before_guard(claim), taken = length ? length : 1;
		fprintf(out, "%.*s%s", (int)taken, claim, length ? "goes_on && " : "");
		claim += taken;
	}
	if (fclose(out) != 0)
		BUG("out of memory");
	return result;
}

/* The first of the characters in Promela text, comments and lines of the preprocessor apart; NULL: none. */
static const char *first_of(const char *promela, const char *characters)
{
	for (const char *at = promela; *at; at++) {
		if (strncmp(at, "/*", 2) == 0) {
			at = strstr(at + 2, "*/");
			if (!at)
				return NULL;
			at++;
		} else if (*at == '#') {
			at += strcspn(at, "\n") - 1;
		} else if (strchr(characters, *at)) {
			return at;
		}
	}
	return NULL;
}

/* Where a proposition cannot be evaluated in the first state the claim must not judge it, but go on: the next step is the
 * violation that says so.  With an option of its first statement, which must have options then. */
static char *tolerant(const char *claim, const char *file)
{
	static const char option[] = ":: c_expr { vm_faulty (now.vm) }\n\t";
	const char *body = first_of(claim, "{"), *first = body ? first_of(body, ":;(") : NULL;
	while (first && first[0] == ':' && first[1] != ':') /* behind a label */
		first = first_of(first + 1, ":;(");
	if (!first || *first != ':')
		fail("%s: a never claim must begin with 'do' or 'if'", file ? file : "internal error");
	return text("%.*s%s%s", (int)(first - claim), claim, option, first);
}

static const char *file_of(const struct formula *formula)
{
	return formula->by_user ? formula->name : NULL;
}

/* Why a claim cannot be fair between so many threads; NULL if it can. */
static char *unfair_reason(const struct formula *formula, unsigned threads)
{
	if (formula->fairness == LTL_UNFAIR || threads <= LTL_MAX_FAIR)
		return NULL;
	return text("fairness between more than %d threads; see --fairness none", LTL_MAX_FAIR);
}

char *formula_claim(const struct formula *formula, unsigned threads)
{
	struct ltl_error error;
	size_t count = formula->propositions.count;
	uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
	struct ltl_claim_request request = {
		.by_user = formula->by_user, .text = formula->name, .uses = all,
		.propositions = &formula->propositions, .fairness = formula->fairness, .moved = "last", .threads = threads,
	};
	char *reason = unfair_reason(formula, threads);
	if (reason)
		fail("%s", reason);
	char *claim = ltl_claim(&request, formula->automaton, &error);
	if (!claim)
		fail_at(&error, file_of(formula));
	char *going = guarded(claim), *whole = tolerant(going, file_of(formula));
	free(going);
	free(claim);
	return whole;
}

/* ---- checking ------------------------------------------------------------------------------------------------------ */

static void take_result(struct job *job, struct formula *formula)
{
	formula->verdict = job->verdict;
	free(formula->reason);
	formula->reason = job->reason ? text("%s", job->reason) : NULL;
	formula->statistics = job->statistics;
	bool asked = formula->parsed.root && strcmp(formula->name, formula->parsed.text) == 0; /* by the user, not ready-made */
	/* What nothing violates is not searched for: then there are no states but the first. */
	if (formula->verdict == VERDICT_VERIFIED && asked && job->valuations_known && job->statistics.states > 1)
		formula->vacuous = ltl_vacuous(&formula->parsed, job->valuations, job->nvaluations);
}

/* Does a formula that is violated without fairness hold with weak fairness? */
static bool holds_if_fair(struct job *job, const struct list *bitcode, struct formula *formula)
{
	json_t *found = job->violations;
	enum verdict verdict = job->verdict;
	struct statistics statistics = job->statistics;
	job->violations = json_array();
	formula->fairness = LTL_WEAK;
	free(search_program(job, bitcode));
	bool holds = job->verdict == VERDICT_VERIFIED;
	formula->fairness = LTL_UNFAIR;
	json_decref(job->violations);
	job->violations = found;
	job->verdict = verdict;
	job->statistics = statistics;
	return holds;
}

void formula_check(struct job *job, const struct list *bitcode, struct formula *formula)
{
	formula->reason = unfair_reason(formula, job->threads);
	if (formula->reason) {
		formula->verdict = VERDICT_INCONCLUSIVE;
		return;
	}
	job->formula = formula;
	char *pan = search_program(job, bitcode);
	explain_violations(job, pan);
	take_result(job, formula);
	const char *kind = json_string_value(json_object_get(json_array_get(job->violations, 0), "kind"));
	bool ltl = kind && strcmp(kind, "ltl") == 0;
	if (ltl && !formula->by_user && formula->fairness == LTL_UNFAIR && job->threads <= LTL_MAX_FAIR)
		formula->needs_unfairness = holds_if_fair(job, bitcode, formula);
	job->formula = NULL;
	free(job->pan);
	job->pan = pan;
}
