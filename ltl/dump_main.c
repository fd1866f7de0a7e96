/* SPDX-License-Identifier: MIT
 *
 * bitspin-ltl: formulas and claims as text, for tests and for the curious.
 */
#include "ltl.h"
#include "../runtime/image/standard.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

struct words {
	char **items;
	size_t count;
};

struct arguments {
	struct words predicates, functions, labels, valuations;
	struct ltl_definition *definitions;
	size_t ndefinitions;
	const char *formula, *claim, *never;
	enum ltl_fairness fairness;
	unsigned threads;
	bool split, stutter, automaton, owed;
};

static void add_words(struct words *words, char *list)
{
	for (char *word; (word = strsep(&list, ","));) {
		words->items = realloc(words->items, (words->count + 1) * sizeof *words->items);
		words->items[words->count++] = word;
	}
}

static int complain(struct ltl_error *error)
{
	char *text = ltl_error_text(error);
	fputs(text, stderr);
	free(text);
	ltl_error_release(error);
	return 2;
}

static void add_definition(struct arguments *arguments, const char *text)
{
	struct ltl_error error;
	size_t n = arguments->ndefinitions;
	arguments->definitions = realloc(arguments->definitions, (n + 1) * sizeof *arguments->definitions);
	if (ltl_definition_parse(text, &arguments->definitions[n], &error) < 0)
		exit(complain(&error));
	arguments->ndefinitions++;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	switch (key) {
	case 'p': add_definition(arguments, value); return 0;
	case 'f': add_words(&arguments->functions, value); return 0;
	case 'i': add_words(&arguments->predicates, value); return 0;
	case 'l': add_words(&arguments->labels, value); return 0;
	case 'v': add_words(&arguments->valuations, value); return 0;
	case 'c': arguments->claim = value; return 0;
	case 'n': arguments->never = value; return 0;
	case 'w':
	case 's':
		arguments->fairness = key == 'w' ? LTL_WEAK : LTL_STRONG;
		arguments->threads = (unsigned)strtoul(value, NULL, 10);
		return 0;
	case 'a': arguments->automaton = true; return 0;
	case 'o': arguments->owed = true; return 0;
	case 'F': arguments->split = true; return 0;
	case 't': arguments->stutter = true; return 0;
	case ARGP_KEY_ARG:
		if (arguments->formula)
			argp_usage(state);
		arguments->formula = value;
		return 0;
	case ARGP_KEY_END:
		if (!arguments->formula == !arguments->never)
			argp_usage(state);
		return 0;
	default: return ARGP_ERR_UNKNOWN;
	}
}

static char *read_all(FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	ssize_t n = file ? getdelim(&text, &size, '\0', file) : -1;
	if (n < 0 && text)
		text[0] = '\0';
	else if (n < 0 && file)
		text = calloc(1, 1);
	return text;
}

static void print_propositions(const struct ltl_propositions *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct ltl_proposition *p = &all->items[i];
		printf("p%zu: %s: %s", i, p->text, ltl_kind_name(p->kind));
		if (p->name)
			printf(" %s", p->name);
		if (p->thread >= 0)
			printf(" thread %d", p->thread);
		printf(" at %zu\n", p->offset);
	}
}

static void print_vacuity(const struct ltl_formula *formula, const struct words *words)
{
	uint64_t valuations[64];
	size_t count = 0;
	for (; count < words->count && count < 64; count++)
		valuations[count] = strtoull(words->items[count], NULL, 0);
	char *vacuous = ltl_vacuous(formula, valuations, count);
	printf("vacuous: %s\n", vacuous ? vacuous : "no");
	free(vacuous);
}

static int print_claim(struct ltl_claim_request *request, const char *path)
{
	struct ltl_error error = { 0 };
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *automaton = read_all(file), *claim = automaton ? ltl_claim(request, automaton, &error) : NULL;
	if (!automaton)
		fprintf(stderr, "bitspin-ltl: cannot read '%s'\n", path);
	else if (claim)
		fputs(claim, stdout);
	else
		complain(&error);
	int status = claim ? 0 : 2;
	free(automaton);
	free(claim);
	return status;
}

static int print_formula(const struct arguments *arguments, const struct ltl_names *names)
{
	struct ltl_propositions propositions = { 0 };
	struct ltl_formula formula;
	struct ltl_error error;
	if (ltl_parse(arguments->formula, names, &propositions, &formula, &error) < 0) {
		ltl_propositions_release(&propositions);
		return complain(&error);
	}
	int status = 0;
	struct ltl_claim_request request = {
		.text = formula.text,
		.uses = ltl_uses(&formula),
		.propositions = &propositions,
		.fairness = arguments->fairness,
		.threads = arguments->threads,
	};
	if (arguments->automaton) {
		char *text = ltl_buchi(&formula, true, arguments->owed ? 0 : LTL_FEW_EDGES, &error);
		status = text ? 0 : complain(&error);
		fputs(text ? text : "", stdout);
		free(text);
	} else if (arguments->claim) {
		status = print_claim(&request, arguments->claim);
	} else {
		char *spin = ltl_spin(&formula, true), *people = ltl_print(&formula, &propositions);
		printf("%s\n%s\n", spin, people);
		if (formula.note)
			printf("note: %s\n", formula.note);
		print_propositions(&propositions);
		free(spin);
		free(people);
	}
	if (arguments->valuations.items)
		print_vacuity(&formula, &arguments->valuations);
	ltl_formula_release(&formula);
	ltl_propositions_release(&propositions);
	return status;
}

static int print_never(const struct arguments *arguments, const struct ltl_names *names)
{
	struct ltl_propositions propositions = { 0 };
	struct ltl_error error = { 0 };
	FILE *file = fopen(arguments->never, "r");
	char *text = read_all(file), *never = text ? ltl_never(text, names, &propositions, &error) : NULL, *claim = NULL;
	uint64_t all = propositions.count < 64 ? (UINT64_C(1) << propositions.count) - 1 : UINT64_MAX;
	struct ltl_claim_request request = {
		.by_user = true,
		.text = "a claim",
		.uses = all,
		.propositions = &propositions,
		.fairness = arguments->fairness,
		.threads = arguments->threads,
	};
	if (never)
		claim = ltl_claim(&request, never, &error);
	if (claim && arguments->stutter) {
		puts(ltl_is_stutter_closed(never, propositions.count) ? "closed under stuttering" : "may count steps");
	} else if (claim) {
		print_propositions(&propositions);
		fputs(claim, stdout);
	} else if (text) {
		fprintf(stderr, "line %u: ", ltl_error_line(&error));
		complain(&error);
	}
	int status = claim ? 0 : 2;
	if (file)
		fclose(file);
	free(text);
	free(never);
	free(claim);
	ltl_propositions_release(&propositions);
	return status;
}

static int print_split(const char *text)
{
	size_t count;
	char **formulas = ltl_split(text, &count);
	for (size_t i = 0; i < count; i++) {
		printf("%zu: %s\n", i, formulas[i]);
		free(formulas[i]);
	}
	free(formulas);
	return 0;
}

static const struct argp_option options[] = {
	{ "prop", 'p', "NAME=EXPR", 0, "a definition", 0 },
	{ "predicates", 'i', "NAME,...", 0, "the program's functions int NAME(void); else any name is one", 0 },
	{ "functions", 'f', "NAME,...", 0, "all its functions", 0 },
	{ "labels", 'l', "NAME,...", 0, "its labels", 0 },
	{ "vacuity", 'v', "BITS,...", 0, "valuations that occurred: is the formula vacuous?", 0 },
	{ "claim", 'c', "FILE", 0, "print the claim for an automaton, in FILE ('-': standard input)", 0 },
	{ "automaton", 'a', NULL, 0, "print the Buechi automaton of the negated formula, for --claim", 0 },
	{ "owed", 'o', NULL, 0, "with -a: what is owed stands apart, however small the automaton is", 0 },
	{ "never", 'n', "FILE", 0, "read a never claim instead of a formula", 0 },
	{ "stutter", 't', NULL, 0, "of a never claim, print whether it is shown to be closed under stuttering", 0 },
	{ "weak", 'w', "N", 0, "weak fairness between N threads", 0 },
	{ "strong", 's', "N", 0, "strong fairness between N threads", 0 },
	{ "split", 'F', NULL, 0, "split the text into formulas, as in a file of them", 0 },
	{ 0 },
};

int main(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "FORMULA", "Print what bitspin reads in a formula.", 0, 0, 0 };
	struct arguments arguments = { 0 };
	image_open_standard();
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	const struct ltl_names names = {
		arguments.definitions,
		arguments.ndefinitions,
		(const char *const *)arguments.predicates.items,
		arguments.predicates.count,
		(const char *const *)arguments.functions.items,
		arguments.functions.count,
		(const char *const *)arguments.labels.items,
		arguments.labels.count,
	};
	int status = arguments.split ? print_split(arguments.formula) :
		arguments.never      ? print_never(&arguments, &names) :
				       print_formula(&arguments, &names);
	for (size_t i = 0; i < arguments.ndefinitions; i++)
		ltl_definition_release(&arguments.definitions[i]);
	free(arguments.definitions);
	free(arguments.predicates.items);
	free(arguments.functions.items);
	free(arguments.labels.items);
	free(arguments.valuations.items);
	return status;
}
