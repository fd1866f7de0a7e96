/* SPDX-License-Identifier: MIT
 *
 * What the user asked for: the options as given (options.c), and the world that they describe (world.c, inputs.c).
 */
#ifndef BITSPIN_OPTIONS_H
#define BITSPIN_OPTIONS_H

#include "../base/target.h"
#include "../../ltl/ltl.h"
#include "../../translator/translator.h"

#include <jansson.h>

enum option_id {
#define OPTION(name, long_name, letter, argument, commands, kind, json, help) OPT_##name,
#define ALIAS(other, name)
#include "option.def"
	OPTIONS
};

/* What a flag of C compilers means to a check; see flag.def. */
enum flag_action {
	FLAG_PASS,
	FLAG_DROP,
	FLAG_NOTE,
	FLAG_ASSUME,
	FLAG_REFUSE,
	FLAG_ONLY,
	FLAG_PLAIN,
	FLAG_OUTPUT,
	FLAG_COMPILE,
	FLAG_LANGUAGE,
	FLAG_OWN,
	FLAG_LEVEL
};

struct flag {
	enum flag_action action;  /* never FLAG_ONLY, which is decided */
	const char *word, *value; /* as given; NULL if it has none */
	const char *text;         /* of the row */
	int words;                /* 1, or 2 if the value is a word of its own */
};

/* flags of one file, or of a command line */
struct flags {
	struct list clang;       /* those that clang gets */
	struct list ignored;     /* those of which the user is told that they are ignored */
	struct list assumptions; /* of a verdict */
	char *refused;           /* why what they ask for cannot be checked; NULL: it can */
};

/* how a build compiles a file */
struct build {
	char *directory; /* absolute */
	struct flags flags;
};

/* The flag that the words, NULL at their end, begin with; false if flag.def has none.  A value that is missing ends the command. */
bool flag_read(char *const *words, struct flag *flag);
void flags_add(struct flags *flags, const struct flag *flag);
void flags_merge(struct flags *flags, const struct flags *others); /* what the user is told of others, once */
void flags_note(const struct flags *flags);                        /* those that are ignored, in one line on standard error */
void flags_release(struct flags *flags);
/* Add the word, or what is in the file that it names by @FILE.  directory: where to look for it; NULL: here. */
void flags_expand(const char *word, const char *directory, struct list *words);

/* --clock; all zero: it stands still */
struct clock {
	unsigned long moves, count; /* how often it may go forward; by how many units, */
	size_t unit;                /* which are these */
	uint64_t step;              /* and how many nanoseconds that is */
};

/* The fields that the rows of option.def have, and what is no option. */
struct options {
#define FLAG(field)           bool field;
#define TEXT(field, usual)    const char *field;
#define WRITES(field, form)   const char *field;
#define WORD(field, usual)    unsigned field;
#define NUMBER(field, most)   unsigned long field;
#define LIST(field)           struct list field;
#define CHECKED(field, check) struct list field;
#define CLANG(format)
#define OWN(set, usual, ...) __VA_ARGS__
#define NONE
#define OPTION(name, long_name, letter, argument, commands, kind, json, help) kind
#define ALIAS(other, name)
#include "option.def"
	struct list files, arguments; /* the program's sources; its argv after argv[0] */
	struct flags flags;           /* of C compilers */
	struct build *builds;         /* how the build compiles each of the files (--compdb); NULL: not known */
	struct list words;            /* that argp has read, and that values point into */
	const char *value[OPTIONS];   /* in force: as given, or the usual one; NULL: none */
};

/* the words of --search */
enum search_kind { SEARCH_DEPTH_FIRST, SEARCH_BREADTH_FIRST, SEARCH_HASH_COMPACT, SEARCH_BITSTATE, SEARCH_RANDOM };

/* the words of --races; of the last two, races are reported */
enum races { RACES_ARE_REPORTED, RACES_ARE_IGNORED, RACES_BUT_VOLATILE, RACES_BUT_VOLATILE_SEQ_CST };

/* compdb.c: --compdb; the builds of the files, and the files if none is named. */
void compdb_read(struct options *options);
void compdb_release(struct options *options);

/* Read the arguments of a subcommand ('C', 'G', 'R', 'N' for confirm, 'M' for compare, or 'A'). */
void options_parse(struct options *options, char command, int argc, char **argv);
void options_release(struct options *options);
void options_help(char command);
/* Do they leave it to us how to search?  And can what is found be told by a schedule?  Then others may search beside (ladder.c). */
bool options_climb(const struct options *options);
/* Are endless waits in loops reported?  Not where formulas judge the runs that do not end. */
bool options_report_waits(const struct options *options);
void options_set(struct options *options, enum option_id option, const char *value); /* as if it were given */
json_t *options_json(const struct options *options);                                 /* record.c: those in force */

/* clock.c */
void set_clock(struct options *options, const char *value);
char *clock_assumption(const struct options *options); /* what a verdict takes for granted, malloc'ed */

/* targets.c: the files that options name for output.  Is one an input, or somebody else's, or named twice?  Then the end, before
 * anything is opened or made, with a guess of what was meant. */
void targets_check(struct options *options);
void targets_forget(struct options *options); /* nothing is to be written for them */
/* Write what the option is for to the file that it names, or say on standard error why that cannot be. */
bool targets_write(const char *option, const char *path, const char *bytes, size_t size);
void targets_remove(const char *option, const char *path); /* what an earlier run has written there */

/* How a row of option.def is read, for record.c and for the completion of shells. */
enum option_kind { KIND_NONE, KIND_FLAG, KIND_TEXT, KIND_WORD, KIND_NUMBER, KIND_LIST, KIND_CLANG, KIND_OWN };
struct option_row {
	const char *long_name, *argument, *json, *help;
	int letter;
	unsigned commands; /* sets of letters: option_is_of() */
	enum option_kind kind;
	size_t field; /* its place in struct options, where the kind has one */
	const char *usual, *format;
	enum form form; /* of the file that it names, FORM_NONE: it names none that is written */
	unsigned long most;
	void (*check)(const struct option_row *row, const char *value);
	void (*set)(struct options *options, const char *value);
};
extern const struct option_row option_rows[OPTIONS];
bool option_is_of(enum option_id option, char command);
unsigned option_set_of(char command); /* the letter of a command, as it is in a row */
const void *option_field(const struct options *options, enum option_id option);

/* By number, from reduction.def: on the command line and in JSON; in the report, a format for the number it has saved. */
struct reduction {
	const char *name, *saved;
};
extern const struct reduction reductions[REDUCTIONS];
const char *identity_name(enum image_identity identity); /* as on the command line */

/* checks.c: which faults are not to be reported.  Those of a kind as a whole come first. */
struct suppressions {
	struct translator_suppression *items;
	size_t count, whole_kinds;
};
void set_checks(struct options *options, const char *value);
void suppressions_read(struct suppressions *all, const struct options *options);
void suppressions_release(struct suppressions *all);

/* what the program runs in; see world.c */
struct world {
	struct translator_file *files;
	size_t nfiles, bytes;
	struct translator_extern *externs;
	size_t nexterns;
	struct list names;                     /* of the externs */
	struct translator_argument *arguments; /* argv */
	struct list *values;                   /* of each argument */
	size_t narguments;
	struct translator_input input;
	uint32_t budgets[IMAGE_INJECTIONS];
	bool writes; /* files */
	char *clock; /* what is assumed of clocks that go forward; NULL: they stand still */
};

/* Read what the options say of the program's world. */
void world_read(struct world *world, const struct options *options);
void world_release(struct world *world);
/* What is said of a function, NULL if nothing. */
const struct translator_extern *world_extern(const struct world *world, const char *name);
/* What a verdict takes for granted about a function, malloc'ed or NULL. */
char *world_assumption(const struct world *world, const char *name);
/* Does a choice offer fewer values than its type has? */
bool world_narrows(const struct world *world, const char *name);
const char *world_injections(void); /* the names of faults */

/* inputs.c: argv and standard input, where more than one thing is possible; what that assumes. */
void inputs_read(struct world *world, const struct options *options);
void inputs_release(struct world *world);
void inputs_assume(const struct world *world, struct list *assumptions);
void inputs_add_file(struct translator_file **files, size_t *count, const char *name, const char *path); /* read it, or fail() */
bool parse_range(const char *value, int64_t *low, int64_t *high);                                        /* "LO..HI" */

#endif
