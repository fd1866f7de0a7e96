/* SPDX-License-Identifier: MIT
 *
 * Violations are replayed before they are shown: a trace is put into each.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char *what_has_ended(const struct job *job)
{
	unsigned long seconds = job->inputs->options.max_time;
	return process_interrupted() ? text("interrupted") :
				       text("time limit of %lu second%s reached", seconds, plural((double)seconds));
}

/* Say that time was too short to replay all violations, and keep only the first `replayed` of them. */
static void tell_replayed(struct job *job, size_t replayed)
{
	assert(replayed > 0 && replayed < json_array_size(job->result.violations));
	char *limit = what_has_ended(job);
	size_t rest = json_array_size(job->result.violations) - replayed;
	free(job->result.cut_short);
	job->result.cut_short = text("%s before %zu more violation%s could be replayed", limit, rest, plural((double)rest));
	while (json_array_size(job->result.violations) > replayed)
		json_array_remove(job->result.violations, replayed);
	free(limit);
}

/* Conclude that time was too short to replay `violation`, the first that was found. */
static void not_replayed(struct job *job, const json_t *violation)
{
	const char *file = json_string_value(json_object_get(violation, "file"));
	const char *message = json_string_value(json_object_get(violation, "message"));
	long long line = json_integer_value(json_object_get(violation, "line"));
	char *place = line ? text(" at %s:%lld", from_here(file), line) : text("%s", "");
	char *limit = what_has_ended(job);
	free(job->result.reason);
	job->result.verdict = VERDICT_INCONCLUSIVE;
	job->result.reason = text("%s before a violation that the search has found could be replayed: %s%s: %s", limit,
				  json_string_value(json_object_get(violation, "kind")), place, message);
	free(place);
	free(limit);
	json_array_clear(job->result.violations);
}

/* Conclude that what pan has found is no run of the machine.  Whether there are others, pan does not tell. */
static void late_signal(struct job *job)
{
	job->result.verdict = VERDICT_INCONCLUSIVE;
	free(job->result.reason);
	job->result.reason = text("in the loop that was found, a signal is pending for ever that its thread does not block");
	json_array_clear(job->result.violations);
}

/* Name the schedule of the replay just made after violation number `i`; if `back`, give it the plain name again. */
static void name_schedule(const struct job *job, size_t i, bool back)
{
	char *plain = text("%s/schedule", job->program.work), *numbered = text("%s.%zu", plain, i);
	rename(back ? numbered : plain, back ? plain : numbered);
	free(plain);
	free(numbered);
}

/* Shorten all schedules, after all replays, as the verdict needs these more.  The schedule of the first violation is left as
 * "schedule". */
static void explain_all(struct job *job)
{
	size_t count = json_array_size(job->result.violations);
	for (size_t i = count; i-- > 0;) {
		json_t *violation = json_incref(json_array_get(job->result.violations, i));
		bool lasso = json_object_get(violation, "loop") != NULL;
		if (!lasso)
			name_schedule(job, i, true);
		json_array_set_new(job->result.violations, i, lasso ? violation : explained(job, violation, count));
	}
}

static json_t *by_schedule(struct job *job)
{
	char *schedule = text("%s/" FOUND_SCHEDULE, job->program.work);
	json_t *violation = violation_of_schedule(job, schedule);
	free(schedule);
	return violation;
}

enum { LEAST = 2, PART = 10 };

void explain_keep_time_back(const struct job *job)
{
	char *trail = text("%s/model.pml1.trail", job->program.work);
	if (job->inputs->options.all && !job->program.formula && file_exists(trail))
		process_keep_time_back((double)job->inputs->options.max_time / PART);
	free(trail);
}

/* Has the replay come to the violation that the search has found?  Where records are beside the states (histories.h), runs of the
 * search pass over races that it knows from other paths.  A replay, which has records, ends at the first race that it comes to:
 * that one has happened, and is told instead. */
static bool is_the_same(const struct job *job, const json_t *violation, const json_t *replayed)
{
	const char *kind = json_string_value(json_object_get(violation, "kind"));
	const json_t *end = json_object_get(replayed, "end"); /* of a leak, the search does not know more */
	if (strcmp(kind, json_string_value(json_object_get(replayed, "kind"))) != 0)
		return false;
	bool first = strcmp(kind, "data-race") == 0 && !job->inputs->options.all;
	return first || json_equal(json_object_get(violation, "line"), json_object_get(end ? end : replayed, "line"));
}

/* Replay each violation before it is shown.  If the search has taken all the time, some seconds are added: what was found is
 * told. */
void explain_violations(struct job *job, const char *pan)
{
	if (json_array_size(job->result.violations))
		process_grant_time(LEAST + (job->inputs->options.all ? 0 : (double)job->inputs->options.max_time / PART));
	size_t i;
	json_t *violation;
	json_array_foreach (job->result.violations, i, violation) {
		bool numbered = job->inputs->options.all && !job->program.formula; /* of a formula, one violation is enough */
		char *trail = numbered ? text("model.pml%zu.trail", i + 1) : text("model.pml.trail");
		const char *kind = json_string_value(json_object_get(violation, "kind"));
		assert(kind);
		bool lasso = job->program.formula && !json_object_get(violation, "type"); /* the claim's, not the VM's */
		json_t *replayed = job->search.scheduled ? by_schedule(job) :
			lasso ? lasso_of(job, pan, job->program.work, trail, job->program.formula->name) :
				trace_of(job, pan, job->program.work, trail);
		if (process_out_of_time() || process_interrupted()) {
			json_decref(replayed);
			free(trail);
			if (i == 0)
				return not_replayed(job, violation);
			tell_replayed(job, i);
			break;
		}
		if (!replayed || !is_the_same(job, violation, replayed)) {
			check_space();
			fail("internal error: the trail of a violation (%s: %s) does not lead to it again; "
			     "this is a bug in bitspin, please report it",
			     kind, json_string_value(json_object_get(violation, "message")));
		}
		if (json_object_get(replayed, "late")) {
			late_signal(job);
			json_decref(replayed);
			free(trail);
			return;
		}
		if (lasso && !job->inputs->options.story_full)
			replayed = shorter_lasso(job, pan, replayed, job->program.formula->name);
		if (lasso)
			mark_loop(replayed);
		json_array_set_new(job->result.violations, i, replayed);
		if (!lasso)
			name_schedule(job, i, false);
		free(trail);
	}
	explain_all(job);
}
