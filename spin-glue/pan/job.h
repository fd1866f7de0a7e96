/* SPDX-License-Identifier: MIT
 *
 * One run of a subcommand.  Each part is filled in by the room that owns it, and read by those above.
 */
#ifndef BITSPIN_JOB_H
#define BITSPIN_JOB_H

#include "../formula/formula.h"
#include "../base/base.h"
#include "../program/program.h"

enum { RACES_SECONDS = 10 }; /* see races.c */

/* The searches of a run: where they are, and what one leaves for the next. */
struct search {
	char *records;           /* the file of results, in the work directory */
	long told;               /* how many bytes of it have been read for what to print meanwhile */
	unsigned staleness_done; /* a search that let threads read so many values of a location has found nothing; 0: none has */
	double told_states;      /* states under the last bound that was printed */
	bool cut;                /* the bound kept the search from being exhaustive */
	bool complete;           /* the search ended by itself: with a violation, or with nothing left under its bound */
	unsigned threads;        /* processes of the model that was searched last */
	unsigned threads_used;   /* how many of them were in use */
	uint64_t *valuations;    /* what values the propositions of the formula had together in any state; see bitspin_vm.h */
	size_t nvaluations;
	bool valuations_known;
	char *pan;     /* the pan that searched for the last formula */
	char *claim;   /* in a replay: which claim of several in the model; NULL: there are not several, or pan's usual one */
	json_t *races; /* array: under --all, races that searches before the last one have found */
	enum { ALL_THE_TIME, SOME_TIME, TIME_IS_UP } races_time; /* how much time searches after the first such race have, or had */
	bool may_climb;            /* a ladder may be put up beside the exhaustive search (ladder.c) */
	struct ladder *ladder;     /* the ladder beside the search under way; NULL: there is none */
	struct resume *resume;     /* what earlier runs have finished (resume.c); NULL: nothing is kept */
	char *snapshot;            /* the file with the states of a search from bound to bound; NULL: none */
	struct progress *progress; /* of the search under way */
	double memory_limit;       /* of the last search, bytes; 0: not known */
	char *allotment;           /* file with the memory that the search may take just now; NULL: as the options say */
	bool starved;              /* memory has ended the last search */
	struct beside *beside;     /* the profile that is made beside the search (beside.c); NULL: there is none */
	bool scheduled;            /* what was found has a schedule, and no trail */
};

/* What the searches have found: all that a report tells, beside the options and what is known of the program. */
struct result {
	enum verdict verdict;
	enum verdict safety;  /* the verdict before formulas were checked */
	char *reason;         /* inconclusive or error: why */
	char *cut_short;      /* --all, and violated: what has ended the last search early; NULL: nothing */
	json_t *violations;   /* array, as in the JSON report */
	json_t *suppressed;   /* array: faults that were suppressed, each once, as the VM has reported them (bitspin_vm.h) */
	struct list cuts;     /* reasons to cut paths in the last search */
	double paths_cut;     /* how many paths were cut in the last search */
	uint64_t limits;      /* a set (pan.h): what limits the last search has met */
	enum process_end end; /* ... and how its pan has ended */
	bool too_deep;        /* ... and whether --max-depth has cut it */
	char *stopped;        /* ... and what was going on when it was stopped; NULL: nothing that is worth telling */
	json_t *profile;      /* records of what states are made of (runtime/drive_main.c); NULL: not known */
	bool main_ends;       /* main ends in some schedule */
	json_t *met;          /* what steps of the last searches have met, as the VM reports it; NULL: not known */
	json_t *off;          /* object: why reductions are off that the image asks for, by the VM; NULL: nobody has searched */
	json_t *frames;       /* array: what frames_of() of simulate/ returns, for a page; NULL: not known */
	char *tests;          /* what is to be said of the tests that were written; NULL: none were */
	json_t *traces;       /* how many there are (traces_count() in pan.h); NULL: not asked */
	json_t *space;        /* array: what --graph draws, records of bitspin-drive (runtime/drive_main.c); NULL: nothing */
	json_t *earlier;      /* how much of the result is from earlier runs, as in the JSON report; NULL: nothing */
	json_t *rungs;        /* figures of the ladder, as in the JSON report; NULL: there was none */
	json_t *coverage;     /* of a search that has told states apart by a hash, as in the JSON report; NULL: of none */
	json_t *walks;        /* figures of random walks, see walks.c; NULL: none were made */
	json_t *bounds;       /* array: figures of each bound on preemptions that was completed, as in the JSON report */
	struct statistics statistics;
};

struct job {
	struct inputs *inputs; /* what the user asked for */
	struct program program;
	struct search search;
	struct result result;
};

void job_init(struct job *job);
void job_release(struct job *job);
/* Begin a job that searches the same program as `all`, with options of its own, a copy to be changed; end it. */
void job_init_beside(struct job *job, const struct job *all);
void job_release_beside(struct job *job);
/* Forget what the job has found, for another check with the same options in the same work directory. */
void job_begin_again(struct job *job);

#endif
