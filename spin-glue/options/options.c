/* SPDX-License-Identifier: MIT
 *
 * From the command line to struct options, by argp; the table is option.def.
 */
#include "options.h"
#include "../../ltl/ltl.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { C = 1, G = 2, R = 4, M = 8, A = 16 };

enum option_id {
#define OPTION(name, long_name, letter, argument, commands, help) OPT_##name,
#include "option.def"
#undef OPTION
	OPTIONS
};

enum { KEY = 0x1000 }; /* keys of options without a letter */

static const struct {
	const char *long_name;
	int letter;
	const char *argument;
	int commands;
	const char *help;
} table[OPTIONS] = {
#define OPTION(name, long_name, letter, argument, commands, help) { long_name, letter, argument, commands, help },
#include "option.def"
#undef OPTION
};

static int command_bit(char command)
{
	return command == 'C' ? C : command == 'G' ? G : command == 'M' ? M : command == 'A' ? A : R;
}

static unsigned long count(const char *option, const char *value, unsigned long most)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);
	if (*end || end == value || n == 0 || n > most || *value == '-')
		fail("--%s takes a whole number from 1 to %lu, not '%s'", option, most, value);
	return n;
}

/* Is `value` the first or the second of two words? */
static bool second(const char *option, const char *value, const char *first_word, const char *second_word)
{
	if (strcmp(value, second_word) == 0)
		return true;
	if (strcmp(value, first_word) != 0)
		fail("--%s takes '%s' or '%s', not '%s'", option, first_word, second_word, value);
	return false;
}

const struct reduction reductions[REDUCTIONS] = {
#define REDUCTION(name, text, meaning, saved) { text, saved },
#include "../../runtime/image/reduction.def"
#undef REDUCTION
};

static unsigned reduction_set(const char *value)
{
	unsigned set = 0;
	char *copy = text("%s", value), *rest = copy, *word;
	if (strcmp(value, "none") == 0)
		rest = NULL;
	while ((word = strsep(&rest, ","))) {
		size_t i = 0;
		while (i < REDUCTIONS && strcmp(word, reductions[i].name) != 0)
			i++;
		if (i == REDUCTIONS)
			fail("there is no reduction '%s'; known are %s and %s", word, reductions[0].name, reductions[1].name);
		set |= 1u << i;
	}
	free(copy);
	return set;
}

static void set_preemptions(struct options *o, const char *value)
{
	enum { MOST = 200 };
	char *end = NULL;
	o->bounded = true;
	o->iterate = strncmp(value, "iterate", 7) == 0;
	o->preemptions = MOST;
	const char *number = o->iterate && value[7] == ':' ? value + 8 : value;
	if (o->iterate && value[7] == '\0')
		return;
	unsigned long n = strtoul(number, &end, 10);
	if (end == number || *end || n > MOST || *number == '-' || (o->iterate && value[7] != ':'))
		fail("--preemptions takes a number from 0 to %d, 'iterate' or 'iterate:N', not '%s'", MOST, value);
	o->preemptions = (unsigned)n;
}

static const char *const identity_names[] = {
#define IDENTITY(name, text, meaning) text,
#include "../../runtime/image/identity.def"
#undef IDENTITY
};

const char *identity_name(enum image_identity identity)
{
	return identity_names[identity];
}

/* "hb,lcd": an identity and whether local cycles are cut. */
static void set_identity(struct options *o, const char *value)
{
	enum { IDENTITIES = sizeof identity_names / sizeof *identity_names };
	char *copy = text("%s", value), *rest = copy, *word = strsep(&rest, ",");
	size_t i = 0;
	while (i < IDENTITIES && strcmp(word, identity_names[i]) != 0)
		i++;
	if (i == IDENTITIES)
		fail("there is no identity '%s'; known are state, hb and path", word);
	if (rest && strcmp(rest, "lcd") != 0)
		fail("after an identity comes 'lcd' or nothing, not '%s'", rest);
	o->identity = (enum image_identity)i;
	o->local_cycles = rest != NULL;
	if (o->local_cycles && o->identity == IDENTITY_STATE)
		fail("'lcd' goes with the identities hb and path; equal states match in any case");
	free(copy);
}

static int fairness(const char *value)
{
	static const char *const names[] = { [LTL_UNFAIR] = "none", [LTL_WEAK] = "weak", [LTL_STRONG] = "strong" };
	for (int i = 0; i < 3; i++)
		if (strcmp(value, names[i]) == 0)
			return i;
	fail("--fairness takes 'weak', 'strong' or 'none', not '%s'", value);
}

static void add_property(struct options *o, const char *value)
{
	static const char *const names[] = { "termination", "progress", "starvation" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(value, names[i]) == 0) {
			list_add(&o->properties, value);
			return;
		}
	fail("there is no property '%s'; known are termination, progress and starvation", value);
}

static void set(struct options *o, enum option_id option, const char *value)
{
	switch (option) {
	case OPT_INCLUDE: list_addf(&o->clang, "-I%s", value); break;
	case OPT_DEFINE: list_addf(&o->clang, "-D%s", value); break;
	case OPT_UNDEFINE: list_addf(&o->clang, "-U%s", value); break;
	case OPT_STD: list_addf(&o->clang, "-std=%s", value); break;
	case OPT_OPTIMISE:
		if (strlen(value) != 1 || !strchr("0123", *value))
			fail("-O takes 0, 1, 2 or 3, not '%s'", value);
		o->optimised = *value != '0';
		list_addf(&o->clang, "-O%s", value);
		break;
	case OPT_DEBUG: break;
	case OPT_ENTRY: o->entry = value; break;
	case OPT_RACES:
		o->races_given = true;
		o->races_ignore = second("races", value, "report", "ignore");
		break;
	case OPT_NO_DEADLOCK: o->no_deadlock = true; break;
	case OPT_DEADLOCK: o->total_deadlocks = second("deadlock", value, "circular", "total"); break;
	case OPT_LEAKS: o->leaks = true; break;
	case OPT_ALIGNMENT:
		o->alignment_given = true;
		o->alignment_ignore = second("alignment", value, "report", "ignore");
		break;
	case OPT_CALLS:
		o->calls_given = true;
		o->calls_ignore = second("calls", value, "report", "ignore");
		break;
	case OPT_OVERFLOW: o->overflow = true; break;
	case OPT_HIDDEN_POINTERS: o->hidden = true; break;
	case OPT_UNINITIALIZED: o->zeroed = second("uninitialized", value, "report", "zero"); break;
	case OPT_INVARIANT: list_add(&o->invariants, value); break;
	case OPT_LTL: list_add(&o->ltl, value); break;
	case OPT_LTL_FILE: o->ltl_file = value; break;
	case OPT_NEVER: o->never = value; break;
	case OPT_PROP: list_add(&o->definitions, value); break;
	case OPT_PROPERTY: add_property(o, value); break;
	case OPT_FAIRNESS: o->fairness = fairness(value); break;
	case OPT_MASK: list_add(&o->masks, value); break;
	case OPT_ABSTRACT: list_add(&o->abstractions, value); break;
	case OPT_EXTERN: list_add(&o->externs, value); break;
	case OPT_NONDET: list_add(&o->nondets, value); break;
	case OPT_FAULTS: list_add(&o->faults, value); break;
	case OPT_ENV: list_add(&o->environment, value); break;
	case OPT_FS: o->fs = value; break;
	case OPT_ARG: list_add(&o->values, value); break;
	case OPT_INPUT: list_add(&o->inputs, value); break;
	case OPT_ALPHABET:
		if (o->alphabet)
			fail("--stdin-bytes is given twice; name the longest text and all letters in one");
		o->alphabet = value;
		break;
	case OPT_PREEMPTIONS: set_preemptions(o, value); break;
	case OPT_REDUCTION: o->reductions = reduction_set(value); break;
	case OPT_IDENTITY: set_identity(o, value); break;
	case OPT_PROFILE:
		if (strcmp(value, "svcomp") != 0)
			fail("--profile knows 'svcomp' only, not '%s'", value);
		o->svcomp = true;
		break;
	case OPT_THREADS: o->threads = (unsigned)count("threads", value, 248); break;
	case OPT_MAX_MEMORY: o->max_memory = count("max-memory", value, 32768); break;
	case OPT_MAX_DEPTH: o->max_depth = count("max-depth", value, 1000000000); break;
	case OPT_MAX_TIME: o->max_time = count("max-time", value, 1000000000); break;
	case OPT_ALL: o->all = true; break;
	case OPT_SEARCH:
		second("search", value, "dfs", "bfs");
		o->search = value;
		break;
	case OPT_JSON: o->json = value; break;
	case OPT_KEEP: o->keep = value; break;
	case OPT_OUTPUT: o->output = value; break;
	case OPT_TO: o->directory = value; break;
	case OPT_QUIET: o->quiet = true; break;
	case OPTIONS: break;
	}
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	if (key == ARGP_KEY_ARG) {
		list_add(&options->files, value);
		return 0;
	}
	for (int i = 0; i < OPTIONS; i++)
		if (key == (table[i].letter ? table[i].letter : KEY + i)) {
			set(options, (enum option_id)i, value);
			return 0;
		}
	return ARGP_ERR_UNKNOWN;
}

static const char *const usage[] = {
	['C'] = "check FILE... [-- ARG...]",
	['G'] = "generate FILE... -o DIR [-- ARG...]",
	['R'] = "replay DIR|TRAIL",
	['M'] = "compare FILE... [-- ARG...]",
	['A'] = "audit FILE... [-- ARG...]",
};

static const char *const purpose[] = {
	['C'] = "Check a multi-threaded C program: .c, .bc or .ll files, linked together.\v"
		"Exit status: 0 verified, 1 violated, 2 error, 3 inconclusive.",
	['G'] = "Write a Promela model, a program image and a Makefile, to run SPIN's pan by hand.",
	['M'] = "Set our search of a program beside those of SCALE and CHESS.\v"
		"Exit status: 0 verified, 1 violated, 2 error, 3 inconclusive.",
	['A'] = "List the external functions, intrinsics and inline assembly that a program can reach, how they are treated, and what "
		"a verdict would assume.\vExit status: 0 it can be checked, 1 something is refused, 2 error.",
	['R'] = "Tell the story of a trail that check --keep, or pan in a generated directory, has left.",
};

/* The argp table for one command. */
static struct argp argp_for(char command, struct argp_option *rows)
{
	int n = 0;
	for (int i = 0; i < OPTIONS; i++)
		if (table[i].commands & command_bit(command))
			rows[n++] = (struct argp_option){
				.name = table[i].long_name, .key = table[i].letter ? table[i].letter : KEY + i, .arg = table[i].argument,
				.doc = table[i].help,
			};
	rows[n] = (struct argp_option){ 0 };
	return (struct argp){ .options = rows, .parser = parse, .args_doc = usage[(int)command] + strcspn(usage[(int)command], " ") + 1,
			      .doc = purpose[(int)command] };
}

void options_help(char command)
{
	struct argp_option rows[OPTIONS + 1];
	struct argp argp = argp_for(command, rows);
	char *name = text("bitspin %.*s", (int)strcspn(usage[(int)command], " "), usage[(int)command]);
	argp_help(&argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK, name);
	free(name);
}

/* argp knows no "-std=c11"; and what follows "--" belongs to the program. */
static void rewrite(struct options *options, int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			for (int k = i + 1; k < *argc; k++)
				list_add(&options->arguments, argv[k]);
			*argc = i;
		} else if (strncmp(argv[i], "-std=", 5) == 0) {
			list_add(&options->clang, argv[i]);
			for (int k = i--; k + 1 < *argc; k++)
				argv[k] = argv[k + 1];
			(*argc)--;
		}
	}
}

static bool is_identifier(const char *name)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	return *name && strspn(name, letters) == strlen(name) && !(*name >= '0' && *name <= '9');
}

/* Formulas need a search that finds cycles of states, whole and unabridged. */
static void require_liveness(const struct options *o, char command)
{
	size_t wanted = o->ltl.count + o->properties.count + (o->ltl_file != NULL) + (o->never != NULL);
	if (wanted + o->invariants.count == 0 && o->definitions.count)
		fail("--prop names propositions for formulas, but there is no formula; see --ltl");
	if (wanted == 0)
		return;
	if (strcmp(o->search, "dfs") != 0)
		fail("--search %s cannot find cycles, which formulas need; use dfs", o->search);
	if (o->bounded)
		fail("--preemptions cuts schedules, so it says nothing of cycles; check formulas without it");
	if (o->identity != IDENTITY_STATE || o->masks.count || o->abstractions.count)
		fail("formulas need states matched as they are, without --identity, --mask and --abstract");
	if (o->output)
		fail("--output is for sequential programs; check formulas without it");
	if (command == 'G' && (wanted > 1 || (o->properties.count && strcmp(o->properties.items[0], "starvation") == 0)))
		fail("a model has one claim; generate takes one formula, and no starvation (write its formula for a thread)");
}

static void require(const struct options *options, char command)
{
	if (options->files.count == 0)
		fail("%s", command == 'R' ? "replay needs a directory or a trail" :
		     "no program given; name a .c, .bc or .ll file (see 'bitspin --help')");
	if (command == 'G' && !options->directory)
		fail("generate needs a directory to write to: -o DIR");
	if (options->masks.count && options->abstractions.count)
		fail("--mask and --abstract do not go together: the view of an abstraction stands for all globals");
	for (size_t i = 0; i < options->abstractions.count; i++)
		if (!is_identifier(options->abstractions.items[i]))
			fail("--abstract takes the name of a function, not '%s'", options->abstractions.items[i]);
	if (options->overflow && options->optimised)
		fail("--overflow needs -O0: an optimiser computes what the program may not, so that an overflow means nothing");
	if (options->inputs.count && options->alphabet)
		fail("--stdin and --stdin-bytes do not go together: standard input is one of the files, or any text");
	if (options->local_cycles && strcmp(options->search, "bfs") == 0)
		fail("--identity with 'lcd' needs --search dfs: a breadth-first search has no path");
	require_liveness(options, command);
	if (command == 'R' && options->files.count > 1)
		fail("replay takes one directory or trail");
}

void options_parse(struct options *options, char command, int argc, char **argv)
{
	struct argp_option rows[OPTIONS + 1];
	struct argp argp = argp_for(command, rows);
	*options = (struct options){ .entry = "main", .search = "dfs", .reductions = REDUCTION_ALL, .fairness = LTL_WEAK };
	argp_err_exit_status = 2;
	rewrite(options, &argc, argv);
	argp_parse(&argp, argc, argv, 0, NULL, options);
	if (options->output)
		options->reductions = 0; /* they try steps more than once, and each try prints */
	if (options->svcomp && !options->races_given)
		options->races_ignore = true;
	if (options->svcomp && !options->alignment_given)
		options->alignment_ignore = true;
	if (options->svcomp && !options->calls_given)
		options->calls_ignore = true;
	if (options->svcomp)
		options->no_deadlock = true;
	require(options, command);
}

void options_release(struct options *options)
{
	list_release(&options->files);
	list_release(&options->arguments);
	list_release(&options->clang);
	list_release(&options->invariants);
	list_release(&options->ltl);
	list_release(&options->definitions);
	list_release(&options->properties);
	list_release(&options->masks);
	list_release(&options->abstractions);
	list_release(&options->externs);
	list_release(&options->nondets);
	list_release(&options->faults);
	list_release(&options->environment);
	list_release(&options->values);
	list_release(&options->inputs);
}
