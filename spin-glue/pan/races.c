/* SPDX-License-Identifier: MIT
 *
 * Going past data races.  A race ends the search, as plain accesses are no steps of their own, so that what comes of one is not
 * explored.  Where the user has suppressed it, or under --all has been told of it, its two places are noted: in the next search
 * accesses there are visible steps, and these two may race.  Any other race with an access at either place is still found, so
 * that searches go on until no race is new.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_race(const json_t *violation)
{
	const char *kind = json_string_value(json_object_get(violation, "kind"));
	return kind && strcmp(kind, "data-race") == 0;
}

/* Tolerate the race in further searches.  Return false if one of its two places is not known, or both are tolerated already. */
static bool tolerate(struct job *job, const json_t *race)
{
	assert(job->program.ntolerated % 2 == 0); /* places are in pairs */
	const json_t *other = json_object_get(race, "other");
	unsigned line = (unsigned)json_integer_value(json_object_get(race, "line"));
	unsigned other_line = (unsigned)json_integer_value(json_object_get(other, "line"));
	if (!other || line == 0 || other_line == 0 || job->program.ntolerated >= IMAGE_MOST_PLACES - 1)
		return false;
	return rules_tolerate(&job->program, json_string_value(json_object_get(race, "file")), line,
			      json_string_value(json_object_get(other, "file")), other_line);
}

/* Is the next search to go past the race, as it is suppressed, or told of under --all? */
static bool go_past(struct job *job, json_t *race)
{
	int rule = rules_cover_race(&job->program, race);
	if ((rule < 0 && !job->inputs->options.all) || !tolerate(job, race))
		return false;
	if (rule < 0) {
		json_array_append(job->search.races, race);
		return true;
	}
	json_t *fault = json_deep_copy(race);
	json_object_del(fault, "trace");
	json_object_set_new(fault, "suppression", json_integer(rule));
	json_object_set_new(fault, "unknown", json_false());
	rules_note(job->result.suppressed, fault);
	json_decref(fault);
	return true;
}

/* Remove the trails of this search, which are not those of the next one. */
static void remove_trails(const struct job *job)
{
	for (size_t i = 0; i <= json_array_size(job->result.violations); i++) {
		char *trail = i ? text("%s/model.pml%zu.trail", job->program.work, i) :
				  text("%s/model.pml.trail", job->program.work);
		unlink(trail);
		free(trail);
	}
}

/* Limit the time of searches past races that --all tells: they may take much longer than the first, as anything may come of a
 * race.  Without --max-time they have this many seconds together. */
static void limit_time(struct job *job)
{
	if (json_array_size(job->search.races) && job->inputs->options.max_time == 0 && job->search.races_time == ALL_THE_TIME) {
		job->search.races_time = SOME_TIME;
		process_limit_time(RACES_SECONDS);
	}
}

static void end_limit(struct job *job)
{
	if (job->search.races_time != SOME_TIME)
		return;
	job->search.races_time = process_out_of_time() ? TIME_IS_UP : SOME_TIME;
	process_limit_time(0);
}

bool races_go_past(struct job *job, const char *pan)
{
	size_t i;
	json_t *violation;
	bool any = false;
	if (job->program.formula || !(job->inputs->options.all || job->program.rules.count))
		return false;
	json_array_foreach (job->result.violations, i, violation) {
		if (!is_race(violation))
			continue;
		char *trail = job->inputs->options.all ? text("model.pml%zu.trail", i + 1) : text("model.pml.trail");
		json_t *race = process_out_of_time() ? NULL : trace_of(job, pan, job->program.work, trail);
		if (race && is_race(race) && json_equal(json_object_get(violation, "line"), json_object_get(race, "line")))
			any = go_past(job, race) || any;
		json_decref(race);
		free(trail);
	}
	if (any) {
		remove_trails(job);
		limit_time(job);
	} else {
		end_limit(job);
	}
	return any;
}

void races_add(struct job *job)
{
	if (json_array_size(job->search.races) == 0)
		return;
	json_array_extend(job->search.races, job->result.violations);
	json_decref(job->result.violations);
	job->result.violations = json_incref(job->search.races);
	if (!job->result.cut_short && job->result.verdict == VERDICT_INCONCLUSIVE) {
		job->result.cut_short = job->result.reason; /* of the last search, past races */
		job->result.reason = NULL;
	}
	job->result.verdict = VERDICT_VIOLATED;
	free(job->result.reason);
	job->result.reason = NULL;
}

char *what_is_unknown(const struct job *job)
{
	const json_t *fault, *first = NULL;
	size_t i, count = 0;
	json_array_foreach (job->result.suppressed, i, fault) {
		if (!json_is_true(json_object_get(fault, "unknown")))
			continue;
		first = first ? first : fault;
		count++;
	}
	if (!first)
		return NULL;
	assert(count > 0);
	char *others = count == 1 ? text("%s", "") : text(", and %zu more such fault%s", count - 1, count == 2 ? "" : "s");
	char *reason =
		text("nothing else was found, but what the program does after a suppressed fault is not known: %s at %s:%lld%s",
		     json_string_value(json_object_get(first, "kind")),
		     from_here(json_string_value(json_object_get(first, "file"))),
		     (long long)json_integer_value(json_object_get(first, "line")), others);
	free(others);
	return reason;
}
