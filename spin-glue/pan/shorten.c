/* SPDX-License-Identifier: MIT
 *
 * The schedule that a search has found is seldom the one that explains a violation best: bitspin-drive looks for another with
 * the same violation (runtime/search/bound/shorten.h), and the violation is told by that one.
 */
#include "pan.h"
#include "job.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the VM for all violations together, a second or so, and at least for each.  Not seconds: so that the same program
 * has the same story each time. */
enum { MOST_WORK = 200000, LEAST_WORK = 10000 };

static bool is_of(const json_t *record, const char *type)
{
	const char *own = json_string_value(json_object_get(record, "type"));
	return own && strcmp(own, type) == 0;
}

/* Return the place of an operation of a record, as "pool.c:14", malloc'ed; NULL if there is none. */
static char *place_of(const json_t *record, const char *key)
{
	const json_t *place = json_object_get(record, key);
	const char *file = json_string_value(json_object_get(place, "file")), *slash = file ? strrchr(file, '/') : NULL;
	return file ? text("%s:%lld", slash ? slash + 1 : file, (long long)json_integer_value(json_object_get(place, "line"))) :
		      NULL;
}

/* Return in words what a preemption is needed for; NULL if that is not known. */
static char *sentence(const json_t *record)
{
	char *after = place_of(record, "after"), *before = place_of(record, "before"), *words = NULL;
	int thread = (int)json_integer_value(json_object_get(record, "thread"));
	int of = (int)json_integer_value(json_object_get(record, "of"));
	if (after && before && strcmp(after, before) == 0)
		words = text("thread %d runs between two operations of thread %d at %s", thread, of, after);
	else if (after && before)
		words = text("thread %d runs between %s and %s of thread %d", thread, after, before, of);
	else if (after)
		words = text("thread %d runs after thread %d has been at %s", thread, of, after);
	else if (before)
		words = text("thread %d runs before thread %d goes on at %s", thread, of, before);
	free(after);
	free(before);
	return words;
}

/* Return what all schedules have in common that lead to the violation; NULL if nothing is known.  The same data race may be met
 * with fewer preemptions if its accesses come the other way round, or in other threads. */
static char *summary(const json_t *record, const json_t *violation)
{
	json_int_t preemptions = json_integer_value(json_object_get(record, "preemptions"));
	if (json_integer_value(json_object_get(record, "switches")) == 0)
		return NULL;
	if (preemptions == 0)
		return text("for this, no thread has to be interrupted: each runs until it waits or ends");
	if (!json_is_true(json_object_get(record, "fewest")) || field_is(violation, "kind", "data-race"))
		return NULL;
	return preemptions == 1 ?
		text("this failure needs at least one interruption of a thread that could go on") :
		text("this failure needs at least %lld interruptions of threads that could go on", (long long)preemptions);
}

/* Add to the violation what was found about its schedule: "schedule" and "switches" (man/bitspin.schema.json). */
static void add_findings(const json_t *records, json_t *violation)
{
	json_t *record, *switches = json_array();
	size_t i;
	json_array_foreach (records, i, record) {
		bool is_switch = is_of(record, "switch"), is_schedule = is_of(record, "schedule");
		if (is_switch || is_schedule)
			json_object_del(record, "type");
		char *words = is_switch ? sentence(record) : is_schedule ? summary(record, violation) : NULL;
		if (words)
			json_object_set_new(record, "text", json_string(words));
		free(words);
		if (is_switch)
			json_array_append(switches, record);
		else if (is_schedule)
			json_object_set(violation, "schedule", record);
	}
	json_object_set_new(violation, "switches", switches);
}

/* Are both the same violation?  The outcomes of an atomic access under --memory c11 are numbered, and how many there are depends on
 * what threads are known to know.  That may be less without symmetry, so that the schedule leads elsewhere.  The place of a
 * deadlock is that of the thread that came last; bitspin-drive has compared who waits for what. */
static bool is_same(const json_t *a, const json_t *b)
{
	bool deadlock = field_is(a, "kind", "deadlock");
	return strcmp(field_text(a, "kind"), field_text(b, "kind")) == 0 &&
		(deadlock ||
		 (field_number(a, "line") == field_number(b, "line") && strcmp(field_text(a, "file"), field_text(b, "file")) == 0));
}

static json_t *by_shorter_schedule(struct job *job, json_t *violation, size_t work)
{
	char *drive = data_file("bitspin-drive"), *schedule = text("%s/schedule", job->program.work);
	char *better_schedule = text("%s/shorter", job->program.work), *steps = text("%zu", work < LEAST_WORK ? LEAST_WORK : work);
	const char *const argv[] = { drive, "shorten", schedule, steps, NULL };
	json_t *records = run_on_image(job, argv, job->program.work, "shorter"), *better = violation_of(records);
	if (better && !is_same(better, violation)) {
		json_decref(better);
		better = NULL;
	}
	if (better) {
		add_findings(records, better);
		json_decref(violation);
		violation = better;
		rename(better_schedule, schedule);
	}
	json_decref(records);
	free(drive);
	free(schedule);
	free(better_schedule);
	free(steps);
	return violation;
}

json_t *violation_of_schedule(struct job *job, const char *path)
{
	struct kept_schedule schedule;
	char *wrong = schedule_load(&schedule, path), *own = text("%s/schedule", job->program.work),
	     *drive = data_file("bitspin-drive");
	const char *const argv[] = { drive, "shorten", own, "0", NULL };
	if (wrong)
		fail("%s", wrong);
	if (!schedule_save(&schedule, schedule.count, own))
		check_space();
	json_t *records = run_on_image(job, argv, job->program.work, "shorter"), *violation = violation_of(records);
	json_decref(records);
	schedule_free(&schedule);
	free(own);
	free(drive);
	return violation;
}

json_t *explained(struct job *job, json_t *violation, size_t of)
{
	assert(of > 0);
	if (process_out_of_time())
		return violation;
	if (!job->inputs->options.story_full)
		violation = by_shorter_schedule(job, violation, MOST_WORK / of);
	mark_relevant(violation);
	return violation;
}
