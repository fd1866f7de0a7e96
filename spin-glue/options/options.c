/* SPDX-License-Identifier: MIT
 *
 * From the command line to struct options, by argp; the table is option.def.
 */
#include "options.h"
#include "rows.h"
#include "../base/base.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <argp.h>
#include <stdlib.h>
#include <string.h>

/* ---- an argument that is one of several words, "a|b|c" ------------------------------------------------------------- */

enum { NO_WORD = 1000, HELP_KEY = 'h' };

/* Return the number, from 0, of the word `value` among those of `argument`; NO_WORD if it is none of them. */
static unsigned word_number(const char *argument, const char *value)
{
	unsigned number = 0;
	char *copy = text("%s", argument), *rest = copy, *word;
	while ((word = strsep(&rest, "|")) && strcmp(word, value) != 0)
		number++;
	free(copy);
	return word ? number : NO_WORD;
}

/* Return all words of `argument` for people, malloc'ed: each in quotes, with `last` before the last one. */
static char *words(const char *argument, const char *quote, const char *last)
{
	char *all = text("%s", ""), *copy = text("%s", argument), *rest = copy, *word;
	while ((word = strsep(&rest, "|"))) {
		char *longer = text("%s%s%s%s%s", all, !*all ? "" : rest ? ", " : last, quote, word, quote);
		free(all);
		all = longer;
	}
	free(copy);
	return all;
}

/* ---- options with a way of their own ------------------------------------------------------------------------------- */

const struct reduction reductions[REDUCTIONS] = {
#define REDUCTION(name, text, sets, meaning, saved) { text, saved },
#include "../../runtime/image/reduction.def"
#undef REDUCTION
};

static const char *reduction_names(void)
{
	static char names[200];
	for (size_t i = 0; i < REDUCTIONS; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", reductions[i].name);
	assert(strlen(names) + 1 < sizeof names); /* none was cut short */
	return names;
}

/* Return the reductions that `word`, a word of the list, stands for. */
static unsigned reductions_named(const char *word)
{
	if (strcmp(word, "all") == 0)
		return REDUCTION_ALL;
	for (size_t i = 0; i < REDUCTIONS; i++)
		if (strcmp(word, reductions[i].name) == 0)
			return 1u << i;
	fail("there is no reduction '%s'; known are %s", word, reduction_names());
}

/* Set the reductions from a list as "supersteps,ends" or "all,-symmetry".  From left to right, each word adds a reduction, or
 * removes one. */
static void set_reductions(struct options *o, const char *value)
{
	char *copy = text("%s", value), *rest = copy, *word;
	if (strcmp(value, "none") == 0)
		rest = NULL;
	o->reductions = 0;
	while ((word = strsep(&rest, ",")))
		if (*word == '-')
			o->reductions &= ~reductions_named(word + 1);
		else
			o->reductions |= reductions_named(word);
	free(copy);
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
	assert(o->bounded && o->preemptions <= MOST);
}

static void set_memory(struct options *o, const char *value)
{
	static const char *const models[MEMORY_MODELS] = { [MEMORY_SC] = "sc", [MEMORY_C11] = "c11", [MEMORY_TSO] = "tso" };
	const char *colon = strchr(value, ':');
	size_t length = colon ? (size_t)(colon - value) : strlen(value);
	int model = 0;
	while (model < MEMORY_MODELS && !(strlen(models[model]) == length && strncmp(models[model], value, length) == 0))
		model++;
	if (model == MEMORY_MODELS || (model == MEMORY_SC && colon))
		fail("there is no memory model '%s'; known are sc, c11, c11:K, tso and tso:K", value);
	o->memory = (enum image_memory)model;
	o->staleness = 0;
	if (!colon)
		return;
	char *end = NULL;
	unsigned long n = strtoul(colon + 1, &end, 10);
	if (*end || n < 1 || n > IMAGE_MOST_STALENESS || colon[1] < '0' || colon[1] > '9')
		fail("--memory %s:K takes a K from 1 to %d, how many %s, not '%s'", models[model], IMAGE_MOST_STALENESS,
		     model == MEMORY_C11 ? "values of a location can be read" : "stores of a thread can wait", colon + 1);
	o->staleness = (unsigned)n;
}

static const char *const identity_names[] = {
#define IDENTITY(name, text, meaning) text,
#include "../../runtime/image/identity.def"
#undef IDENTITY
};

const char *identity_name(enum image_identity identity)
{
	assert((size_t)identity < sizeof identity_names / sizeof *identity_names);
	return identity_names[identity];
}

/* Set the identity from `value`, which is as "hb,lcd": an identity, and whether local cycles are cut. */
static void set_identity(struct options *o, const char *value)
{
	enum { IDENTITIES = sizeof identity_names / sizeof *identity_names };
	char *copy = text("%s", value), *rest = copy, *word = strsep(&rest, ",");
	size_t i = 0;
	while (i < IDENTITIES && strcmp(word, identity_names[i]) != 0)
		i++;
	if (i == IDENTITIES)
		fail("there is no identity '%s'; known are state, hb, path and scale", word);
	if (rest && strcmp(rest, "lcd") != 0)
		fail("after an identity comes 'lcd' or nothing, not '%s'", rest);
	o->identity = (enum image_identity)i;
	o->local_cycles = rest != NULL;
	if (o->local_cycles && o->identity == IDENTITY_STATE)
		fail("'lcd' goes with the identities hb, path and scale; equal states match in any case");
	free(copy);
}

static void set_optimization(struct options *o, const char *value)
{
	if (strlen(value) != 1 || !strchr("0123", *value))
		fail("-O takes 0, 1, 2 or 3, not '%s'", value);
	o->optimized = *value - '0';
	list_addf(&o->flags.clang, "-O%s", value);
}

static void set_alphabet(struct options *o, const char *value)
{
	if (o->alphabet)
		fail("--stdin-bytes is given twice; name the longest text and all letters in one");
	o->alphabet = value;
}

/* Fail if `value` is none of the words that the argument of `row` lists. */
static void check_word(const struct option_row *row, const char *value)
{
	if (word_number(row->argument, value) == NO_WORD)
		fail("there is no %s '%s'; known are %s", row->long_name, value, words(row->argument, "", " and "));
}

static bool is_identifier(const char *name)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	return *name && strspn(name, letters) == strlen(name) && !(*name >= '0' && *name <= '9');
}

static void check_abstraction(const struct option_row *row, const char *value)
{
	if (!is_identifier(value))
		fail("--%s takes the name of a function, not '%s'", row->long_name, value);
}

static void check_expression(const struct option_row *row, const char *value)
{
	if (value[strspn(value, " \t\n")] == '\0')
		fail("--%s takes an expression of C", row->long_name);
}

static void check_group(const struct option_row *row, const char *value)
{
	enum { MOST = 200 };
	char *end;
	unsigned long n = strtoul(value, &end, 10);
	if (end == value || *end != '=' || !end[1] || *value == '-' || n == 0 || n > MOST)
		fail("--%s takes a number from 1 to %d and an expression, as in 2=f(1), not '%s'", row->long_name, MOST, value);
}

/* ---- the table ----------------------------------------------------------------------------------------------------- */

enum {
	C = OF_CHECK,
	G = OF_GENERATE,
	R = OF_REPLAY,
	M = OF_COMPARE,
	A = OF_AUDIT,
	S = OF_SIMULATE,
	P = OF_PROFILE,
	W = OF_SWARM,
	L = OF_LINEARIZE,
	N = OF_CONFIRM,
	O = OF_ORDERS,
};

/* The place of a field.  It does not compile if the field has another type than its option has values of. */
#define AT(type, name) .field = _Generic(((struct options *)NULL)->name, type : offsetof(struct options, name))
const struct option_row option_rows[OPTIONS] = {
#define FLAG(field)            .kind = KIND_FLAG, AT(bool, field)
#define TEXT(field, text)      .kind = KIND_TEXT, AT(const char *, field), .usual = text
#define WRITES(field, writes)  .kind = KIND_TEXT, AT(const char *, field), .form = writes
#define WORD(field, word)      .kind = KIND_WORD, AT(unsigned, field), .usual = word
#define NUMBER(field, limit)   .kind = KIND_NUMBER, AT(unsigned long, field), .most = limit
#define SECONDS(field, limit)  .kind = KIND_SECONDS, AT(unsigned long, field), .most = limit
#define LIST(field)            .kind = KIND_LIST, AT(struct list, field)
#define CHECKED(field, checks) .kind = KIND_LIST, AT(struct list, field), .check = checks
#define CLANG(form)            .kind = KIND_CLANG, .format = form
#define OWN(sets, text)        .kind = KIND_OWN, .set = sets, .usual = text
#define NONE                   .kind = KIND_NONE
/* clang-format off */
#define OPTION(name, name_, letter_, argument_, commands_, kind_, json_, help_) \
	[OPT_##name] = { .long_name = name_, .letter = letter_, .argument = argument_, .commands = commands_, kind_, .json = json_, \
			 .help = help_ },
/* clang-format on */
#define ALIAS(other, name)
#include "option.def"
};

enum { KEY = 0x1000, USAGE_KEY = 0x4000 }; /* keys of options without a letter */

_Static_assert(LTL_UNFAIR == 0 && LTL_WEAK == 1 && LTL_STRONG == 2, "the words of --fairness");

const void *option_field(const struct options *options, enum option_id option)
{
	assert(option < OPTIONS);
	return (const char *)options + option_rows[option].field;
}

static unsigned long count(const char *option, const char *value, unsigned long most)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);
	if (*end || end == value || n == 0 || n > most || *value == '-')
		fail("--%s takes a whole number from 1 to %lu, not '%s'", option, most, value);
	return n;
}

static unsigned one_of(const struct option_row *row, const char *value)
{
	unsigned number = word_number(row->argument, value);
	if (number == NO_WORD)
		fail("--%s takes %s, not '%s'", row->long_name, words(row->argument, "'", " or "), value);
	return number;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void options_set(struct options *o, enum option_id option, const char *value)
{
	assert(option < OPTIONS && (value || !option_rows[option].argument));
	const struct option_row *row = &option_rows[option];
	void *field = (char *)o + row->field;
	switch (row->kind) {
	case KIND_NONE: break;
	case KIND_FLAG: *(bool *)field = true; break;
	case KIND_TEXT: *(const char **)field = value; break;
	case KIND_WORD: *(unsigned *)field = one_of(row, value); break;
	case KIND_NUMBER: *(unsigned long *)field = count(row->long_name, value, row->most); break;
	case KIND_SECONDS: *(unsigned long *)field = option_seconds(row, value); break;
	case KIND_LIST:
		if (row->check)
			row->check(row, value);
		list_add(field, value);
		break;
	case KIND_CLANG: list_addf(&o->flags.clang, row->format, value); break;
	case KIND_OWN: row->set(o, value); break;
	}
	o->value[option] = value;
}

const char *options_search_word(const struct options *o)
{
	return o->value[OPT_SEARCH];
}

static void set_usual(struct options *o)
{
	*o = (struct options){ .value = calloc(OPTIONS, sizeof *o->value) };
	for (int i = 0; i < OPTIONS; i++)
		if (option_rows[i].usual)
			options_set(o, (enum option_id)i, option_rows[i].usual);
}

/* Set `option` to `value`, unless the user has given it. */
static void set_unless_given(struct options *o, enum option_id option, const char *value)
{
	assert(option_rows[option].usual); /* else what the user has not given would look given */
	if (o->value[option] == option_rows[option].usual)
		options_set(o, option, value);
}

/* ---- argp ---------------------------------------------------------------------------------------------------------- */

static int key_of(int option, char command)
{
	int letter = option_letter((enum option_id)option, command);
	return letter ? letter : KEY + option;
}

struct parsed {
	struct options *options;
	char command;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	const struct parsed *parsed = state->input;
	struct options *options = parsed->options;
	if (key == ARGP_KEY_ARG) {
		list_add(&options->files, value);
		return 0;
	}
	if (key == HELP_KEY || key == '?' || key == USAGE_KEY) {
		if (key == USAGE_KEY)
			argp_state_help(state, stdout, ARGP_HELP_USAGE);
		else
			options_help(parsed->command);
		flush_stdout();
		exit(0);
	}
	for (int i = 0; i < OPTIONS; i++)
		if (option_is_of((enum option_id)i, parsed->command) && key == key_of(i, parsed->command)) {
			options_set(options, (enum option_id)i, value);
			return 0;
		}
	return ARGP_ERR_UNKNOWN;
}

enum { ROWS = OPTIONS + OPTION_ALIASES + 4 /* of the argp table for a command, at most */ };

static struct argp argp_for(char command, struct argp_option *rows)
{
	int n = 0;
	for (enum option_id i = 0; i < OPTIONS; i++) {
		if (!option_is_of(i, command))
			continue;
		rows[n++] = (struct argp_option){
			.name = option_rows[i].long_name,
			.key = key_of((int)i, command),
			.arg = option_rows[i].argument,
		};
		for (size_t k = 0; k < OPTION_ALIASES; k++)
			if (option_aliases[k].option == i)
				rows[n++] = (struct argp_option){ .name = option_aliases[k].name, .flags = OPTION_ALIAS };
	}
	rows[n++] = (struct argp_option){ .key = HELP_KEY };
	rows[n++] = (struct argp_option){ .name = "help", .key = '?' };
	rows[n++] = (struct argp_option){ .name = "usage", .key = USAGE_KEY };
	assert(n < ROWS);
	rows[n] = (struct argp_option){ 0 };
	return (struct argp){ .options = rows, .parser = parse, .args_doc = strchr(options_usage(command), ' ') + 1 };
}

/* Take words[0] if it is a compiler's flag.  Return false if it is argp's, as -O is, which argp then reads as -O1. */
static bool take_flag(struct options *options, char command, char *const *words, struct flag *flag, struct list *rest)
{
	if ((command == 'S' && strcmp(words[0], "-x") == 0) || !flag_read(words, flag) ||
	    (flag->action == FLAG_OUTPUT && command == 'G') || (flag->action == FLAG_OWN && command == 'C'))
		return false;
	if (flag->action != FLAG_LEVEL) {
		flags_add(&options->flags, flag);
		return true;
	}
	if (strcmp(words[0], "-O") != 0 || (words[1] && strlen(words[1]) == 1 && strchr("0123", words[1][0])))
		return false;
	list_add(rest, "-O1");
	return true;
}

static const char *command_word(char command)
{
	static char word[20];
	snprintf(word, sizeof word, "%.*s", (int)strcspn(options_usage(command), " "), options_usage(command));
	return word;
}

/* Return the words that argp gets: argp knows no flags of compilers, and what follows "--" belongs to the program. */
static struct list rewrite(struct options *options, char command, int argc, char **argv)
{
	struct list words = { 0 }, rest = { 0 };
	struct flag flag;
	int n = 0;
	for (; n < argc && strcmp(argv[n], "--") != 0; n++)
		if (command == 'R' || n == 0 || (words.count && option_takes_next(command, words.items[words.count - 1])))
			list_add(&words, argv[n]);
		else
			flags_expand(argv[n], NULL, &words);
	for (n++; n < argc; n++)
		list_add(&options->arguments, argv[n]);
	assert(words.count > 0);
	for (size_t i = 0; i < words.count;) {
		char *const *at = words.items + i;
		if (command != 'R' && i > 0 && take_flag(options, command, at, &flag, &rest)) {
			i += (size_t)flag.words;
			continue;
		}
		if (i > 0)
			option_require(command, command_word(command), at[0]);
		list_add(&rest, at[0]);
		i++;
		if (at[1] && option_takes_next(command, at[0])) {
			list_add(&rest, at[1]);
			i++;
		}
	}
	if (options->flags.refused)
		fail("cannot check with %s", options->flags.refused);
	return rest;
}

static size_t formulas_wanted(const struct options *o)
{
	return o->ltl.count + o->properties.count + (o->ltl_file != NULL) + (o->never != NULL);
}

/* Are propositions named, and nothing is checked of them?  They are for claims that the user will write. */
static bool is_vocabulary(const struct options *o)
{
	return formulas_wanted(o) == 0 && o->invariants.count == 0 && o->definitions.count;
}

bool options_report_waits(const struct options *o)
{
	return !o->waits_ignore && !o->no_deadlock && !o->svcomp && formulas_wanted(o) == 0;
}

/* Refuse what does not go with formulas: they need a search that finds cycles of states, whole and unabridged. */
static void require_liveness(const struct options *o, char command)
{
	size_t wanted = formulas_wanted(o);
	if (is_vocabulary(o) && command != 'G')
		fail("--prop names propositions for formulas, but there is no formula; see --ltl");
	wanted += is_vocabulary(o);
	if (wanted == 0)
		return;
	if (o->search == SEARCH_BREADTH_FIRST)
		fail("--search bfs cannot find cycles, which formulas need; use dfs");
	if (o->search != SEARCH_DEPTH_FIRST || o->cores > 1)
		fail("formulas need a search for cycles of whole states: --search dfs, without --cores");
	if (o->bounded)
		fail("--preemptions leaves out schedules, so it cannot show that a formula holds; check formulas without it");
	if (o->identity != IDENTITY_STATE || o->masks.count || o->abstractions.count)
		fail("formulas need whole states compared; check them without --identity, --mask and --abstract");
	if (o->output)
		fail("--output is for sequential programs; check formulas without it");
	if (command == 'G' && (wanted > 1 || (o->properties.count && strcmp(o->properties.items[0], "starvation") == 0)))
		fail("a model has one claim; generate takes one formula, and no starvation (write its formula for a thread)");
}

bool options_climb(const struct options *o)
{
	return o->search == SEARCH_DEPTH_FIRST && !o->cores && !o->bounded && o->identity == IDENTITY_STATE && !o->all &&
		!o->output && !o->graph;
}

bool options_rest(const struct options *o)
{
	return o->value[OPT_REDUCTION] == option_rows[OPT_REDUCTION].usual && o->search == SEARCH_DEPTH_FIRST && o->cores <= 1 &&
		!o->bounded && o->identity == IDENTITY_STATE && !o->output && !o->graph && !o->checkpoint;
}

/* Refuse searches together with what does not go with them. */
static void require_search(const struct options *o)
{
	const char *word = o->value[OPT_SEARCH];
	bool several = o->cores > 1, partial = o->search > SEARCH_BREADTH_FIRST, views = o->masks.count || o->abstractions.count;
	if (o->shortest && o->search != SEARCH_BREADTH_FIRST)
		fail("--shortest needs --search bfs: another search may find a longer schedule first");
	if (o->walks && o->search != SEARCH_RANDOM)
		fail("--walks is for --search random");
	if (partial && several)
		fail("--cores is for --search dfs and bfs; start several searches with --search %s, each with a --seed of its own",
		     word);
	if (several && o->all)
		fail("--all and --cores do not go together: one process cannot know which faults another has reported");
	if (o->bounded && (several || o->seed || partial))
		fail("--preemptions is a search of its own, by one process and in one order; leave out --cores, --seed and --search");
	if (o->identity != IDENTITY_STATE && (several || partial))
		fail("--identity needs --search dfs or bfs, without --cores: what it compares is not stored by the others");
	if (views && (several || partial))
		fail("--mask and --abstract need --search dfs or bfs, without --cores: the others do not store what these compare");
	if (o->checkpoint && !o->bounded && !options_climb(o))
		fail("--checkpoint keeps bounds on preemptions and random runs that have ended; with another --search, --cores, "
		     "--identity, --all, --graph or --output there are none: leave these out");
	if (o->checkpoint && o->identity != IDENTITY_STATE)
		fail("--checkpoint does not go with --identity");
	if (o->output && (several || o->search == SEARCH_RANDOM))
		fail("--output is for one process that takes each step once; leave out --cores and --search random");
	if (o->search == SEARCH_RANDOM && o->max_depth)
		fail("--search random finds out how long its walks must be; leave out --max-depth");
	if (o->search == SEARCH_RANDOM && o->all)
		fail("--search random ends at the first violation; leave out --all");
}

/* Return why --inputs sets does not go with other options: nothing has been argued for it yet.  NULL: it does.  (Where an input is
 * split only one thread can go on.  pan's own fairness would take the others for disabled.) */
static const char *against_sets(const struct options *o, char command)
{
	if (command == 'G' && (formulas_wanted(o) || is_vocabulary(o)))
		return "goes with formulas in check only: pan's own fairness would not know who can go on";
	if (o->identity != IDENTITY_STATE || o->masks.count || o->abstractions.count)
		return "compares whole states; leave out --identity, --mask and --abstract";
	if (command != 'G' && o->search == SEARCH_RANDOM)
		return "does not go with --search random";
	if (o->output)
		return "does not go with --output: steps are taken back";
	return NULL;
}

static void require_inputs(struct options *o, char command)
{
	bool takes = strchr("CNGOL", command), given = o->value[OPT_INPUTS] != option_rows[OPT_INPUTS].usual;
	const char *against = against_sets(o, command);
	char *any = command == 'A' ? NULL : o->tests ? text("--tests %s", o->tests) : any_given(o);
	if (any && !takes)
		fail("%s is for check, confirm, generate and linearize", any);
	if (any && given && !image_inputs_are_whole(o->input_values))
		fail("%s needs --inputs sets or symbolic", any);
	if (any && against)
		fail("%s needs --inputs sets, which %s", any, against);
	if (any && !given)
		options_set(o, OPT_INPUTS, "sets");
	free(any);
	bool sets = takes && image_inputs_are_whole(o->input_values);
	o->sets_fit = takes && command != 'G' && !against;
	o->inputs_widen = o->sets_fit && !given;
	if (takes && o->max_values && !sets && !o->inputs_widen)
		fail("--max-values is for --inputs sets");
	if (takes && o->solver_budget && o->input_values != INPUTS_SYMBOLIC && !o->inputs_widen)
		fail("--solver-budget is for --inputs symbolic");
	if (sets && against)
		fail("--inputs %s %s", o->value[OPT_INPUTS], against);
}

static void require(struct options *options, char command)
{
	if (options->files.count == 0)
		targets_check(options); /* one of them may have taken the program */
	if (options->files.count == 0)
		fail("%s",
		     command == 'R' ? "replay needs a directory or a trail" :
				      "no program given; name a .c, .bc or .ll file (see 'bitspin --help')");
	if (command == 'G' && !options->directory)
		fail("generate needs a directory to write to: -o DIR");
	if (options->list_plans && options->planned.count == 0)
		fail("--list-plans is for --operations");
	if (options->masks.count && options->abstractions.count)
		fail("--mask and --abstract cannot be used together: the abstraction already covers all globals");
	if (options->overflow && options->optimized)
		fail("--overflow needs -O0: an optimizer may add arithmetic that overflows");
	if (options->inputs.count && options->alphabet)
		fail("--stdin and --stdin-bytes do not go together: standard input is one of the files, or any text");
	require_inputs(options, command);
	if (options->local_cycles && options->search == SEARCH_BREADTH_FIRST)
		fail("--identity with 'lcd' needs --search dfs: a breadth-first search has no path");
	if (options->identity == IDENTITY_SCALE && (options->search == SEARCH_BREADTH_FIRST || options->bounded))
		fail("--identity scale is a search of its own, depth first and without a bound on preemptions");
	if (options->identity == IDENTITY_SCALE && options->races != RACES_ARE_IGNORED)
		fail("--identity scale needs --races ignore: to SCALE, each access to shared memory is an action, and no error");
	if (options->memory == MEMORY_C11 && options->races == RACES_ARE_IGNORED)
		fail("--memory c11 needs races to be reported: C says nothing of what plain accesses that race read");
	if (options->memory != MEMORY_SC && options->identity != IDENTITY_STATE)
		fail("--memory needs whole states compared; leave out --identity");
	if (options->memory != MEMORY_SC && formulas_wanted(options))
		fail("formulas need --memory sc: under c11 and tso a thread may read an old value for ever, which no machine does; "
		     "invariants can be checked");
	if (options->identity == IDENTITY_SCALE && (options->masks.count || options->abstractions.count))
		fail("--identity scale does not compare states, so --mask and --abstract mean nothing to it");
	bool calls = options->calls.count + options->groups.count;
	if (command == 'L' && (options->abstractions.count || options->identity != IDENTITY_STATE))
		fail("linearize compares whole states, in which its monitor is; leave out --abstract and --identity");
	bool own = command == 'L' && options->operations.count == 0 && options->planned.count == 0;
	if (own && (options->condition || options->spec))
		fail("--condition and --spec need threads that make calls: --thread 'put(1); get()', once for each thread");
	if (own && options->progress)
		fail("--progress needs threads that make calls: --thread 'put(1); get()', once for each thread");
	if (options->progress && (options->condition || options->spec))
		fail("--progress asks how operations go on, and not for their results; leave out --condition and --spec");
	if (options->progress && options->memory != MEMORY_SC)
		fail("--progress needs --memory sc: under c11 and tso a thread may read an old value for ever, which no machine does");
	if (options->operations.count && options->planned.count)
		fail("--thread is one plan, and --operations makes plans; leave out one of them");
	if (options->length && options->planned.count == 0)
		fail("--length is for the plans of --operations");
	if (command == 'L' && (calls || formulas_wanted(options)))
		fail("linearize takes neither --call nor formulas: it checks the results of the threads of --thread");
	calls = calls || (command == 'L' && !own);
	if (!calls && options->setups.count + options->finals.count)
		fail("--setup and --finally are for the threads of --call; name at least one call");
	if (calls && options->value[OPT_ENTRY] != option_rows[OPT_ENTRY].usual)
		fail("--call makes a main to start from; leave out --entry");
	require_liveness(options, command);
	if (command == 'C' || command == 'N')
		require_search(options);
	if (command == 'R' && options->files.count > 1)
		fail("replay takes one directory or trail");
}

void options_parse(struct options *options, char command, int argc, char **argv)
{
	struct argp_option rows[ROWS];
	struct argp argp = argp_for(command, rows);
	set_usual(options);
	options->command = command;
	for (int i = 1; i < argc; i++)
		list_add(&options->given, argv[i]);
	argp_err_exit_status = 2;
	options->words = rewrite(options, command, argc, argv);
	argp_parse(&argp, (int)options->words.count, options->words.items, ARGP_NO_HELP, NULL,
		   &(struct parsed){ options, command });
	if (options->output)
		options_set(options, OPT_REDUCTION, "none"); /* they try steps more than once, and each try prints */
	if (options->svcomp) {
		set_unless_given(options, OPT_RACES, "ignore");
		set_unless_given(options, OPT_ALIGNMENT, "ignore");
		set_unless_given(options, OPT_CALLS, "ignore");
		options_set(options, OPT_NO_DEADLOCK, NULL);
	}
	if (options->traces && command == 'C')
		options_set(options, OPT_REDUCTION, "none"); /* each step is one of a trace */
	if (options->shortest)
		set_unless_given(options, OPT_SEARCH, "bfs");
	if (command == 'G')
		set_unless_given(options, OPT_REDUCTION,
				 "all,-symmetry,-histories,-unread"); /* a pan cannot start again, and may go on */
	if (options->compdb)
		compdb_read(options);
	require(options, command);
}

void options_release(struct options *options)
{
	compdb_release(options);
	list_release(&options->files);
	list_release(&options->arguments);
	list_release(&options->words);
	list_release(&options->given);
	flags_release(&options->flags);
	free(options->value);
	for (int i = 0; i < OPTIONS; i++)
		if (option_rows[i].kind == KIND_LIST)
			list_release((struct list *)((char *)options + option_rows[i].field));
}
