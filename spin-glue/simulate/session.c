/* SPDX-License-Identifier: MIT
 *
 * Where a session is: forward, back, and on another image.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/outcome.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_THREADS = 8, MOST_THREADS = LTL_MAX_THREADS };

/* Stop the processes that have the old image in memory, and write a new image over that file. */
static void translate(struct session *s)
{
	assert(s->threads > 0 && s->threads <= MOST_THREADS);
	run_stop(&s->run);
	run_stop(&s->scout);
	list_release(&s->job->program.shown);
	for (size_t i = 0; i < s->nshown; i++)
		list_add(&s->job->program.shown, s->shown[i].body);
	translate_files(&s->job->program, &s->bitcode, s->threads);
}

void session_begin(struct session *s)
{
	assert(!s->run.now && s->at == 0);
	s->job->program.variables_stay = true;
	if (!s->fixed) {
		s->threads = s->job->inputs->options.threads ? (unsigned)s->job->inputs->options.threads : FIRST_THREADS;
		compile_files(&s->job->program, &s->bitcode);
		translate(s);
	}
	if (!run_ask(s, &s->run, NULL, NULL, "take 0 0 0"))
		fail("the program cannot be simulated%s%s", s->limit ? ": " : "", s->limit ? s->limit : "");
}

void session_end(struct session *s)
{
	run_stop(&s->run);
	run_stop(&s->scout);
	schedule_free(&s->schedule);
	expressions_free(s);
	list_release(&s->bitcode);
	list_release(&s->displays);
	json_decref(s->violation);
	free(s->limit);
	free(s->listed);
}

const json_t *session_threads(const struct session *s)
{
	return json_object_get(s->run.now, "threads");
}

const json_t *session_thread(const struct session *s, unsigned thread)
{
	const json_t *record;
	size_t i;
	json_array_foreach (session_threads(s), i, record)
		if (field_number(record, "thread") == thread)
			return record;
	return NULL;
}

unsigned session_outcomes(const struct session *s, unsigned thread)
{
	return (unsigned)field_number(session_thread(s, thread), "outcomes");
}

const char *session_over(const struct session *s)
{
	return json_string_value(json_object_get(s->run.now, "over"));
}

bool session_translate(struct session *s)
{
	json_t *before = json_incref((json_t *)session_threads(s));
	translate(s);
	bool same = run_to(s, &s->run, s->at) == s->at;
	const json_t *now = session_threads(s), *thread;
	size_t i;
	same = same && json_array_size(now) == json_array_size(before);
	json_array_foreach (before, i, thread) {
		const json_t *other = json_array_get(now, i);
		same = same && field_number(thread, "line") == field_number(other, "line") &&
			field_number(thread, "outcomes") == field_number(other, "outcomes");
	}
	json_decref(before);
	return same;
}

/* Make an image for more threads, as more run at once than this one has room for, and come to the same place. */
static bool make_room(struct session *s)
{
	if (!s->more_threads || s->fixed || s->job->inputs->options.threads || s->threads == MOST_THREADS)
		return false;
	s->threads = 2 * s->threads > MOST_THREADS ? MOST_THREADS : 2 * s->threads;
	translate(s);
	return run_to(s, &s->run, s->at) == s->at;
}

struct taking {
	struct session *session;
	take_record *take;
	void *context;
};

static void take_violation(void *context, const json_t *record)
{
	struct taking *taking = context;
	struct session *s = taking->session;
	if (strcmp(field_text(record, "type"), "violation") == 0) {
		json_decref(s->violation);
		s->violation = json_incref((json_t *)record);
	} else if (taking->take) {
		taking->take(taking->context, record);
	}
}

bool session_step(struct session *s, unsigned thread, unsigned outcome, take_record *take, void *context)
{
	struct taking taking = { s, take, context };
	free(s->limit);
	s->limit = NULL;
	s->more_threads = false;
	const json_t *answer = run_ask(s, &s->run, take_violation, &taking, "take %u %u 1", thread, outcome);
	if (s->limit && make_room(s))
		return session_step(s, thread, outcome, take, context);
	if (!answer) { /* it has met its end */
		size_t at = s->at;
		char *why = s->limit ? text("%s", s->limit) : text("the VM has ended");
		run_to(s, &s->run, at);
		show_error("this step cannot be taken: %s", why);
		free(why);
		return false;
	}
	if (field_number(answer, "taken") == 0)
		return false;
	assert(field_number(answer, "taken") == 1);
	bool planned = s->at < s->schedule.count && s->schedule.steps[s->at].thread == thread &&
		s->schedule.steps[s->at].outcome == outcome;
	if (!planned) {
		s->schedule.count = s->at;
		schedule_add_step(&s->schedule, thread, outcome);
	}
	s->run.taken = ++s->at;
	assert(s->at <= s->schedule.count);
	s->thread = thread;
	s->frame = 0;
	return true;
}

void session_back(struct session *s, size_t to)
{
	assert(to <= s->at);
	json_decref(s->violation);
	s->violation = NULL;
	free(s->limit);
	s->limit = NULL;
	s->at = run_to(s, &s->run, to);
	assert(s->at <= s->schedule.count);
	s->thread = s->at ? s->schedule.steps[s->at - 1].thread : 0;
	s->frame = 0;
}
