/* SPDX-License-Identifier: MIT
 *
 * What the files of the command share.  One run of a subcommand is one struct job: the options as given, the files it
 * works on, and what it found.  Errors of the user are told by fail(), which ends the command with status 2 after cleaning
 * up; errors of ours by BUG().
 */
#ifndef BITSPIN_GLUE_H
#define BITSPIN_GLUE_H

#include "../translator/translator.h"

#include <jansson.h>
#include <stdbool.h>

#define BITSPIN_VERSION "0.1.0"

enum verdict {
#define VERDICT(name, text, status) VERDICT_##name,
#include "verdict.def"
#undef VERDICT
};

struct list { /* of strings that it owns */
	char **items;
	size_t count;
};

void list_add(struct list *list, const char *text);
void list_addf(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void list_add_words(struct list *list, const char *words); /* separated by blanks */
void list_release(struct list *list);
char *text(const char *format, ...) __attribute__((format(printf, 1, 2))); /* malloc'ed */

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

struct statistics {
	double states, transitions, depth, seconds, search_seconds, bytes;
	double resident;          /* most memory that the search has had, bytes: states, its stack, tables, caches */
	double saved[REDUCTIONS]; /* by each reduction, in the unit of its row in reduction.def */
	unsigned reductions;      /* those of which that is known */
	double runs; /* paths that a search without memory of states would have walked: ends and matches */
};

struct weaker_atomics { /* atomic accesses whose order is weaker than sequential consistency, if threads can meet there */
	size_t count;
	char *file; /* of the first; NULL if there is none */
	unsigned line;
};

struct formula;
struct formulas;

struct job {
	struct options options;
	struct world world;
	char *work;               /* private directory, removed at the end */
	char *image, *result;     /* files in it */
	char *input;              /* of which fewer values are tried than the profile means, for people; NULL: none */
	unsigned bound;           /* preemptions allowed in the search under way */
	bool cut;                 /* the bound kept it from being exhaustive */
	bool complete;            /* it ended by itself: with a violation, or with nothing left to look at under its bound */
	struct list cuts;         /* reasons to cut paths in the last search */
	double paths_cut;         /* ... and how many paths */
	unsigned threads;         /* processes of the model that was searched last */
	unsigned threads_used;    /* ... of which so many were in use */
	bool main_ends;           /* in some schedule */
	const struct formulas *formulas; /* of the check; NULL: none */
	const struct formula *formula; /* the one that is searched for a violation; NULL: safety */
	uint64_t *valuations;     /* that its propositions had together in any state; see bitspin_vm.h */
	size_t nvaluations;
	bool valuations_known;
	char *pan;                /* that searched for the last formula */
	enum verdict verdict;
	char *reason;             /* inconclusive or error: why */
	json_t *violations;       /* array, as in the JSON report */
	struct list assumptions;
	struct weaker_atomics weaker;
	bool hidden;              /* the program hides pointers, as a search has found */
	bool many, fewest;        /* it has very many objects at once, likewise; so many that no process may be in vain */
	bool narrowed;            /* fewer inputs were tried than the profile means */
	struct statistics statistics;
};

void job_init(struct job *job);
void job_release(struct job *job);

/* ---- errors (main.c) ----------------------------------------------------------------------------------------------- */

/* The time that the user has given is over before there is anything to report: `while` that was done. */
_Noreturn void out_of_time(const char *meanwhile, ...) __attribute__((format(printf, 1, 2)));
/* One line on stderr (and in the JSON report, if one was asked for); the end. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define BUG(...) glue_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void glue_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- files and processes (process.c, files.c) ---------------------------------------------------------------------- */

struct process {
	const char *const *argv;
	const char *directory;   /* to run in, NULL: here */
	const char *output;      /* file for its standard output, NULL: ours */
	const char *errors;      /* file for its standard error, NULL: ours */
	const char *const *environment; /* NAME=VALUE to add, NULL-terminated; or NULL */
	unsigned long address_space; /* bytes it may map; 0: no limit */
};

enum process_end { PROCESS_EXITED, PROCESS_SIGNALLED, PROCESS_NOT_FOUND, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED };

/* Run to the end; *status is the exit status or the signal. */
enum process_end process_run(const struct process *process, int *status);
/* The same for a function of ours in a child; it returns the exit status.  Its standard error goes to a file. */
enum process_end process_call(int (*function)(void *argument), void *argument, const char *errors, int *status);
void process_catch_signals(void); /* Ctrl-C: hand it to the running process, then clean up */
bool process_interrupted(void);
/* From now on: after so many seconds, the process that runs gets SIGINT, and SIGKILL after a grace period; those that would
 * run later are timed out at once.  0: no limit. */
void process_limit_time(unsigned long seconds);
bool process_out_of_time(void);
/* From now on: should we be killed, a directory is removed, and all that we have started ends; no longer so. */
void process_watch(const char *directory);
void process_unwatch(void);

char *work_directory(void);            /* make one; it is removed when the command ends, however that comes */
const char *temporary_directory(void); /* where that one is: TMPDIR, or /tmp */
void check_space(void);                /* fail() if the work directory's device is full: before blaming anything else */
void remove_tree(const char *path);
char *read_file(const char *path, size_t *size); /* NULL if it cannot be read */
bool write_file(const char *path, const char *bytes, size_t size);
bool copy_file(const char *from, const char *to);
bool try_directories(const char *path); /* make it, with its parents */
void make_directories(const char *path); /* the same, or fail() */
bool file_exists(const char *path);
char *find_program(const char *name);  /* on PATH, malloc'ed; NULL if it is not there */
/* A data file of ours: model.pml.in, bitspin_vm.h, libbitspin-vm.a, bitspin.h; found beside the executable or installed. */
char *data_file(const char *name);

/* ---- the stages ---------------------------------------------------------------------------------------------------- */

/* compile.c: C to bitcode in the work directory; paths of all bitcode files, in the order of the files given. */
void compile_files(struct job *job, struct list *bitcode);
const char *clang_program(void);

/* build.c: bitcode to job->image, for `threads` processes; the assumptions that the program's externals make. */
void translate_files(struct job *job, const struct list *bitcode, unsigned threads);
/* A verdict rests on an assumption about what the program does at a place (line 0: nowhere in particular). */
void assume_at(struct job *job, const char *assumption, const char *file, unsigned line);

/* The same to see what it uses: problems are part of the result, which must be released. */
void audit_files(struct job *job, const struct list *bitcode, struct translator_result *result);

/* world.c: read what the options say of the program's world; what is said of a function, NULL if nothing; what a verdict takes
 * for granted about a function, malloc'ed or NULL; does a choice offer fewer values than its type has?  The names of faults. */
void world_read(struct world *world, const struct options *options);
void world_release(struct world *world);
const struct translator_extern *world_extern(const struct world *world, const char *name);
char *world_assumption(const struct world *world, const char *name);
bool world_narrows(const struct world *world, const char *name);

/* The first input of which fewer values are tried than the SV-COMP profile means, and how many more there are, for people; NULL
 * if there is none.  narrow.c */
char *narrowed_input(const struct job *job, const struct translator_result *result);
const char *world_injections(void);
void world_add_file(struct translator_file **files, size_t *count, const char *name, const char *path); /* read it, or fail() */
bool parse_range(const char *value, int64_t *low, int64_t *high); /* "LO..HI" */

/* inputs.c: argv and standard input, where more than one thing is possible; what that assumes. */
void inputs_read(struct world *world, const struct options *options);
void inputs_release(struct world *world);
void inputs_assume(const struct world *world, struct list *assumptions);

/* translate.c: translator_run() to job->image, in a process of its own. */
int run_translator(const struct job *job, const struct translator_request *request, struct translator_result *result);

/* model.c: the model's text for so many processes; and a pan for it, from the cache if it was made before.  Both malloc'ed. */
char *model_text(const struct job *job, unsigned threads);
char *pan_for(struct job *job, unsigned threads);
const char *pan_compiler(void);
/* Run a program that `package` brings; all but success ends the command. */
void run_tool(const struct process *process, const char *package);

/* search.c: run pan on the image and fill in verdict, reason, violations (without traces) and statistics.  Is there a model with
 * more threads?  Otherwise a path that needs more is cut. */
enum search_end { SEARCH_DONE, SEARCH_MORE_THREADS, SEARCH_MORE_DEPTH, SEARCH_HIDDEN_POINTERS, SEARCH_MORE_OBJECTS };
enum search_end search_run(struct job *job, const char *pan, unsigned long depth, bool more_threads);
enum { FIRST_DEPTH = 100000, MOST_DEPTH = 100000000 };

/* check.c: search as the options ask, again with more threads, depth or preemptions where needed; the last pan used. */
char *search_program(struct job *job, const struct list *bitcode);

/* check.c: replay the trails of the violations that the last search found, and put the traces into them. */
void explain_violations(struct job *job, const char *pan);
/* check.c: before the work, not after it: can the files that were asked for be written? */
void check_output_files(struct options *options);

/* trace.c: all that the VM tells (bitspin_vm.h) when a trail in `directory` is replayed, an array. */
json_t *replay(struct job *job, const char *pan, const char *directory, const char *trail);

/* lasso.c: the violation of a formula that a trail in `directory` shows, with its trace and its loop; NULL, if the trail
 * does not show one. */
bool keep_formula(const struct job *job, const char *directory);
json_t *lasso_of(struct job *job, const char *pan, const char *directory, const char *trail, const char *formula);

/* trace.c: replay trail number `n` (from 1) in `directory` and give the violation at its end with its trace, or NULL. */
json_t *trace_of(struct job *job, const char *pan, const char *directory, const char *trail);
void story_print(const json_t *violation);

/* report.c: text that the program made, on one line and without control characters; a colour's escape sequence, or "". */
void print_plain(const char *bytes, size_t length);
enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW };
const char *colour(enum colour colour);
void report_print(const struct job *job);
json_t *report_json(const struct job *job);
json_t *strings_json(const struct list *list);
void write_json(json_t *json, const char *path); /* "-": standard output; `json` is released */
const char *from_here(const char *path);         /* as short as it can be */
void report_write_json(const struct job *job);
void report_print_verdict(const struct job *job);    /* the last line of a report */
const char *verdict_name(enum verdict verdict);
int verdict_status(enum verdict verdict);
const char *identity_name(enum image_identity identity); /* options.c: as on the command line */

/* ---- subcommands --------------------------------------------------------------------------------------------------- */

int command_check(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_audit(int argc, char **argv);

#endif
