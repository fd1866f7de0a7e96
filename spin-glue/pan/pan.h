/* SPDX-License-Identifier: MIT
 *
 * Running pan: searches, and replays of the trails they leave.
 */
#ifndef BITSPIN_PAN_H
#define BITSPIN_PAN_H

#include "../../runtime/image/image.h"
#include "../../runtime/state/end.h"

#include <jansson.h>
#include <stdbool.h>

struct formula;
struct job;
struct list;
struct options;
struct statistics;

/* search.c: run pan on the image of the job, to this depth, and fill in verdict, reason, violations (without traces) and
 * statistics. `more_threads`: a model with more threads is possible, so a path that needs more ends the search; otherwise the path
 * is cut. */
enum search_end {
	SEARCH_DONE,
	SEARCH_AGAIN, /* the search relied on something that is not so; the job is changed: translate the program again (restart.c) */
	SEARCH_MORE_THREADS,
	SEARCH_MORE_DEPTH,
	SEARCH_MORE_OBJECTS
};
enum search_end search_run(struct job *job, const char *pan, unsigned long depth, bool more_threads);
/* Search again to another depth.  What is found is left as a trail, and changes nothing in the result. */
void search_again(struct job *job, const char *pan, unsigned long depth);
/* Does the never claim make this error of pan's, and not the VM?  `message`: what stands behind "pan:N:". */
bool is_claims_error(const char *message);
/* What a reason says where memory has ended a search; the second part only where there were no random walks. */
#define ADVICE_MEMORY "; allow more with --max-memory"
#define ADVICE_WALKS  ", or look for what shows soon with --search random"
enum { FIRST_DEPTH = 100000, MOST_DEPTH = 100000000 };

/* restart.c: a set of limits that a search has met. */
typedef uint64_t limit_set;
static inline limit_set limit_bit(enum vm_limit limit)
{
	return (limit_set)1 << limit;
}
/* Return the limit with this name in records; VM_LIMITS if there is none. */
enum vm_limit limit_named(const char *name);

/* Name the suppressed faults after which nobody knows what a program does (races.c), malloc'ed; NULL: there are none. */
char *what_is_unknown(const struct job *job);

/* Does the limit cut paths?  Does any of these limits end a search? */
bool limit_cuts(enum vm_limit limit);
bool limits_end(limit_set limits, bool more_threads);
/* Do these limits say that the search relied on something that is not so, and may a violation that was found come of that, too? */
bool restart_casts_doubt(limit_set limits);
/* Note why a reduction does not suit, which says the record of a limit. */
void restart_note(struct job *job, enum vm_limit limit, const json_t *record);
/* Change the job so that it no longer relies on what these limits take back, and return true if the search has to begin again;
 * false if no limit says so, or if there is a violation that stands. */
bool restart(struct job *job, limit_set limits);

/* bounds.c: are bounds to be printed as they are completed? */
bool bounds_are_told(const struct job *job);
/* Print the bounds that the search under way has completed since the last call; one that was a search of its own. */
void bounds_tell(struct job *job);
void bounds_tell_search(struct job *job);

/* Name the schedules with at most `preemptions` preemptions, as in "with up to 2 preemptions", malloc'ed. */
char *bounds_in_words(size_t preemptions);

/* walks.c: walk at random on the job's image.  Put the figures into `walks` of the result (runtime/drive_main.c says what they
 * are), also where the time is up, and a violation into `violations`; then set `scheduled` of the search, and leave the schedule in
 * the file FOUND_SCHEDULE of the work directory.  `more_threads` as in search_run(). */
#define FOUND_SCHEDULE "found"
struct walks {
	unsigned long seed, most; /* most: how many walks; 0: no limit */
	double seconds;           /* how long; 0: no limit */
};
enum search_end walks_run(struct job *job, const struct walks *plan, bool more_threads);

/* ladder.c: the *ladder* is the other searches beside the exhaustive one.  Begin it when the exhaustive search is about to
 * start. */
void ladder_begin(struct job *job, const struct list *bitcode);
/* Look after the other searches now and then.  Return false if the exhaustive search is to end, because another has found a
 * violation. */
bool ladder_look(struct job *job);
/* End the other searches when the exhaustive one is over.  Put their violation, and what they have reached, into the job. */
void ladder_end(struct job *job);
/* Say in words what the ladder has reached in the end, or has reached so far, malloc'ed; NULL: nothing. */
char *ladder_line(const struct job *job);
char *ladder_reached(struct job *job, bool brief);
/* Begin the last rung: change the options to a bitstate search, and return true, if memory has ended the exhaustive search. */
bool ladder_last_rung(struct job *job);
/* End the last rung, and restore the options.  Return true if its outcome counts, which is a violation; otherwise make it a part of
 * what was reached. */
bool ladder_last_rung_done(struct job *job);
bool ladder_is_on_last_rung(const struct job *job);

/* climb.c: the function of the climber's process, for child_call(); its exit statuses; and the file in which it leaves in its
 * directory what it has found. */
struct climb {
	struct job *job;
	const struct list *bitcode;
	const char *directory; /* of the process */
	char *allotment;       /* the file with its part of the memory */
	unsigned long seeds;   /* earlier runs have walked from the seeds 1 to this one */
	double walked;         /* for how many seconds */
};
enum { CLIMB_DONE = 20, CLIMB_FOUND = 21 };
#define CLIMB_OUTCOME "outcome.json"
int climb_ladder(void *climb);

/* rungs.c: reading what searches have reached, from the records that they leave in a directory. */
#define RUNGS_WALKS       "walks.json"
#define RUNGS_MORE_WALKS  "more-walks.json"
#define RUNGS_BOUNDS      "bounds.json"
#define RUNGS_OF_SEARCH   "result.json" /* bounds of the search itself */
#define RUNGS_BEGUN_AGAIN "begun-again" /* this file is there if a search has begun again */
#define RUNGS_IMAGE       "image"       /* type of the record before those of bounds, which names the image of the bounds */
struct rungs {
	json_t *bounds;   /* array: figures of each bound that was completed; none, if a limit has cut paths */
	json_t *batches;  /* array: figures of random walks, by "seed"; the last may have "violates" */
	char *image;      /* the image of the bounds (image_identity()); NULL: not known */
	char *trouble;    /* with the file of states from which a search goes on, or which it leaves; NULL: there was none */
	json_t *bitstate; /* figures of a bitstate search, as in the JSON report; NULL: there was none */
	bool cut;         /* a limit has cut paths */
	bool again;       /* a search has begun again, because it relied on something that is not so */
};
/* Read the records in a directory; those of bounds are in the file `bounds`. */
void rungs_read(struct rungs *rungs, const char *directory, const char *bounds);
void rungs_release(struct rungs *rungs);
/* Note in the directory of a job that a search has begun again. */
void rungs_begin_again(const char *directory);
/* Sum up the figures of batches of random walks. */
json_t *rungs_sum(const json_t *batches);
/* Say what was reached, malloc'ed: "no violation with up to 2 preemptions (exhaustive), and in 345 random runs"; in brief: "up to 2
 * preemptions, 345 random runs".  NULL: nothing is known. */
char *rungs_in_words(const struct rungs *rungs);
char *rungs_in_brief(const struct rungs *rungs);

/* resume.c: the option --checkpoint; without it, these functions do nothing.  Begin when the job has its first image: read what
 * earlier runs have finished, and lock the file. */
void resume_begin(struct job *job);
/* Write what this run has finished, now and then. */
void resume_look(struct job *job);
/* Note the verdict on safety. */
void resume_end(struct job *job);
/* Add what earlier runs have reached to what this one has, and note in job->result.earlier how much that is. */
void resume_add(struct job *job, struct rungs *rungs);
/* Say that a part of what was reached is from earlier runs, for the last line; how much that is, for a line of its own, "" for
 * nothing. Both malloc'ed. */
char *resume_remark(const struct job *job);
char *resume_line(const struct job *job);
/* Return how many bounds earlier runs have completed; from which seeds, up to *seeds, and for how long they have walked at
 * random. */
size_t resume_bounds(const struct job *job);
void resume_walks(const struct job *job, unsigned long *seeds, double *seconds);

/* modes.c: searches other than the usual one.  May such a search leave out states? */
bool is_partial(const struct options *options);
/* Is the search of the job done by several processes? */
bool is_by_several(const struct job *job);
/* Add the options that pan gets for the search of the job. */
void search_arguments(const struct job *job, struct list *argv);
/* Say what a search that may leave out states has covered when it has found nothing, malloc'ed. */
char *partial_reason(const struct job *job);
/* Add to `reason`, which says what has been looked at, of which inputs only a few values were tried.  Return it, or a text in its
 * place, malloc'ed. */
char *with_inputs(const struct job *job, char *reason);
/* Return the memory that a search may take, in bytes. */
unsigned long memory_limit(const struct options *options);
/* Return the size of the array of a bitstate search: 2 to the power of the result, in bits. */
int array_bits(const struct options *options);
/* Do what search_run() does, by random walks. */
enum search_end walks_search(struct job *job, bool more_threads);
/* Forget the trails that several processes have left.  several_choose_violation: take one of them that leads to a reported
 * violation as "model.pml.trail", and forget what the others have found; return false if there is none. */
void several_forget_trails(const struct job *job);
bool several_choose_violation(struct job *job, const char *pan);

/* coverage.c: what a search has covered that has told states apart by a hash. */
struct coverage {
	double apart; /* the estimated share of the states met that the search did not mistake for another state */
};
struct coverage coverage_of(const struct job *job);
/* Say how much was covered: "at most 95 %" of all states, never 100 %; or of a search that was stopped, "of the states met, 98 %
 * were told apart"; both malloc'ed; for the JSON report. */
char *coverage_in_words(const struct coverage *coverage);
char *coverage_in_part(const struct coverage *coverage);
json_t *coverage_json(const struct coverage *coverage);

/* progress.c: how far a search is.  Begin before the search starts. */
struct progress *progress_begin(const struct job *job);
/* Return the path of the file for BITSPIN_PROGRESS. */
const char *progress_path(const struct progress *progress);
/* Fill in the figures so far. */
void progress_take(const struct progress *progress, struct statistics *statistics);
/* Return the memory that the search may take, in bytes; 0 if it has not told. */
double progress_limit(const struct progress *progress);
/* Print, if it is time, how far the search is, and what `reached` says of the job; take away from the terminal what was printed. */
typedef char *progress_reached(struct job *job, bool brief);
void progress_look(struct progress *progress, progress_reached *reached, struct job *job);
void progress_clear(struct progress *progress);
void progress_end(struct progress *progress);

/* memory.c: begin with the newest values, if the search can go on to more.  memory_widens: after a search that was complete but for
 * older values that were not read: let the next one read more of them, and return true; return false if it must not.
 * memory_in_words: return what a search has shown in which threads read so many values.  memory_tell: say with how many values a
 * search that was stopped had found nothing. */
void memory_begin(struct job *job);
void memory_tell(struct job *job);
bool memory_widens(struct job *job);
char *memory_in_words(const struct job *job, unsigned staleness);

/* inputs.c: let the next search try all values of inputs, where a few have shown no violation; or terms, where sets have not told
 * enough; or each value, where terms have not either.  Return false if it may not, or has done so.  inputs_meet: let it try terms,
 * as two inputs meet of which sets would try too many values. */
bool inputs_widen(struct job *job);
bool inputs_relate(struct job *job);
bool inputs_enumerate(struct job *job);
void inputs_meet(struct job *job);

/* interrupts.c: let signals interrupt threads at the places of `mode`, at least.  interrupts_found: change the job, and return
 * true, if the statistics of a search name more such places, so that the search has to begin again. */
void interrupts_ask(struct job *job, enum image_interrupts mode);
bool interrupts_found(struct job *job, const json_t *statistics);

/* widen.c: search as the options ask, again with more threads, depth or preemptions where needed.  Return the pan used last. */
char *search_program(struct job *job, const struct list *bitcode);

/* races.c: note in the job the races that were found and that the next search is to go past; return false if there are none.
 * races_add: add the races that were reported under --all to what the last search has found. */
bool races_go_past(struct job *job, const char *pan);
void races_add(struct job *job);

/* replay.c: run a program that has the VM in it on the job's image, and return all that the VM tells (bitspin_vm.h), an array.  The
 * schedule of what it replays is left in the file `schedule` of the work directory. */
#define REPLAY_OUTPUT "replay.out" /* what the program has printed, in the work directory */
json_t *run_on_image(struct job *job, const char *const argv[], const char *directory, const char *schedule);
/* Replay a trail in `directory`, and return all that the VM tells; the schedule is left in "schedule". */
json_t *replay(struct job *job, const char *pan, const char *directory, const char *trail);
/* Return the violation among these records, with its trace, and "turns" if there are any; NULL if there is none.  The records are
 * changed. */
json_t *violation_of(const json_t *records);
/* Return the violation at the end of a trail, with its trace, or NULL. */
json_t *trace_of(struct job *job, const char *pan, const char *directory, const char *trail);

/* shorten.c: return a violation, one of `of`, as people are told it: by a schedule that is easier to follow, if that is wanted and
 * there is one, and with the events marked on which it depends.  The replay of `violation`, which is released, has left its
 * schedule in the work directory. */
json_t *explained(struct job *job, json_t *violation, size_t of);

/* slice.c: mark by "relevant" the events of a violation's trace on which the violation depends, and by "distance" how far. */
void mark_relevant(json_t *violation);
/* Mark what those read who go round in the loop of a lasso, and what that depends on. */
void mark_loop(json_t *violation);
/* wakeups.c: tell by "causes" why threads of a deadlock still wait for a signal, and mark what that is about. */
void explain_wakeups(json_t *violation);

/* tests.c: fail if there is something in the directory of --tests; write the tests, and return what is to be said of them. */
void tests_check(const char *directory);
char *tests_write(struct job *job);

/* traces.c: count the Mazurkiewicz traces of the program, whose image must be one without reductions.  Return {"traces": digits} or
 * {"why": there is no number}. */
json_t *traces_count(struct job *job);

/* space.c: return the states of the job's program and the steps between them, an array of records (runtime/drive_main.c). */
json_t *state_space(struct job *job);
/* Return what `states` of these states are made of, an array of records (runtime/drive_main.c).  It takes so many seconds at most;
 * 0: as many as it takes. */
json_t *state_profile(struct job *job, unsigned long states, double seconds);

/* beside.c: a profile of a small sample is made beside a search that takes long, for advice.  Look after it; end it, and leave what
 * it has found in the result. */
void beside_look(struct job *job);
void beside_end(struct job *job);
/* schedule.c: schedules that are kept in files. */
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
/* Read a schedule from a file.  Return NULL, or what is wrong with the file, malloc'ed. */
char *schedule_load(struct kept_schedule *schedule, const char *path);
/* Write the first `count` steps to a file. */
bool schedule_save(const struct kept_schedule *schedule, size_t count, const char *path);
/* Write the schedule of the violation shown last into the directory `to`. */
bool schedule_keep(const struct job *job, const char *to);

/* shorten.c: return the violation, with its trace, to which a schedule in a file leads on the job's image; NULL if there is
 * none. */
json_t *violation_of_schedule(struct job *job, const char *path);

/* trails.c: is a file a trail of pan's?  newest_trail: return the name of the newest trail in a directory; NULL if there is
 * none. */
bool is_trail(const char *path);
char *newest_trail(const char *directory);
/* Return the name of the claim that a trail in `directory` is about, malloc'ed; PROGRESS_CLAIM is SPIN's own, of -DNP; NULL: there
 * is none. */
#define PROGRESS_CLAIM ":np_:"
char *claim_of_trail(struct job *job, const char *pan, const char *directory, const char *trail);
/* Write the trail without the moves of its claim, for pan to replay.  Return the name of the file in the work directory. */
const char *trail_without_claim(const struct job *job, const char *directory, const char *trail);

/* lasso.c: return the violation of a formula that a trail in `directory` shows, with its trace and its loop; NULL if the trail
 * shows none.  Leave a trail with the loop twice in the work directory: twice.trail. */
json_t *lasso_of(struct job *job, const char *pan, const char *directory, const char *trail, const char *formula);
/* Look for a shorter trail of the violation that model.pml.trail shows, where that is cheap.  Return its violation, or the given
 * one; the trail that is left is that of the result. */
json_t *shorter_lasso(struct job *job, const char *pan, json_t *violation, const char *formula);

/* explain.c: replay the trails of the violations that the last search found, and put the traces into them.  keep_time_back: now and
 * then during a search that goes on after a violation: a part of --max-time is for the replay of what it has found. */
void explain_keep_time_back(const struct job *job);
void explain_violations(struct job *job, const char *pan);

/* liveness.c: search for a violation of a formula.  Put what is found into the formula, and a violation into the result. */
void formula_check(struct job *job, const struct list *bitcode, struct formula *formula);

/* met.c: forget what earlier searches have met; add what a record of the VM says. */
void met_forget(struct job *job);
void met_add(struct job *job, json_t *met);
/* Forget the valuations of a formula's propositions of earlier searches; add those that a process has seen, NULL: the process does
 * not know them all. */
void valuations_forget(struct job *job);
void valuations_add(struct job *job, const json_t *valuations);

#endif
