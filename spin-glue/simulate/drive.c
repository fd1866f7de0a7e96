/* SPDX-License-Identifier: MIT
 *
 * Talking with bitspin-drive.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../native/native.h"
#include "../pan/job.h"
#include "../pan/outcome.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void run_start(struct session *s, struct run *run)
{
	char *drive = data_file("bitspin-drive"), *image = text("BITSPIN_IMAGE=%s", s->job->program.image);
	const char *const argv[] = { drive, "simulate", NULL };
	const char *const environment[] = { image, "BITSPIN_RESULT=/dev/stdout", "BITSPIN_SCHEDULE=", "BITSPIN_TRACE=", NULL };
	run_stop(run);
	assert(s->job->program.image);
	if (!dialogue_start(&run->dialogue, &(struct process){ .argv = argv, .environment = environment }))
		fail("cannot start '%s'", drive);
	free(drive);
	free(image);
}

void run_stop(struct run *run)
{
	dialogue_end(&run->dialogue);
	json_decref(run->now);
	*run = (struct run){ 0 };
}

/* Note why the VM cannot go on. */
static void note_limit(struct session *s, const json_t *record)
{
	free(s->limit);
	s->limit = text("%s", field_text(record, "reason"));
	s->more_threads = strcmp(field_text(record, "limit"), "threads") == 0;
}

static const json_t *answer_of(struct session *s, struct run *run, take_record *take, void *context)
{
	char *line;
	json_error_t error;
	while ((line = dialogue_line(&run->dialogue))) {
		bool last = strstr(line, "\"type\":\"done\"") != NULL, limit = strstr(line, "\"type\":\"inconclusive\"") != NULL;
		json_t *record = last || limit || take ? json_loads(line, 0, &error) : NULL;
		free(line);
		if (record && last) {
			json_decref(run->now);
			return run->now = record;
		}
		if (record && limit)
			note_limit(s, record);
		else if (record && take)
			take(context, record);
		json_decref(record);
	}
	return NULL;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
const json_t *run_ask(struct session *s, struct run *run, take_record *take, void *context, const char *format, ...)
{
	va_list arguments;
	if (!run->dialogue.to)
		run_start(s, run);
	va_start(arguments, format);
	vfprintf(run->dialogue.to, format, arguments);
	va_end(arguments);
	fputc('\n', run->dialogue.to);
	const json_t *answer = fflush(run->dialogue.to) == 0 ? answer_of(s, run, take, context) : NULL;
	if (!answer)
		run_stop(run);
	return answer;
}

size_t run_to(struct session *s, struct run *run, size_t at)
{
	assert(at <= s->schedule.count);
	if (!run->dialogue.to || run->taken > at) {
		run_stop(run);
		run_ask(s, run, NULL, NULL, "take 0 0 0");
	}
	while (run->taken < at && !process_interrupted()) {
		const struct kept_step *step = &s->schedule.steps[run->taken];
		size_t n = 1;
		while (run->taken + n < at && step[n].thread == step->thread && step[n].outcome == step->outcome)
			n++;
		const json_t *answer = run_ask(s, run, NULL, NULL, "take %u %u %zu", step->thread, step->outcome, n);
		size_t taken = (size_t)field_number(answer, "taken");
		assert(taken <= n);
		run->taken += answer ? taken : 0;
		if (taken < n || !answer)
			break;
	}
	return run->taken;
}
