/* SPDX-License-Identifier: MIT
 *
 * The local variables along a counterexample, for the page of --html.  The image of a check has variables in registers; so the
 * program is translated once more with variables in memory, and taken along the schedule as a session of simulate is.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 400 /* the last ones of a schedule */, MOST_FRAMES = 8, MOST_VARIABLES = 24 };

static void take_variable(void *variables, const json_t *record)
{
	if (json_array_size(variables) < MOST_VARIABLES && *field_text(record, "name"))
		json_array_append_new(variables,
				      json_pack("{s:O, s:O}", "name", json_object_get(record, "name"), "value",
						json_object_get(record, "value")));
}

/* Return the frames of a thread, innermost first, each with its "locals"; NULL if it has none. */
static json_t *frames_now(struct session *s, unsigned thread)
{
	const json_t *answer = run_ask(s, &s->run, NULL, NULL, "stack %u", thread), *frame;
	json_t *stack = json_deep_copy(json_object_get(answer, "stack")), *frames = json_array();
	size_t i;
	json_array_foreach (stack, i, frame) {
		json_t *locals = json_array();
		if (i < MOST_FRAMES)
			run_ask(s, &s->run, take_variable, locals, "locals %u %zu", thread, i);
		json_array_append_new(frames,
				      json_pack("{s:O, s:O, s:o}", "function", json_object_get(frame, "function"), "line",
						json_object_get(frame, "line"), "locals", locals));
	}
	json_decref(stack);
	if (json_array_size(frames))
		return frames;
	json_decref(frames);
	return NULL;
}

static void note(json_t *all, json_t *frames, size_t step, unsigned thread)
{
	if (frames)
		json_array_append_new(all,
				      json_pack("{s:I, s:i, s:o}", "step", (json_int_t)step, "thread", (int)thread, "frames",
						frames));
}

/* Go along the schedule.  Return an array with the frames of each thread after each of its steps; NULL if it does not lead
 * to a violation. */
static json_t *frames_along(struct session *s)
{
	const struct kept_schedule *schedule = &s->schedule;
	json_t *all = json_array();
	size_t from = schedule->count > MOST_STEPS ? schedule->count - MOST_STEPS : 0;
	bool good = schedule->count > 0 && run_to(s, &s->run, from) == from;
	for (size_t i = 0; good && i < json_array_size(session_threads(s)); i++) {
		unsigned thread = (unsigned)field_number(json_array_get(session_threads(s), i), "thread");
		note(all, frames_now(s, thread), from, thread);
	}
	for (size_t i = from; good && i < schedule->count; i++) {
		unsigned thread = schedule->steps[i].thread;
		good = run_to(s, &s->run, i + 1) == i + 1 && !process_out_of_time();
		note(all, good ? frames_now(s, thread) : NULL, i + 1, thread);
	}
	const char *over = good ? session_over(s) : NULL;
	if (over && strcmp(over, "violated") == 0)
		return all;
	json_decref(all);
	return NULL;
}

/* The second program stops where the first one does: it has the same scheduling points. */
static void take_places(struct program *to, const struct program *from)
{
	to->tolerated = from->tolerated, to->ntolerated = from->ntolerated;
	to->interrupted = from->interrupted, to->ninterrupted = from->ninterrupted;
	to->orders = from->orders, to->norders = from->norders, to->fences = from->fences;
	to->staleness = from->staleness;
	to->hidden = from->hidden, to->many = from->many, to->fewest = from->fewest;
	to->interrupts = from->interrupts;
	to->operations = from->operations;
}

static void forget_places(struct program *program)
{
	program->tolerated = program->interrupted = NULL;
	program->ntolerated = program->ninterrupted = 0;
	program->orders = NULL;
	program->norders = 0;
}

json_t *frames_of(struct job *job, const struct list *bitcode)
{
	char *path = text("%s/schedule", job->program.work);
	struct job beside;
	struct session s = { .job = &beside };
	json_t *frames = NULL;
	bool can = json_array_size(job->result.violations) == 1 && file_exists(path) &&
		job->inputs->options.input_values != INPUTS_SETS && !job->program.formula && !process_out_of_time();
	char *wrong = can ? schedule_load(&s.schedule, path) : NULL;
	if (can && !wrong) {
		job_init_beside(&beside, job);
		take_places(&beside.program, &job->program);
		beside.program.variables_stay = true;
		translate_files(&beside.program, bitcode, job->search.threads);
		frames = frames_along(&s);
		session_end(&s);
		forget_places(&beside.program);
		job_release_beside(&beside);
	}
	free(wrong);
	free(path);
	return frames;
}
