/* SPDX-License-Identifier: MIT
 *
 * One run of a subcommand, from the program's sources to its image.
 */
#ifndef BITSPIN_PROGRAM_H
#define BITSPIN_PROGRAM_H

#include "../formula/formula.h"

#include <jansson.h>

/* atomic accesses weaker than sequential consistency, if threads can meet there */
struct weaker_atomics {
	size_t count;
	char *file; /* of the first; NULL if there is none */
	unsigned line;
};

enum { RACES_SECONDS = 10 }; /* see races.c */

struct job {
	struct options options;
	struct world world;
	char *work;                      /* private directory, removed at the end */
	char *image, *result;            /* files in it */
	size_t members;                  /* of archives: so many of the last files of bitcode are linked only if they are needed */
	char *input;                     /* of which fewer values are tried than the profile means, for people; NULL: none */
	unsigned bound;                  /* most preemptions in the search under way */
	long told;                       /* bytes of its results that have been looked at for what to print meanwhile */
	double told_states;              /* states under the last bound that was printed */
	bool cut;                        /* the bound kept it from being exhaustive */
	bool complete;                   /* it ended by itself: with a violation, or with nothing left to look at under its bound */
	struct list cuts;                /* reasons to cut paths in the last search */
	double paths_cut;                /* ... and how many paths */
	unsigned threads;                /* processes of the model that was searched last */
	unsigned threads_used;           /* ... of which so many were in use */
	bool main_ends;                  /* in some schedule */
	json_t *met;                     /* what steps of the last searches have met, as the VM reports it; NULL: not known */
	const struct formulas *formulas; /* of the check; NULL: none */
	const struct formula *formula;   /* the one that is searched for a violation; NULL: safety */
	uint64_t *valuations;            /* that its propositions had together in any state; see bitspin_vm.h */
	size_t nvaluations;
	bool valuations_known;
	char *pan;   /* that searched for the last formula */
	char *claim; /* in a replay: which of several in the model; NULL: there are not several, or pan's usual one */
	enum verdict verdict;
	enum verdict safety; /* ... before formulas were checked */
	char *reason;        /* inconclusive or error: why */
	char *cut_short;     /* --all, and violated: what has ended the last search early; NULL: nothing */
	json_t *violations;  /* array, as in the JSON report */
	struct suppressions suppressions;
	struct list rules;                    /* all suppressions by number, those of comments included, for people */
	enum image_interrupts interrupts;     /* where signals interrupt threads, as far as searches have asked for it */
	struct translator_place *interrupted; /* ... and these lines */
	size_t ninterrupted;
	struct translator_place *tolerated; /* in pairs: places whose races are not reported, or have been */
	size_t ntolerated;                  /* ... places, twice as many as pairs */
	struct image_kept *kept;            /* mutexes that searches have found to be needed, where they were passed over */
	size_t nkept;
	unsigned taken_back; /* so many searches have */
	json_t *mutexes;     /* array: ... and those that were passed over in the last search: as in the JSON report */
	json_t *suppressed;  /* array: faults that were suppressed, each once, as the VM has reported them (bitspin_vm.h) */
	json_t *left_out;    /* array: what slicing leaves out in all searches, {name, file, line}; NULL: none was begun */
	json_t *races;       /* array: under --all, races that searches before the last one have found */
	enum { ALL_THE_TIME, SOME_TIME, TIME_IS_UP } races_time; /* what the searches after the first such race have, and had */
	json_t *space;             /* array: what --graph draws, records of bitspin-drive (runtime/drive_main.c); NULL: nothing */
	bool may_climb;            /* a ladder may be put up beside the exhaustive search (spin-glue/pan/ladder.c) */
	struct ladder *ladder;     /* ... and is; NULL: there is none */
	struct resume *resume;     /* what earlier runs have finished (spin-glue/pan/resume.c); NULL: nothing is kept */
	char *snapshot;            /* ... and file with the states of a search from bound to bound; NULL: none */
	json_t *earlier;           /* ... of which the result has so much, as in the JSON report; NULL: nothing */
	struct progress *progress; /* of the search under way */
	double memory_limit;       /* of the last search, bytes; 0: not known */
	char *allotment;           /* file with the memory that the search may take just now; NULL: as the options say */
	json_t *rungs;             /* figures of the ladder, as in the JSON report; NULL: there was none */
	json_t *coverage;          /* of a search that has told states apart by a hash, as in the JSON report; NULL: of none */
	bool starved;              /* memory has ended the last search */
	json_t *walks;             /* figures of random walks, see spin-glue/pan/walks.c; NULL: none were made */
	bool scheduled;            /* what was found has no trail but a schedule */
	json_t *bounds;            /* array: figures of each bound on preemptions that was completed, as in the JSON report */
	struct list assumptions;
	struct weaker_atomics weaker;
	struct list shown;   /* C bodies of functions that a simulation evaluates when it is asked to (PROPERTY_SHOWN) */
	bool variables_stay; /* it wants to see all variables of the program */
	bool hidden;         /* the program hides pointers, as a search has found */
	bool many, fewest;   /* it has very many objects at once, likewise; so many that no process may be in vain */
	bool narrowed;       /* fewer inputs were tried than the profile means */
	struct statistics statistics;
};

void job_init(struct job *job);
void job_release(struct job *job);

/* compile.c: C to bitcode in the work directory; paths of all bitcode files, in the order of the files given. */
void compile_files(struct job *job, struct list *bitcode);
const char *clang_program(void);
void repeat_errors(const char *said); /* what clang said, on standard error, so that our users understand it */
/* The first C file again, with what is shown now; NULL, or what clang says against it, malloc'ed. */
char *compile_shown(const struct job *job);

/* How a file is compiled to bitcode. */
struct compilation {
	const char *source, *output;
	const char *language;         /* of clang's -x; NULL: the file's name tells */
	const char *quoted;           /* directory of headers in quotes, beside those of the flags; NULL: none */
	const struct flags *flags[2]; /* the later win; NULL: none */
	bool optimized;
	bool functions_stay, all_functions; /* none is inlined; none is left out */
};
void clang_command(struct list *argv, const struct compilation *compilation);

/* additions.c: what is appended to the first C file, if anything. */
bool additions_wanted(const struct job *job);
char *additions_write(const struct job *job, const char *source); /* the path of the new file; NULL: no source */
/* Of what clang said of it: an error in an addition ends the command. */
void additions_check_errors(const struct job *job, const char *source, const char *path, bool failed);
/* All files are compiled: an error if additions are left. */
void additions_need_source(const struct job *job, bool left);

/* harness.c: the main of --call, as an addition. */
bool harness_wanted(const struct job *job);
void harness_write(const struct job *job, FILE *out);
/* If this error of clang's is in one of its expressions: the end.  source: the C file that it is appended to, or NULL. */
void harness_check(const struct job *job, const char *source, const char *line, const char *error);

/* objects.c: the bitcode that `bitspin cc` puts into the section of this name.  Files of it in the work directory; those of an
 * archive's members apart.  A file that has none ends the command. */
#define RECORDS_SECTION ".bitspin"
void objects_read(struct job *job, const char *file, struct list *bitcode, struct list *members);
bool elf_is(const char *bytes, size_t size);
const char *elf_records(const char *bytes, size_t size, size_t *length); /* the content of the section; NULL: there is none */
/* Write a record: about a source file ("source"), what a check assumes ("assumptions"), why there is no bitcode ("refused"). */
bool record_write(FILE *out, json_t *about, const char *bitcode, size_t size);

/* translate.c: translator_run() to job->image, in a process of its own. */
int run_translator(const struct job *job, const struct translator_request *request, struct translator_result *result);

/* rules.c: read what the image says of suppressions into job->rules. */
void rules_read(struct job *job);
void rules_release(struct job *job);
/* left_out.c: read what the image says of slicing into job->left_out, less what it does not leave out. */
void left_out_read(struct job *job);
/* The suppression that covers a race in a replay, with its "stack" and "other"; -1 if none does. */
int rules_cover_race(const struct job *job, const json_t *race);
/* Add a fault that was suppressed, unless it is known. */
void rules_note(struct job *job, const json_t *fault);
/* Accesses at two places may race from now on.  False: they could before. */
bool rules_tolerate(struct job *job, const char *file, unsigned line, const char *other_file, unsigned other_line);

/* Signals can interrupt threads before each access on this line.  False: they could before. */
bool rules_interrupt(struct job *job, const char *file, unsigned line);

/* identity.c: of the program, its version and how it is compiled; of the job's image, which holds all that a verdict is about, and
 * of the VM; malloc'ed. */
char *program_identity(const struct job *job);
char *image_identity(const struct job *job);

/* build.c: bitcode to job->image, for `threads` processes; the assumptions that the program's externals make. */
void translate_files(struct job *job, const struct list *bitcode, unsigned threads);
/* The same to see what it uses: problems are part of the result, which must be released. */
void audit_files(struct job *job, const struct list *bitcode, struct translator_result *result);
/* The verdict needs an assumption about what the program does at a place (line 0: nowhere in particular). */
void assume_at(struct job *job, const char *assumption, const char *file, unsigned line);

/* narrow.c: the first input of which fewer values are tried than the SV-COMP profile means, and how many more there are, for
 * people; NULL if there is none. */
char *narrowed_input(const struct job *job, const struct translator_result *result);

#endif
