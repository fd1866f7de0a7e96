/* SPDX-License-Identifier: MIT
 *
 * What the user asked for: the options as given (options.c), and the world that they describe (world.c, inputs.c).
 */
#ifndef BITSPIN_OPTIONS_H
#define BITSPIN_OPTIONS_H

#include "../base/base.h"
#include "../../translator/translator.h"

struct options {
	struct list files, arguments;  /* the program's sources; its argv after argv[0] */
	struct list values;            /* NUMBER=VALUE: what an argument may be, too */
	struct list clang;             /* options handed to clang */
	struct list invariants;
	struct list ltl, definitions, properties; /* formulas; NAME=EXPR; ready-made ones by name */
	const char *ltl_file, *never;
	int fairness;                  /* enum ltl_fairness */
	struct list masks, abstractions; /* C expressions, names of functions: what does not distinguish states */
	struct list externs, nondets, faults, environment;
	const char *fs;                /* a directory with the program's files */
	struct list inputs;            /* files: the program reads one of them from standard input */
	const char *alphabet;          /* MOST=LETTERS: it reads any text of these */
	const char *entry, *search, *json, *keep, *output, *directory;
	bool svcomp, all, quiet, no_deadlock, total_deadlocks, optimised, leaks, overflow;
	bool races_given, races_ignore;
	bool alignment_given, alignment_ignore;
	bool calls_given, calls_ignore;
	bool zeroed;                   /* memory that was never set is zero */
	bool hidden;                   /* the program hides pointers */
	unsigned reductions;           /* enum image_reduction */
	bool bounded, iterate;         /* preemptions are bounded; by 0, 1, ... up to the bound */
	unsigned preemptions;
	enum image_identity identity;
	bool local_cycles;             /* paths that come back to a program state are cut */
	unsigned threads;              /* 0: find out */
	unsigned long max_memory, max_depth, max_time; /* MB, steps, seconds; 0: no limit */
};

/* Read the arguments of a subcommand ('C', 'G', 'R', 'M' for compare, or 'A'). */
void options_parse(struct options *options, char command, int argc, char **argv);
void options_release(struct options *options);
void options_help(char command);

/* By number, from reduction.def: on the command line and in JSON; in the report, a format for the number it has saved. */
struct reduction {
	const char *name, *saved;
};
extern const struct reduction reductions[REDUCTIONS];
const char *identity_name(enum image_identity identity); /* as on the command line */

struct world { /* what the program runs in; see world.c */
	struct translator_file *files;
	size_t nfiles, bytes;
	struct translator_extern *externs;
	size_t nexterns;
	struct list names; /* of the externs */
	struct translator_argument *arguments; /* argv */
	struct list *values; /* of each argument */
	size_t narguments;
	struct translator_input input;
	uint32_t budgets[IMAGE_INJECTIONS];
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
bool parse_range(const char *value, int64_t *low, int64_t *high); /* "LO..HI" */

#endif
