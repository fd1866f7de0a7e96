/* SPDX-License-Identifier: MIT
 *
 * What follows from what a search has left.  `rows` in judge() decides: the first row that holds says how the search goes on, or
 * why it tells less than that the program is verified.
 */
#include "outcome.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../options/rows.h"
#include "../../runtime/state/end.h"

#include <assert.h>
#include <stdlib.h>

void conclude(struct job *job, enum verdict verdict, char *reason)
{
	assert((verdict == VERDICT_INCONCLUSIVE) == (reason != NULL));
	job->result.verdict = verdict;
	free(job->result.reason);
	job->result.reason = reason;
}

bool ended_early(const struct job *job, const struct outcome *o)
{
	bool died = o->end == PROCESS_EXITED && o->status == PROCESS_DIED, found = json_array_size(job->result.violations) > 0;
	return o->out_of_memory || limits_end(o->met, o->more_threads) || (is_by_several(job) && (found || died));
}

/* Did the search end by itself, with nothing left out but schedules with more preemptions? */
static bool was_complete(const struct outcome *o)
{
	return o->end == PROCESS_EXITED && !o->cuts.count && !limits_end(o->met, o->more_threads) && !o->out_of_memory &&
		!o->too_deep && !o->incomplete && !o->interrupted;
}

/* Could there be more numbers for objects of malloc? */
static bool has_room(const struct job *job)
{
	return !job->program.many ||
		(!job->program.fewest && !job->inputs->options.threads && job->search.threads_used < job->search.threads);
}

/* Is this a search with SCALE's filters?  Together they miss violations (tests/bench/scale/missed.c). */
static bool misses_violations(const struct options *o)
{
	return o->identity == IDENTITY_SCALE && (o->reductions & REDUCTION_SUPERSTEPS);
}

/* ---- reasons, in words -------------------------------------------------------------------------------------------------- */

static char *after_states(const struct job *job, const char *what)
{
	return text("%s after %.0f state%s", what, job->result.statistics.states, plural(job->result.statistics.states));
}

static char *interrupted(const struct outcome *o)
{
	return after_states(o->job, "interrupted");
}

static char *stopped(const struct outcome *o)
{
	return after_states(o->job, "stopped");
}

static char *time_is_up(const struct outcome *o)
{
	unsigned long seconds = o->job->inputs->options.max_time ? o->job->inputs->options.max_time : RACES_SECONDS;
	char *limit = text("time limit of %lu second%s reached", seconds, plural((double)seconds));
	char *after = after_states(o->job, limit),
	     *reason = text("%s%s%s", after, o->stopped ? "; " : "", o->stopped ? o->stopped : "");
	free(limit);
	free(after);
	return reason;
}

static char *memory_is_full(const struct outcome *o)
{
	bool told = o->job->inputs->options.max_memory == 0 && o->job->search.memory_limit > 0;
	double limit = told ? o->job->search.memory_limit : (double)memory_limit(&o->job->inputs->options);
	char *reached = text("memory limit of %.0f MB reached", limit / MEGABYTE), *after = after_states(o->job, reached);
	char *reason = text("%s" ADVICE_MEMORY ADVICE_WALKS, after);
	free(reached);
	free(after);
	return reason;
}

/* Return why paths were cut, malloc'ed: the first reason, and how many more there are. */
static char *paths_cut(const struct outcome *o)
{
	assert(o->cuts.count > 0);
	double more = o->reasons - 1;
	char *others = more > 0 ? text("; and %.0f more limit%s", more, more > 1 ? "s" : "") : text("%s", "");
	char *paths = o->paths > 1 ? text("; %.0f paths were cut", o->paths) : text("%s", "");
	char *reason = text("%s%s%s", o->cuts.items[0], others, paths);
	free(others);
	free(paths);
	return reason;
}

static char *depth_reached(const struct outcome *o)
{
	return text("depth limit %lu reached", o->depth);
}

static char *states_lost(const struct outcome *o)
{
	return text("no violation, but of %.0f states %.0f were lost between the processes; search without --cores", o->counted,
		    o->left);
}

static char *within_bound(size_t preemptions)
{
	char *within = bounds_in_words(preemptions), *reason = text("no violation %s", within);
	free(within);
	return reason;
}

static char *bound_reached(const struct outcome *o)
{
	return with_inputs(o->job, within_bound(o->job->program.bound));
}

static char *staleness_reached(const struct outcome *o)
{
	return with_inputs(o->job, memory_in_words(o->job, o->job->program.staleness));
}

static char *states_left_out(const struct outcome *o)
{
	return json_array_size(o->job->result.violations) ?
		text("--search %s leaves states out", options_search_word(&o->job->inputs->options)) :
		partial_reason(o->job);
}

static char *few_inputs(const struct outcome *o)
{
	assert(o->job->program.input);
	return text("no violation found, but only a few values were tried of %s", o->job->program.input);
}

static char *unknown(const struct outcome *o)
{
	return what_is_unknown(o->job);
}

/* ---- the verdict --------------------------------------------------------------------------------------------------------- */

enum search_end judge(struct job *job, const struct outcome *o)
{
	const struct options *options = &job->inputs->options;
	bool several = is_by_several(job), died = o->end == PROCESS_EXITED && o->status == PROCESS_DIED;
	job->search.starved = o->out_of_memory || outcome_met(o, LIMIT_MEMORY);
	if (o->end != PROCESS_EXITED && restart_casts_doubt(o->met))
		json_array_clear(job->result.violations); /* there was no time to begin again */
	bool found = json_array_size(job->result.violations) > 0;
	job->search.complete = found || was_complete(o);
	assert(o->errors >= 0 && o->left >= 0 && o->paths >= 0);
	if (o->end == PROCESS_EXITED && restart(job, o->met))
		return SEARCH_AGAIN;
	if ((!found || options->all) && was_complete(o) && outcome_met(o, LIMIT_STALENESS) && memory_widens(job))
		return SEARCH_AGAIN;
	/* ALL: where violations were found, the reason is why a search for all may have missed some.  BOUND: it is the bound. */
	enum { NEITHER, ALL, BOUND };
	const struct row {
		bool holds;
		int what;
		enum search_end end; /* unless a violation was found */
		const char *text;    /* the reason, or reason() says it */
		char *(*reason)(const struct outcome *o);
	} rows[] = {
		/* clang-format off */
		{ o->end == PROCESS_INTERRUPTED, ALL, SEARCH_DONE, NULL, interrupted },
		{ o->end == PROCESS_STOPPED, ALL, SEARCH_DONE, NULL, stopped },
		{ o->end == PROCESS_TIMED_OUT, ALL, SEARCH_DONE, NULL, time_is_up },
		{ o->more_threads && outcome_met(o, LIMIT_THREADS), NEITHER, SEARCH_MORE_THREADS, NULL, NULL },
		{ several && died, NEITHER, SEARCH_DONE,
		  "a process of the search was killed, perhaps for want of memory", NULL },
		{ job->search.starved, ALL, SEARCH_DONE, NULL, memory_is_full },
		{ o->too_deep && !options->max_depth && o->depth < MOST_DEPTH, NEITHER, SEARCH_MORE_DEPTH, NULL, NULL },
		{ outcome_met(o, LIMIT_HEAP_OBJECTS) && has_room(job), NEITHER, SEARCH_MORE_OBJECTS, NULL, NULL },
		{ o->cuts.count, ALL, SEARCH_DONE, NULL, paths_cut },
		{ o->too_deep, ALL, SEARCH_DONE, NULL, depth_reached },
		{ several && (!o->several || o->left > 0), NEITHER, SEARCH_DONE, NULL, states_lost },
		{ !found && (o->errors > 0 || ended_early(job, o)), NEITHER, SEARCH_DONE,
		  "pan did not complete the search", NULL },
		{ o->incomplete || o->interrupted, ALL, SEARCH_DONE,
		  "pan did not complete the search", NULL },
		{ outcome_met(o, LIMIT_PREEMPTIONS), BOUND, SEARCH_DONE, NULL, bound_reached },
		{ outcome_met(o, LIMIT_STALENESS), BOUND, SEARCH_DONE, NULL, staleness_reached },
		{ misses_violations(options), BOUND, SEARCH_DONE,
		  "SCALE finds no violation, but with super-steps it can miss one", NULL },
		{ is_partial(options) && !job->program.formula, ALL, SEARCH_DONE, NULL, states_left_out },
		{ job->program.narrowed, NEITHER, SEARCH_DONE, NULL, few_inputs },
		{ true, NEITHER, SEARCH_DONE, NULL, unknown },
		/* clang-format on */
	};
	const struct row *row = rows;
	while (!row->holds || (found && row->what != ALL && row->reason != unknown))
		row++;
	assert(row < rows + sizeof rows / sizeof *rows);
	if (!found && row->end != SEARCH_DONE)
		return row->end;
	bool few = row->reason == few_inputs || (row->reason == states_left_out && job->program.narrowed);
	if (!found && few && inputs_widen(job))
		return SEARCH_AGAIN;
	if (!found && row->reason == paths_cut && ((outcome_met(o, LIMIT_VALUES) && inputs_relate(job)) || inputs_enumerate(job)))
		return SEARCH_AGAIN;
	assert(row->text || row->reason);
	job->search.cut = !found && row->what == BOUND;
	char *reason = found && (row->what != ALL || !options->all) ? NULL : row->text ? text("%s", row->text) : row->reason(o);
	free(job->result.cut_short);
	job->result.cut_short = found && reason ? text_without(reason, ADVICE_WALKS) : NULL;
	if (found)
		free(reason);
	conclude(job, found ? VERDICT_VIOLATED : reason ? VERDICT_INCONCLUSIVE : VERDICT_VERIFIED, found ? NULL : reason);
	return SEARCH_DONE;
}

/* Say up to which bound a search that was stopped had found nothing. */
void tell_coverage(struct job *job, const struct outcome *o)
{
	size_t bounds = json_array_size(job->result.bounds);
	if (job->result.verdict != VERDICT_INCONCLUSIVE || job->search.cut || job->program.narrowed || bounds == 0 ||
	    o->cuts.count || outcome_met(o, LIMIT_DEPTH))
		return;
	assert(job->result.reason);
	char *reached = within_bound(bounds - 1), *remark = resume_remark(job);
	conclude(job, VERDICT_INCONCLUSIVE, text("%s; %s%s", job->result.reason, reached, remark));
	free(reached);
	free(remark);
}

/* Say what a search has covered that told states apart by a hash.  A search that was stopped does not say so yet. */
void tell_told_apart(struct job *job)
{
	json_decref(job->result.coverage);
	job->result.coverage = NULL;
	if (!is_partial(&job->inputs->options) || job->program.formula || job->result.verdict != VERDICT_INCONCLUSIVE ||
	    job->result.statistics.states <= 0)
		return;
	struct coverage coverage = coverage_of(job);
	job->result.coverage = coverage_json(&coverage);
	char *apart = coverage_in_part(&coverage);
	if (!job->search.complete)
		conclude(job, VERDICT_INCONCLUSIVE, text("%s; %s", job->result.reason, apart));
	free(apart);
}
