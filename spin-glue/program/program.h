/* SPDX-License-Identifier: MIT
 *
 * One run of a subcommand, from the program's sources to its image.
 */
#ifndef BITSPIN_PROGRAM_H
#define BITSPIN_PROGRAM_H

#include "../formula/formula.h"

#include <jansson.h>

/* Atomic accesses weaker than sequential consistency, if threads can meet there. */
struct weaker_atomics {
	size_t count;
	char *file; /* of the first access; NULL if there is none */
	unsigned line;
};

enum { RACES_SECONDS = 10 }; /* see races.c */

struct job {
	struct options options;
	struct world world;
	char *work;                      /* private directory, removed at the end */
	char *image, *result;            /* files in the work directory */
	size_t members;                  /* how many of the last files of bitcode, members of archives, are linked only if needed */
	char *input;                     /* an input of which fewer values are tried than the profile means; NULL: none */
	unsigned bound;                  /* most preemptions in the search under way */
	long told;                       /* how many bytes of its results have been read for what to print meanwhile */
	double told_states;              /* states under the last bound that was printed */
	bool cut;                        /* the bound kept the search from being exhaustive */
	bool complete;                   /* the search ended by itself: with a violation, or with nothing left under its bound */
	struct list cuts;                /* reasons to cut paths in the last search */
	double paths_cut;                /* how many paths were cut in the last search */
	unsigned threads;                /* processes of the model that was searched last */
	unsigned threads_used;           /* how many of them were in use */
	bool main_ends;                  /* main ends in some schedule */
	json_t *met;                     /* what steps of the last searches have met, as the VM reports it; NULL: not known */
	const struct formulas *formulas; /* of the check; NULL: none */
	const struct formula *formula;   /* the formula whose violation is searched for; NULL: safety */
	uint64_t *valuations;            /* what values its propositions had together in any state; see bitspin_vm.h */
	size_t nvaluations;
	bool valuations_known;
	char *pan;   /* the pan that searched for the last formula */
	char *claim; /* in a replay: which claim of several in the model; NULL: there are not several, or pan's usual one */
	enum verdict verdict;
	enum verdict safety; /* the verdict before formulas were checked */
	char *reason;        /* inconclusive or error: why */
	char *cut_short;     /* --all, and violated: what has ended the last search early; NULL: nothing */
	json_t *violations;  /* array, as in the JSON report */
	struct suppressions suppressions;
	struct list rules;                    /* all suppressions by number, those of comments included, for people */
	enum image_interrupts interrupts;     /* where signals interrupt threads, as far as searches have asked for it */
	struct translator_place *interrupted; /* lines on which signals interrupt threads */
	size_t ninterrupted;
	struct translator_place *tolerated; /* in pairs: places whose races are not reported, or have been */
	size_t ntolerated;                  /* how many places, twice as many as pairs */
	json_t *suppressed; /* array: faults that were suppressed, each once, as the VM has reported them (bitspin_vm.h) */
	json_t *left_out;   /* array: what slicing leaves out in all searches, {name, file, line}; NULL: none was begun */
	json_t *races;      /* array: under --all, races that searches before the last one have found */
	enum { ALL_THE_TIME, SOME_TIME, TIME_IS_UP } races_time; /* how much time searches after the first such race have, or had */
	json_t *space;             /* array: what --graph draws, records of bitspin-drive (runtime/drive_main.c); NULL: nothing */
	bool may_climb;            /* a ladder may be put up beside the exhaustive search (spin-glue/pan/ladder.c) */
	struct ladder *ladder;     /* the ladder beside the search under way; NULL: there is none */
	struct resume *resume;     /* what earlier runs have finished (spin-glue/pan/resume.c); NULL: nothing is kept */
	char *snapshot;            /* the file with the states of a search from bound to bound; NULL: none */
	json_t *earlier;           /* how much of the result is from earlier runs, as in the JSON report; NULL: nothing */
	struct progress *progress; /* of the search under way */
	double memory_limit;       /* of the last search, bytes; 0: not known */
	char *allotment;           /* file with the memory that the search may take just now; NULL: as the options say */
	json_t *rungs;             /* figures of the ladder, as in the JSON report; NULL: there was none */
	json_t *coverage;          /* of a search that has told states apart by a hash, as in the JSON report; NULL: of none */
	bool starved;              /* memory has ended the last search */
	json_t *walks;             /* figures of random walks, see spin-glue/pan/walks.c; NULL: none were made */
	bool scheduled;            /* what was found has a schedule, and no trail */
	json_t *bounds;            /* array: figures of each bound on preemptions that was completed, as in the JSON report */
	struct list assumptions;
	struct weaker_atomics weaker;
	struct list shown;   /* C bodies of functions that a simulation evaluates when it is asked to (PROPERTY_SHOWN) */
	bool variables_stay; /* a simulation wants to see all variables of the program */
	bool hidden;         /* a search has found that the program hides pointers */
	bool many;           /* a search has found that the program has very many objects at once */
	bool fewest;         /* the objects are so many that the model may have no process too many */
	bool narrowed;       /* fewer inputs were tried than the profile means */
	struct statistics statistics;
	json_t *off; /* object: why reductions are off that the image asks for, by the VM; NULL: nobody has searched */
	const char *why_off[REDUCTIONS]; /* the same by the translator */
	json_t *withdrawn; /* object: why reductions are off that did not suit, as searches have found; NULL: there are none */
};

void job_init(struct job *job);
void job_release(struct job *job);

/* compile.c: compile C to bitcode in the work directory, and list the paths of all bitcode files in the order of the files
 * given. */
void compile_files(struct job *job, struct list *bitcode);
const char *clang_program(void);
/* Print what clang said on standard error, in words that users of bitspin understand. */
void repeat_errors(const char *said);
/* Compile the first C file again, with the functions of job->shown.  Return NULL, or what clang says against it, malloc'ed. */
char *compile_shown(const struct job *job);

/* How a file is compiled to bitcode. */
struct compilation {
	const char *source, *output;
	const char *language;         /* of clang's -x; NULL: the file's name tells */
	const char *quoted;           /* directory of headers in quotes, beside those of the flags; NULL: none */
	const struct flags *flags[2]; /* the second wins; NULL: none */
	bool optimized;
	bool functions_stay; /* no function is inlined */
	bool all_functions;  /* no function is left out */
};
void clang_command(struct list *argv, const struct compilation *compilation);

/* additions.c: what is appended to the first C file, if anything. */
bool additions_wanted(const struct job *job);
/* Write a file of the C file `source` (NULL: none) and the additions, and return its path. */
char *additions_write(const struct job *job, const char *source);
/* End the command if what clang said of that file is an error in an addition. */
void additions_check_errors(const struct job *job, const char *source, const char *path, bool failed);
/* End the command with an error if additions are left when all files have been compiled. */
void additions_need_source(const struct job *job, bool left);

/* harness.c: the main of --call, as an addition. */
bool harness_wanted(const struct job *job);
void harness_write(const struct job *job, FILE *out);
/* End the command if this error of clang is in an expression of --call.  `source` is the C file to which main is appended, or
 * NULL. */
void harness_check(const struct job *job, const char *source, const char *line, const char *error);

/* objects.c: write the bitcode that `bitspin cc` has put into a section of `file` to files of the work directory, and add these to
 * `bitcode`, or if they are of an archive's members, to `members`.  End the command if there is none. */
#define RECORDS_SECTION ".bitspin"
void objects_read(struct job *job, const char *file, struct list *bitcode, struct list *members);
bool elf_is(const char *bytes, size_t size);
/* Return the content of the section, of *length bytes; NULL if there is none. */
const char *elf_records(const char *bytes, size_t size, size_t *length);
/* Write a record: about a source file ("source"), what a check assumes ("assumptions"), why there is no bitcode ("refused"). */
bool record_write(FILE *out, json_t *about, const char *bitcode, size_t size);

/* translate.c: call translator_run() in a process of its own, with job->image as the output. */
int run_translator(const struct job *job, const struct translator_request *request, struct translator_result *result);

/* rules.c: read what the image says of suppressions into job->rules. */
void rules_read(struct job *job);
void rules_release(struct job *job);
/* left_out.c: read what the image says of slicing into job->left_out, less what it does not leave out. */
void left_out_read(struct job *job);
/* Return the number of the suppression that covers a race in a replay, which has its "stack" and "other"; -1 if there is none. */
int rules_cover_race(const struct job *job, const json_t *race);
/* Add a fault that was suppressed, unless it is known. */
void rules_note(struct job *job, const json_t *fault);
/* Let accesses at two places race from now on.  Return false if they could before. */
bool rules_tolerate(struct job *job, const char *file, unsigned line, const char *other_file, unsigned other_line);

/* Let signals interrupt threads before each access on a line from now on.  Return false if they could before. */
bool rules_interrupt(struct job *job, const char *file, unsigned line);

/* identity.c: return a hash of the program, its version and how it is compiled; of the job's image, which holds all that a verdict
 * is about, and of the VM; malloc'ed. */
char *program_identity(const struct job *job);
char *image_identity(const struct job *job);

/* plan.c: return the reductions that the image is to ask for. */
unsigned plan_reductions(const struct job *job);
/* Note why a reduction is taken out, as a search has found that it does not suit. */
void plan_withdraw(struct job *job, unsigned reduction, const char *why);
/* Return an object that says why each reduction is off that the user has asked for. */
json_t *plan_reasons(const struct job *job);

/* build.c: translate bitcode to job->image, for `threads` processes, and add the assumptions of the program's external
 * functions. */
void translate_files(struct job *job, const struct list *bitcode, unsigned threads);
/* Translate bitcode to see what the program uses.  Problems are part of the result, which must be released. */
void audit_files(struct job *job, const struct list *bitcode, struct translator_result *result);
/* Add an assumption of the verdict about what the program does at a place (line 0: nowhere in particular). */
void assume_at(struct job *job, const char *assumption, const char *file, unsigned line);

/* narrow.c: name for people the first input of which fewer values are tried than the SV-COMP profile means, and how many more there
 * are; NULL if there is none. */
char *narrowed_input(const struct job *job, const struct translator_result *result);

#endif
