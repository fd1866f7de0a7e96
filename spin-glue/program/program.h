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

struct job {
	struct options options;
	struct world world;
	char *work;                      /* private directory, removed at the end */
	char *image, *result;            /* files in it */
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
	const struct formulas *formulas; /* of the check; NULL: none */
	const struct formula *formula;   /* the one that is searched for a violation; NULL: safety */
	uint64_t *valuations;            /* that its propositions had together in any state; see bitspin_vm.h */
	size_t nvaluations;
	bool valuations_known;
	char *pan; /* that searched for the last formula */
	enum verdict verdict;
	char *reason;       /* inconclusive or error: why */
	json_t *violations; /* array, as in the JSON report */
	json_t *bounds;     /* array: figures of each bound on preemptions that was completed, as in the JSON report */
	struct list assumptions;
	struct weaker_atomics weaker;
	bool hidden;       /* the program hides pointers, as a search has found */
	bool many, fewest; /* it has very many objects at once, likewise; so many that no process may be in vain */
	bool narrowed;     /* fewer inputs were tried than the profile means */
	struct statistics statistics;
};

void job_init(struct job *job);
void job_release(struct job *job);

/* compile.c: C to bitcode in the work directory; paths of all bitcode files, in the order of the files given. */
void compile_files(struct job *job, struct list *bitcode);
const char *clang_program(void);

/* translate.c: translator_run() to job->image, in a process of its own. */
int run_translator(const struct job *job, const struct translator_request *request, struct translator_result *result);

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
