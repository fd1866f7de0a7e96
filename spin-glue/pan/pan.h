/* SPDX-License-Identifier: MIT
 *
 * Running pan: searches, and replays of the trails they leave.
 */
#ifndef BITSPIN_PAN_H
#define BITSPIN_PAN_H

#include "../../runtime/state/end.h"
#include "../model/model.h"

/* search.c: run pan on the image and fill in verdict, reason, violations (without traces) and statistics.  Is there a model
 * with more threads?  Otherwise a path that needs more is cut. */
enum search_end {
	SEARCH_DONE,
	SEARCH_AGAIN, /* it took for granted what is not so; the job says so now: translate the program anew (restart.c) */
	SEARCH_MORE_THREADS,
	SEARCH_MORE_DEPTH,
	SEARCH_MORE_OBJECTS
};
enum search_end search_run(struct job *job, const char *pan, unsigned long depth, bool more_threads);
/* What is said where memory has ended a search; the second part not where there were random walks. */
#define ADVICE_MEMORY "; allow more with --max-memory"
#define ADVICE_WALKS  ", or look for what shows soon with --search random"
enum { FIRST_DEPTH = 100000, MOST_DEPTH = 100000000 };

/* restart.c: limits that a search has met, a set.  Which one has this name in its records; VM_LIMITS: none. */
typedef uint64_t limit_set;
static inline limit_set limit_bit(enum vm_limit limit)
{
	return (limit_set)1 << limit;
}
enum vm_limit limit_named(const char *name);

/* Faults that were suppressed, and after which nobody knows what a program does; malloc'ed; NULL: none (races.c). */
char *what_is_unknown(const struct job *job);

/* Do any of these limits say that the search took for granted what is not so?  They end a search.  restart: then the job is
 * changed, and the search is to begin again; false: it need not, as no limit says so, or there is a violation that stands. */
bool restart_is_called_for(limit_set limits);
bool restart_casts_doubt(limit_set limits); /* ... and may a violation come of what was taken for granted? */
bool restart(struct job *job, limit_set limits);

/* bounds.c: are bounds to be printed as they are completed?  Those of the search under way that are news;
 * and one that is a search of its own. */
bool bounds_are_told(const struct job *job);
void bounds_tell(struct job *job);
void bounds_tell_search(struct job *job);

/* The schedules with at most so many preemptions, as "with up to 2 preemptions", malloc'ed. */
char *bounds_in_words(size_t preemptions);

/* walks.c: random walks on the job's image.  Their figures go to job->walks (runtime/drive_main.c says what is in it), and a
 * violation to job->violations; then job->scheduled is set, and its schedule is in this file of the work directory.  Walks that the
 * end of the time has stopped have left figures, too.  Is there a model with more threads?  Otherwise a walk that needs more is
 * cut. */
#define FOUND_SCHEDULE "found"
struct walks {
	unsigned long seed, most; /* most: walks; 0: no limit */
	double seconds;           /* 0: no limit */
};
enum search_end walks_run(struct job *job, const struct walks *plan, bool more_threads);

/* ladder.c: other searches beside the exhaustive one.  begin: it is about to start; look: it goes on (true), or is to end (false),
 * as another has found a violation; end: it is over, and the others are to be.  Their violation, and what they have reached, goes
 * to the job.  line: that in words, malloc'ed; NULL: there is nothing to tell.  reached: what they have so far, likewise. */
void ladder_begin(struct job *job, const struct list *bitcode);
bool ladder_look(struct job *job);
void ladder_end(struct job *job);
/* The exhaustive search was stopped.  Has the one without reductions verified the program?  Then its results are the job's; output:
 * the path of what its pan has said, malloc'ed. */
bool ladder_has_verified(struct job *job, char **output);
char *ladder_line(const struct job *job);
/* The exhaustive search has ended.  Had it no memory left, and is a bitstate search to go on?  Then the options say so until that
 * is done; done: does its outcome count, a violation?  Otherwise it becomes a part of what was reached. */
bool ladder_last_rung(struct job *job);
bool ladder_last_rung_done(struct job *job);
bool ladder_is_on_last_rung(const struct job *job);
char *ladder_reached(struct job *job, bool brief);

/* climb.c: the process of these searches, for child_call(); its status, the file in its directory that says what it has found, and
 * the figures that it has left there. */
struct climb {
	struct job *job;
	const struct list *bitcode;
	const char *directory; /* of its own */
	char *allotment;       /* of memory */
	unsigned long seeds;   /* that earlier runs have walked from, 1 to this, */
	double walked;         /* ... and for how long, seconds */
};
enum { CLIMB_DONE = 20, CLIMB_FOUND = 21, CLIMB_VERIFIED = 22 };
#define CLIMB_OUTCOME   "outcome.json"
#define CLIMB_UNREDUCED "unreduced.json" /* results of the search without reductions */
int climb_ladder(void *climb);
int climb_unreduced(void *climb); /* CLIMB_VERIFIED: these, and what pan has said, are there */

/* rungs.c: what searches have reached that leave their records in a directory. */
#define RUNGS_WALKS       "walks.json"
#define RUNGS_MORE_WALKS  "more-walks.json"
#define RUNGS_BOUNDS      "bounds.json"
#define RUNGS_OF_SEARCH   "result.json" /* bounds of the search itself */
#define RUNGS_BEGUN_AGAIN "begun-again" /* is there if a search has begun again */
#define RUNGS_IMAGE       "image"       /* type of the record before those of bounds; "image": what they are of */
struct rungs {
	json_t *bounds;   /* array: figures of each bound that was completed; none, if a limit has cut paths */
	json_t *batches;  /* array: figures of random walks, by "seed"; "violates": the last of them */
	char *image;      /* what the bounds are of (image_identity()); NULL: not known */
	char *trouble;    /* with the file of states that a search goes on from, or leaves; NULL: there was none */
	json_t *bitstate; /* figures of a bitstate search, as in the JSON report; NULL: there was none */
	bool cut, again;  /* a limit has cut paths; a search has begun again, as it took for granted what is not so */
};
void rungs_read(struct rungs *rungs, const char *directory, const char *bounds); /* bounds: which file has them */
void rungs_release(struct rungs *rungs);
void rungs_begin_again(const char *directory); /* note that in the directory of a job */
json_t *rungs_sum(const json_t *batches);      /* figures of all these walks */
/* "no violation with up to 2 preemptions (exhaustive), and in 345 random runs", malloc'ed; NULL: nothing is known. */
char *rungs_in_words(const struct rungs *rungs);
char *rungs_in_brief(const struct rungs *rungs); /* "up to 2 preemptions, 345 random runs", likewise */

/* resume.c: --checkpoint.  begin: the job has its first image: read what earlier runs have finished, and lock the file; look, now
 * and then: write what this one has; end: there is a verdict on safety.  Nothing is done without the option. */
void resume_begin(struct job *job);
void resume_look(struct job *job);
void resume_end(struct job *job);
/* Add to what this run has reached what earlier ones have, and note in job->earlier how much that is; what to tell of it behind the
 * sum, malloc'ed. */
void resume_add(struct job *job, struct rungs *rungs);
char *resume_remark(const struct job *job);
char *resume_line(const struct job *job); /* how much that is; "": nothing */
/* Of earlier runs: how many bounds they have completed; the last seed of random walks, and their time. */
size_t resume_bounds(const struct job *job);
void resume_walks(const struct job *job, unsigned long *seeds, double *seconds);

/* modes.c: searches other than the usual one.  May one of this kind leave out anything?  Is one by several processes?  Options of
 * pan. */
bool is_partial(const struct options *options);
bool is_by_several(const struct job *job);
void search_arguments(const struct job *job, struct list *argv);
/* What one that may leave out something has found, if it has found nothing; malloc'ed. */
char *partial_reason(const struct job *job);
unsigned long memory_limit(const struct options *options); /* bytes */
int array_bits(const struct options *options);             /* a bitstate search has an array of 2 to the power of this, bits */
/* A search that is random walks, as by search_run(). */
enum search_end walks_search(struct job *job, bool more_threads);
/* Of several processes each may leave a trail.  One is taken, of a violation that is reported, and is "model.pml.trail" then; what
 * the others have found is forgotten.  False: no trail leads to a violation. */
void several_forget_trails(const struct job *job);
bool several_choose_violation(struct job *job, const char *pan);

/* coverage.c: what the job's search has covered, which has told states apart by a hash. */
struct coverage {
	double apart; /* of the states that it has met, the share that it has not taken for others, by estimate */
};
struct coverage coverage_of(const struct job *job);
/* "at most 95 %" of all states, never that it is all; "of the states met, 98 % were told apart", of a search that was
 * stopped; both malloc'ed.  As in the JSON report. */
char *coverage_in_words(const struct coverage *coverage);
char *coverage_in_part(const struct coverage *coverage);
json_t *coverage_json(const struct coverage *coverage);

/* progress.c: how far a search is.  begin: before it starts; path: of the file for BITSPIN_PROGRESS; take: the figures so far;
 * limit: the memory that it may take, bytes, 0: it has not said; look: if it is time, print how far it is, and what `reached` says
 * of the job; clear: take away what is on the terminal. */
struct progress *progress_begin(const struct job *job);
const char *progress_path(const struct progress *progress);
void progress_take(const struct progress *progress, struct statistics *statistics);
double progress_limit(const struct progress *progress);
bool progress_saved_by_locks(const struct progress *progress); /* have reductions that are about locks saved any step so far? */
typedef char *progress_reached(struct job *job, bool brief);
void progress_look(struct progress *progress, progress_reached *reached, struct job *job);
void progress_clear(struct progress *progress);
void progress_end(struct progress *progress);

/* interrupts.c: signals have to interrupt threads at so many places, at least.  found: do the statistics of a search name such
 * places?  The job is changed then, and the search is to begin again. */
void interrupts_ask(struct job *job, enum image_interrupts mode);
bool interrupts_found(struct job *job, const json_t *statistics);

/* mutexes.c: take the mutexes back that are needed, says a search in its statistics; were there such?  The job is changed then, and
 * the search is to begin again.  give_up: take all back. */
bool mutexes_taken_back(struct job *job, const json_t *statistics);
void mutexes_give_up(struct job *job);

/* widen.c: search as the options ask, again with more threads, depth or preemptions where needed; the last pan used. */
char *search_program(struct job *job, const struct list *bitcode);

/* races.c: are races among what was found that the next search is to go past?  They are noted in the job.  races_add: those
 * that were reported under --all, to what the last search has found. */
bool races_go_past(struct job *job, const char *pan);
void races_add(struct job *job);

/* replay.c: run a program that has the VM in it on the job's image; all that the VM tells (bitspin_vm.h), an array.  The
 * schedule of what it replays is in this file of the work directory then. */
json_t *run_on_image(struct job *job, const char *const argv[], const char *directory, const char *schedule);
/* The same of a replay of a trail in `directory`; the file is "schedule". */
json_t *replay(struct job *job, const char *pan, const char *directory, const char *trail);
/* The violation among these records, with its trace, and "turns", if there are any; NULL if there is none.  The records are
 * changed. */
json_t *violation_of(const json_t *records);
/* The violation at the end of a trail, with its trace, or NULL. */
json_t *trace_of(struct job *job, const char *pan, const char *directory, const char *trail);

/* shorten.c: one of so many violations, whose replay has left its schedule in the work directory, for people: by a schedule
 * that is easier to follow, if that is wanted and there is one, and with what it depends on marked.  `violation` is
 * released. */
json_t *explained(struct job *job, json_t *violation, size_t of);

/* slice.c: "relevant" in the events of a violation's trace that it depends on. */
void mark_relevant(json_t *violation);

/* space.c: the states of the job's program and the steps between them, an array of records (runtime/drive_main.c). */
json_t *state_space(struct job *job);
/* What some of these states are made of, an array of records (runtime/drive_main.c). */
json_t *state_profile(struct job *job, unsigned long states);
/* schedule.c: schedules that are kept, as files. */
struct kept_step {
	unsigned char thread, outcome;
};
struct kept_schedule {
	struct kept_step *steps;
	size_t count, capacity;
	char *program; /* program_identity(); NULL: not known */
};
void schedule_add_step(struct kept_schedule *schedule, unsigned thread, unsigned outcome);
void schedule_free(struct kept_schedule *schedule);
char *schedule_load(struct kept_schedule *schedule, const char *path); /* what is wrong with it, malloc'ed; NULL: nothing */
bool schedule_save(const struct kept_schedule *schedule, size_t count, const char *path); /* its first steps */
bool schedule_keep(const struct job *job, const char *to); /* that of the violation shown last, in this directory */

/* shorten.c: the violation, with its trace, that a schedule in a file leads to on the job's image; NULL if there is none. */
json_t *violation_of_schedule(struct job *job, const char *path);

/* trails.c: is a file a trail of pan's?  The newest in a directory, its name only; NULL: there is none. */
bool is_trail(const char *path);
char *newest_trail(const char *directory);
/* The name of the claim that a trail in `directory` is about, malloc'ed; PROGRESS_CLAIM: SPIN's own, of -DNP; NULL: none. */
#define PROGRESS_CLAIM ":np_:"
char *claim_of_trail(struct job *job, const char *pan, const char *directory, const char *trail);
/* The trail without the moves of its claim, for pan to replay: the name of a file in the work directory. */
const char *trail_without_claim(const struct job *job, const char *directory, const char *trail);

/* lasso.c: the violation of a formula that a trail in `directory` shows, with its trace and its loop; NULL, if the trail
 * does not show one.  A trail with the loop twice stays in the work directory: twice.trail. */
json_t *lasso_of(struct job *job, const char *pan, const char *directory, const char *trail, const char *formula);

/* explain.c: replay the trails of the violations that the last search found, and put the traces into them. */
void explain_violations(struct job *job, const char *pan);

/* liveness.c: search for a violation of the job's formula; what is found goes to the formula and, a violation, to
 * job->violations. */
void formula_check(struct job *job, const struct list *bitcode, struct formula *formula);

/* met.c: forget what earlier searches have met; add what a record of the VM's says. */
void met_forget(struct job *job);
void met_add(struct job *job, json_t *met);

#endif
