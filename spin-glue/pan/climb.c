/* SPDX-License-Identifier: MIT
 *
 * The climber: a part of the command, in a process of its own beside the exhaustive search (ladder.c).  Its rungs are: random walks
 * for a moment; the search from bound to bound on preemptions, where that can be done, until it has no memory left; random walks
 * again.  Each leaves its figures in the climber's directory, so that they are known however it ends.
 *
 * The job is a copy of the command's, as the process is.
 */
#include "pan.h"

#include <stdlib.h>
#include <string.h>

#define MOMENT 1.5 /* seconds of the first walks */

static const char *const walks_files[] = { "walks.json", "more-walks.json" };
static const char bounds_file[] = "bounds.json";

/* ---- rungs --------------------------------------------------------------------------------------------------------- */

static void write_to(struct job *job, const char *image, const char *result)
{
	free(job->image);
	free(job->result);
	job->image = text("%s/%s", job->work, image);
	job->result = text("%s/%s", job->work, result);
}

/* Is there a violation? */
static bool walk(struct job *job, const struct list *bitcode, unsigned rung, double seconds)
{
	const struct walks plan = { .seed = rung + 1, .seconds = seconds };
	write_to(job, "walks.image", walks_files[rung]);
	while (walks_run(job, &plan, false) == SEARCH_AGAIN)
		translate_files(job, bitcode, job->threads);
	return job->scheduled;
}

/* The schedule of the trail that the search has left. */
static void make_schedule(struct job *job, const char *pan)
{
	char *schedule = text("%s/schedule", job->work), *found = text("%s/" FOUND_SCHEDULE, job->work);
	json_t *replayed = trace_of(job, pan, job->work, "model.pml.trail");
	if (!replayed || !copy_file(schedule, found))
		BUG("the trail of a violation does not lead to it again");
	json_decref(replayed);
	free(schedule);
	free(found);
}

/* What a bound would leave out must be what the options mean. */
static bool can_bound(const struct options *o)
{
	return o->masks.count + o->abstractions.count == 0;
}

static bool search_bounds(struct job *job, const struct list *bitcode)
{
	enum { MOST = 200 };
	struct options *o = &job->options;
	o->bounded = o->iterate = true;
	o->preemptions = MOST;
	write_to(job, "bounds.image", bounds_file);
	char *pan = search_program(job, bitcode);
	bool violated = job->verdict == VERDICT_VIOLATED;
	if (violated)
		make_schedule(job, pan);
	o->bounded = o->iterate = false;
	free(pan);
	return violated;
}

/* ---- the climber --------------------------------------------------------------------------------------------------- */

static void leave_outcome(const struct job *job, const char *rung)
{
	char *path = text("%s/" CLIMB_OUTCOME, job->work), *schedule = text("%s/" FOUND_SCHEDULE, job->work);
	json_t *outcome = json_pack("{s:s, s:s, s:s, s:i, s:O}", "rung", rung, "image", job->image, "schedule", schedule, "threads",
				    (int)job->threads, "violation", json_array_get(job->violations, 0));
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

int climb_ladder(void *argument)
{
	const struct climb *climb = argument;
	struct job *job = climb->job;
	const char *rung = NULL;
	process_catch_signals();
	fail_tell(NULL);
	job->ladder = NULL;
	job->work = text("%s", climb->directory);
	job->allotment = climb->allotment;
	job->image = job->result = NULL;
	job->options.quiet = true;
	job->options.json = job->options.trace = NULL;
	if (walk(job, climb->bitcode, 0, MOMENT))
		rung = "walks";
	else if (!is_over() && can_bound(&job->options) && search_bounds(job, climb->bitcode))
		rung = "bounds";
	else if (!is_over() && walk(job, climb->bitcode, 1, 0))
		rung = "walks";
	if (!rung)
		return CLIMB_DONE;
	leave_outcome(job, rung);
	return CLIMB_FOUND;
}

/* ---- figures ------------------------------------------------------------------------------------------------------- */

/* Call `take` for each record in a file, of which the last may be cut short. */
static void read_file_of(const char *directory, const char *name, void (*take)(json_t *to, json_t *record), json_t *to)
{
	char *path = text("%s/%s", directory, name), *lines = read_file(path, NULL), *rest = lines, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_t *record = *line ? json_loads(line, 0, NULL) : NULL;
		if (record)
			take(to, record);
		json_decref(record);
	}
	free(lines);
	free(path);
}

static bool is_of(const json_t *record, const char *type)
{
	const char *own = json_string_value(json_object_get(record, "type"));
	return own && strcmp(own, type) == 0;
}

/* Does this limit leave whole what was completed before it? */
static bool is_harmless(enum vm_limit limit)
{
	return limit == LIMIT_PREEMPTIONS || limit == LIMIT_MEMORY || limit == LIMIT_STOPPED;
}

static void take_bound(json_t *bounds, json_t *record)
{
	if (is_of(record, "inconclusive") && !is_harmless(limit_named(json_string_value(json_object_get(record, "limit")))))
		json_array_append_new(bounds, json_null()); /* in vain */
	if (!is_of(record, "bound"))
		return;
	json_object_del(record, "type");
	json_array_append(bounds, record);
}

/* The last record has the figures of them all. */
static void take_walks(json_t *walks, json_t *record)
{
	if (!is_of(record, "walks"))
		return;
	json_object_del(record, "type");
	json_object_del(record, "violates");
	json_object_update(walks, record);
}

static void add_walks(json_t *walks, const json_t *others)
{
	static const char *const fields[] = { "walks", "steps", "unfinished" };
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		json_int_t sum = json_integer_value(json_object_get(walks, fields[i])) +
			json_integer_value(json_object_get(others, fields[i]));
		json_object_set_new(walks, fields[i], json_integer(sum));
	}
	double seconds = json_number_value(json_object_get(walks, "seconds")) +
		json_number_value(json_object_get(others, "seconds"));
	json_object_set_new(walks, "seconds", json_real(seconds));
}

json_t *climb_figures(const char *directory)
{
	json_t *bounds = json_array(), *walks = json_object(), *bound;
	size_t i;
	read_file_of(directory, bounds_file, take_bound, bounds);
	json_array_foreach (bounds, i, bound)
		if (json_is_null(bound)) {
			json_array_clear(bounds); /* what was left out may be in any of them */
			break;
		}
	for (i = 0; i < sizeof walks_files / sizeof *walks_files; i++) {
		json_t *some = json_object();
		read_file_of(directory, walks_files[i], take_walks, some);
		add_walks(walks, some);
		json_decref(some);
	}
	return json_pack("{s:o, s:o}", "bounds", bounds, "walks", walks);
}
