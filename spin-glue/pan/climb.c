/* SPDX-License-Identifier: MIT
 *
 * The climber: a part of the command, in a process of its own beside the exhaustive search (ladder.c).  Its rungs are: random walks
 * for a moment; the search from bound to bound on preemptions, where that can be done, until it has no memory left; random walks
 * again.  Each leaves its figures in the climber's directory, so that they are known however it ends.
 *
 * The job is a copy of the command's, as the process is.
 */
#include "job.h"
#include "outcome.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOMENT 1.5 /* seconds of the first walks */

static const char *const walks_files[] = { RUNGS_WALKS, RUNGS_MORE_WALKS };

/* ---- rungs --------------------------------------------------------------------------------------------------------- */

static void write_to(struct job *job, const char *image, const char *result)
{
	free(job->program.image);
	free(job->search.records);
	job->program.image = text("%s/%s", job->program.work, image);
	job->search.records = text("%s/%s", job->program.work, result);
}

/* Is there a violation?  Seeds of earlier runs are not walked again (resume.c). */
static bool walk(struct job *job, const struct climb *climb, unsigned rung, double seconds)
{
	assert(rung < sizeof walks_files / sizeof *walks_files && seconds >= 0);
	const struct walks plan = { .seed = climb->seeds + rung + 1, .seconds = seconds };
	write_to(job, "walks.image", walks_files[rung]);
	while (walks_run(job, &plan, false) == SEARCH_AGAIN) {
		rungs_begin_again(job->program.work);
		translate_files(&job->program, climb->bitcode, job->search.threads);
	}
	assert(!job->search.scheduled || json_array_size(job->result.violations) > 0);
	return job->search.scheduled;
}

/* Make the schedule of the trail that the search has left, by a replay. */
static void make_schedule(struct job *job, const char *pan)
{
	assert(json_array_size(job->result.violations) > 0);
	char *schedule = text("%s/schedule", job->program.work), *found = text("%s/" FOUND_SCHEDULE, job->program.work);
	json_t *replayed = trace_of(job, pan, job->program.work, "model.pml.trail");
	if (!replayed || !copy_file(schedule, found))
		BUG("the trail of a violation does not lead to it again");
	json_decref(replayed);
	free(schedule);
	free(found);
}

/* Can the climb search with bounds under these options?  It cannot with masks or abstractions: such a search would leave out more
 * schedules than the bound says. */
static bool can_bound(const struct options *o)
{
	return o->masks.count + o->abstractions.count == 0;
}

static bool search_bounds(struct job *job, const struct list *bitcode)
{
	enum { MOST = 200 };
	struct options *o = &job->inputs->options;
	assert(!o->bounded && can_bound(o));
	o->bounded = o->iterate = true;
	o->preemptions = MOST;
	write_to(job, "bounds.image", RUNGS_BOUNDS);
	char *pan = search_program(job, bitcode);
	bool violated = job->result.verdict == VERDICT_VIOLATED;
	if (violated)
		make_schedule(job, pan);
	o->bounded = o->iterate = false;
	free(pan);
	return violated;
}

/* ---- the climber --------------------------------------------------------------------------------------------------- */

static void leave_outcome(const struct job *job, const char *rung)
{
	assert(json_array_size(job->result.violations) > 0);
	char *path = text("%s/" CLIMB_OUTCOME, job->program.work), *schedule = text("%s/" FOUND_SCHEDULE, job->program.work);
	json_t *outcome = json_pack("{s:s, s:s, s:s, s:i, s:O}", "rung", rung, "image", job->program.image, "schedule", schedule,
				    "threads", (int)job->search.threads, "violation", json_array_get(job->result.violations, 0));
	if (!outcome || json_dump_file(outcome, path, 0) != 0)
		BUG("the outcome cannot be written");
	json_decref(outcome);
	free(path);
	free(schedule);
}

static bool is_over(void)
{
	return process_interrupted() || process_out_of_time();
}

static struct job *begin(const struct climb *climb)
{
	struct job *job = climb->job;
	assert(job->search.ladder && !job->program.formula);
	process_catch_signals();
	fail_tell(NULL);
	job->search.ladder = NULL;
	job->search.may_climb = false;
	job->search.beside = NULL;
	job->search.resume = NULL;
	job->program.work = text("%s", climb->directory);
	job->search.allotment = climb->allotment;
	job->program.image = job->search.records = NULL;
	job->inputs->options.quiet = true;
	targets_forget(&job->inputs->options);
	return job;
}

int climb_ladder(void *argument)
{
	const struct climb *climb = argument;
	struct job *job = begin(climb);
	const char *rung = NULL;
	if (climb->walked < MOMENT && walk(job, climb, 0, MOMENT - climb->walked))
		rung = "walks";
	else if (!is_over() && can_bound(&job->inputs->options) && search_bounds(job, climb->bitcode))
		rung = "bounds";
	else if (!is_over() && walk(job, climb, 1, 0))
		rung = "walks";
	if (!rung)
		return CLIMB_DONE;
	leave_outcome(job, rung);
	return CLIMB_FOUND;
}
