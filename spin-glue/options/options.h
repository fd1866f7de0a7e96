/* SPDX-License-Identifier: MIT
 *
 * What the user asked for: the options as given (options.c), and the world that they describe (world.c, inputs.c).
 */
#ifndef BITSPIN_OPTIONS_H
#define BITSPIN_OPTIONS_H

#include "../base/base.h"
#include "../../translator/translator.h"

#include <jansson.h>

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

/* The flags of one file, or of a command line. */
struct flags {
	struct list clang;       /* flags that clang gets */
	struct list ignored;     /* flags of which the user is told that they are ignored */
	struct list assumptions; /* of a verdict */
	char *refused;           /* why what the flags ask for cannot be checked; NULL: it can be */
};

/* How a build compiles a file. */
struct build {
	char *directory; /* absolute */
	struct flags flags;
};

/* Read the flag with which `words`, ended by NULL, begin.  Return false if flag.def has none.  A missing value ends the command. */
bool flag_read(char *const *words, struct flag *flag);
void flags_add(struct flags *flags, const struct flag *flag);
void flags_merge(struct flags *flags, const struct flags *others); /* add what the user is told of others, each once */
void flags_note(const struct flags *flags);                        /* name ignored flags in one line on standard error */
void flags_release(struct flags *flags);
/* Add a word, or if it is @FILE, the words in that file, which is looked for in `directory` (NULL: the current one). */
void flags_expand(const char *word, const char *directory, struct list *words);

/* The option --clock; all zero: the clock stands still. */
struct clock {
	unsigned long moves; /* how often the clock may go forward */
	unsigned long count; /* by how many units */
	size_t unit;         /* which unit */
	uint64_t step;       /* how many nanoseconds that is */
};

/* The words of --search. */
enum search_kind { SEARCH_DEPTH_FIRST, SEARCH_BREADTH_FIRST, SEARCH_HASH_COMPACT, SEARCH_BITSTATE, SEARCH_RANDOM };

/* The words of --races.  With the last two, races are reported, too. */
enum races { RACES_ARE_REPORTED, RACES_ARE_IGNORED, RACES_BUT_VOLATILE, RACES_BUT_VOLATILE_SEQ_CST };

/* The options.  A row of option.def names the field that its option sets; rows.h has the rows.  A field is false, 0, NULL or empty
 * where its option is not given, unless the row has a usual value. */
struct options {
	struct list files, arguments; /* the program's sources; its argv after argv[0] */
	struct flags flags;           /* of C compilers */
	struct build *builds;         /* how the build compiles each of the files (--compdb); NULL: not known */
	struct list words;            /* words that argp has read, and into which values point */
	char command;                 /* C, G and so on: as in option.def */
	struct list given;            /* the words of the command line behind the name of the command */
	const char **value;           /* by enum option_id: the values in force, as given or the usual one; NULL: none */

	/* the program, and how it is compiled */
	int optimized; /* as by clang: 0 to 3 */
	const char *compdb, *entry;
	struct list operations; /* of linearize: those of a thread each */
	unsigned condition;     /* ... enum condition (program/operations.h) */
	unsigned progress;      /* ... enum way_on */
	const char *spec;
	struct list planned; /* calls, of which plans are made */
	bool list_plans;
	unsigned long length;
	struct list calls, groups, setups, finals; /* of a main that starts threads (program/harness.c) */

	/* what counts as an error; of words, 0 is the first that the row lists */
	unsigned races; /* enum races */
	enum image_memory memory;
	unsigned staleness; /* under another model than sc: how many values of a location can be read; 0: as many as it takes */
	bool no_deadlock, leaks, overflow, hidden;
	unsigned total_deadlocks, waits_ignore, zeroed, alignment_ignore, calls_ignore;
	unsigned long unchecked; /* a set of kinds of violation */
	struct list suppressions;
	unsigned interrupts; /* enum image_interrupts */

	/* properties of runs */
	struct list invariants, ltl, definitions, properties;
	const char *ltl_file, *never;
	unsigned fairness; /* enum ltl_fairness */

	/* which states are told apart, and which schedules are explored */
	struct list masks, abstractions;
	bool bounded, iterate; /* preemptions are; with bounds from 0 on */
	unsigned preemptions;  /* at most, if they are bounded */
	unsigned reductions;   /* a set */
	enum image_identity identity;
	bool local_cycles; /* are cut */

	/* the world around the program */
	struct list externs, stubs, nondets, faults, values, inputs, environment;
	struct clock clock;
	const char *fs, *alphabet;
	bool fs_write;
	unsigned svcomp;

	/* limits */
	enum image_inputs input_values;
	bool sets_fit;     /* --inputs sets goes with the other options */
	bool inputs_widen; /* if a few values of an input show no violation, all of them are tried, as a set */
	unsigned long max_values, solver_budget;
	unsigned long threads, max_memory, max_depth, max_time;

	/* the search */
	bool all, shortest, traces;
	unsigned long repeat; /* of confirm */
	unsigned search;      /* enum search_kind */
	unsigned long cores, states, seed, walks, jobs;
	unsigned engine;
	const char *sshlogin, *checkpoint;

	/* what is printed and kept */
	const char *json, *csv, *html, *sarif, *junit, *witness, *graph, *plot, *trace, *output; /* files that are written */
	const char *keep, *tests, *directory;
	bool each, coverage, gdb, quiet, verbose;
	unsigned format, story_full, colour;
	unsigned long graph_states;
	struct list commands; /* of a simulation, before those of `script` */
	const char *script, *schedule;
};

/* compdb.c: read the builds of the files from what --compdb names, and the files if none is named. */
void compdb_read(struct options *options);
void compdb_release(struct options *options);

/* Read the arguments of a subcommand ('C', 'G', 'R', 'N' for confirm, 'M' for compare, or 'A'). */
void options_parse(struct options *options, char command, int argc, char **argv);
void options_release(struct options *options);
void options_help(char command);                                /* print it (help.c) */
const char *options_usage(char command);                        /* its name, and what follows */
const char *options_search_word(const struct options *options); /* the search, as --search names it */
/* May other searches run beside the exhaustive one (ladder.c), because the options leave the way to search to bitspin, and what is
 * found can be told by a schedule? */
bool options_climb(const struct options *options);
/* May reductions rest where they cost more time than they save?  Not where the user has said which are wanted. */
bool options_rest(const struct options *options);
/* Are endless waits in loops reported?  Not where formulas judge the runs that do not end. */
bool options_report_waits(const struct options *options);
/* record.c: return the options in force; the strings of a list, as an array. */
json_t *options_json(const struct options *options);
json_t *strings_json(const struct list *list);

/* clock.c */
void set_clock(struct options *options, const char *value);
char *clock_assumption(const struct options *options); /* what a verdict assumes about clocks, malloc'ed */

/* targets.c: the files that options name for output.  End the command, before anything is opened or made and with a guess of what
 * was meant, if one is an input, or somebody else's, or named twice. */
void targets_check(struct options *options);
void targets_forget(struct options *options); /* write nothing for these options */
/* Write the file that `option` names, or say on standard error why that fails. */
bool targets_write(const char *option, const char *path, const char *bytes, size_t size);
void targets_remove(const char *option, const char *path); /* remove what an earlier run has written there */

/* A reduction, by number, from reduction.def: its name on the command line and in JSON; a format for the number that it has
 * saved. */
struct reduction {
	const char *name, *saved;
};
extern const struct reduction reductions[REDUCTIONS];
const char *identity_name(enum image_identity identity); /* as on the command line */

/* checks.c: which faults are not to be reported.  Suppressions of a kind as a whole come first. */
struct suppressions {
	struct translator_suppression *items;
	size_t count, whole_kinds;
};
void set_checks(struct options *options, const char *value);
void suppressions_read(struct suppressions *all, const struct options *options);
void suppressions_release(struct suppressions *all);

/* The world in which the program runs; see world.c. */
struct world {
	struct translator_file *files;
	size_t nfiles, bytes;
	struct translator_extern *externs;
	size_t nexterns;
	struct list names;                     /* of the externs */
	struct translator_argument *arguments; /* argv */
	struct list *values;                   /* of each argument */
	size_t *most;                          /* of each argument: 0, or it is any text of at most so many bytes */
	size_t narguments;
	struct list environment;  /* NAME=VALUE, or NAME= */
	size_t *environment_most; /* ... and then any text of at most so many bytes */
	struct translator_input input;
	uint32_t budgets[IMAGE_INJECTIONS];
	bool writes; /* the program may write files */
	char *clock; /* what is assumed of clocks that go forward; NULL: they stand still */
};

/* All that the user has said, and nothing that is found out later. */
struct inputs {
	struct options options;
	struct world world;
	struct suppressions suppressions;
};
void inputs_complete(struct inputs *inputs); /* read the world and the suppressions, once: files may be missing */
void inputs_free(struct inputs *inputs);

/* Read what the options say of the program's world. */
void world_read(struct world *world, const struct options *options);
void world_release(struct world *world);
/* Return what the user says of a function, NULL if nothing. */
const struct translator_extern *world_extern(const struct world *world, const char *name);
/* Return what a verdict assumes about a function, malloc'ed, or NULL. */
char *world_assumption(const struct world *world, const char *name);
/* Does a choice offer fewer values than its type has? */
bool world_narrows(const struct world *world, const char *name);
const char *world_injections(void); /* the names of faults */

/* inputs.c: read which argv and which standard input are possible; add what a verdict assumes about them. */
void inputs_read(struct world *world, const struct options *options);
void inputs_release(struct world *world);
void inputs_assume(const struct world *world, struct list *assumptions);
/* Read the file `path` and add it as `name`, or fail(). */
void inputs_add_file(struct translator_file **files, size_t *count, const char *name, const char *path);
/* Read "any", or "any:N": any text of at most N bytes, which goes to *most.  any_given: return the first such option, or --extern
 * NAME=any, malloc'ed; NULL if none is given. */
bool parse_any(const char *value, size_t *most);
char *any_given(const struct options *options);
/* Read a range "LO..HI". */
bool parse_range(const char *value, int64_t *low, int64_t *high);

#endif
