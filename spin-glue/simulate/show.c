/* SPDX-License-Identifier: MIT
 *
 * What a session shows: events, threads, what can be done next, stacks, source, variables.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/outcome.h"
#include "../report/output.h"
#include "../report/report.h"
#include "../report/screen.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROW = 80, LIST_LINES = 10 };

static bool muted;

void show_error(const char *format, ...)
{
	if (muted)
		return;
	va_list arguments;
	va_start(arguments, format);
	char *line = text_of(format, arguments);
	va_end(arguments);
	printf("error: ");
	print_plain(line, strlen(line));
	putchar('\n');
	free(line);
}

static void put(const char *text)
{
	print_plain(text, strlen(text));
}

/* Return the place of `record` as "pool.c:14", malloc'ed; "" if there is none. */
static char *place(const json_t *record)
{
	return field_number(record, "line") ? text("%s:%lld", base_name(field_text(record, "file")), field_number(record, "line")) :
					      text("%s", "");
}

/* ---- source -------------------------------------------------------------------------------------------------------- */

/* Return line `line` of `file`, malloc'ed; NULL if there is none. */
static char *source_line(const char *file, long long line)
{
	static char *name, *bytes;
	if (!name || strcmp(name, file) != 0) {
		free(name);
		free(bytes);
		name = text("%s", file);
		bytes = read_file(file, NULL);
	}
	const char *p = bytes;
	while (p && --line > 0) {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return p && *p ? text("%.*s", (int)strcspn(p, "\n"), p) : NULL;
}

static bool is_narrow(void)
{
	struct winsize size;
	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_col < NARROW;
}

/* Print the source line at the place of `record`, behind what was printed before, if there is room. */
static void put_source(const json_t *record)
{
	char *line = is_narrow() ? NULL : source_line(field_text(record, "file"), field_number(record, "line"));
	if (line && line[strspn(line, " \t")]) {
		fputs("  | ", stdout);
		put(line + strspn(line, " \t"));
	}
	free(line);
}

void show_list(struct session *s, const char *where)
{
	char *file = NULL;
	const char *colon = strrchr(where, ':'), *number = colon ? colon + 1 : where;
	const json_t *thread = session_thread(s, s->thread);
	long long first = s->line;
	if (*number && strspn(number, "0123456789") != strlen(number)) {
		show_error("list takes LINE or FILE:LINE, not '%s'", where);
		return;
	}
	if (colon)
		file = text("%.*s", (int)(colon - where), where);
	else if (s->listed)
		file = text("%s", s->listed);
	else
		file = text("%s", field_text(thread, "file"));
	for (size_t i = 0; colon && !file_exists(file) && i < s->job->inputs->options.files.count; i++)
		if (strcmp(base_name(s->job->inputs->options.files.items[i]), file) == 0) {
			free(file);
			file = text("%s", s->job->inputs->options.files.items[i]);
		}
	if (*number)
		first = atoll(number) - LIST_LINES / 2;
	else if (!s->listed)
		first = field_number(thread, "line") - LIST_LINES / 2;
	first = first < 1 ? 1 : first;
	long long line = first;
	char *source;
	bool here = strcmp(file, field_text(thread, "file")) == 0;
	for (; line < first + LIST_LINES && (source = source_line(file, line)); line++) {
		printf("%s%4lld  ", here && line == field_number(thread, "line") ? "->" : "  ", line);
		for (char *p = source; *p; p++)
			if (*p == '\t')
				fputs("    ", stdout);
			else
				print_plain(p, 1);
		putchar('\n');
		free(source);
	}
	if (line == first)
		show_error(file_exists(file) ? "'%s' has no line %lld" : "cannot read '%s' at line %lld", file, first);
	free(s->listed);
	s->listed = file;
	s->line = line;
}

/* ---- events -------------------------------------------------------------------------------------------------------- */

static void put_where(const json_t *record)
{
	char *at = place(record);
	printf("thread %lld  %s%s", field_number(record, "thread"), at, *at ? "  " : "");
	free(at);
}

void show_event(void *session, const json_t *event)
{
	const struct session *s = session;
	const char *name = field_text(event, "action");
	if (s->job->inputs->options.quiet || strcmp(field_text(event, "type"), "event") != 0 || strcmp(name, "blocked") == 0 ||
	    strcmp(name, "fault") == 0)
		return;
	char *what = event_words(event);
	printf("  ");
	put_where(event);
	put(what);
	if (strcmp(name, "output") != 0)
		put_source(event);
	putchar('\n');
	free(what);
}

/* ---- threads and next steps ---------------------------------------------------------------------------------------- */

static void show_thread(const struct session *s, const json_t *thread)
{
	bool ended = json_is_true(json_object_get(thread, "ended"));
	printf("%s ", field_number(thread, "thread") == s->thread ? "*" : " ");
	if (ended) {
		printf("thread %lld  has ended\n", field_number(thread, "thread"));
		return;
	}
	put_where(thread);
	const char *function = field_text(thread, "function");
	bool begun = *function && strcmp(function, "_start") != 0;
	printf("%s%s", begun ? function : "", begun ? "(): " : "");
	const char *waits = field_text(thread, "waits");
	put(waits);
	if (field_number(thread, "outcomes") && strcmp(waits, "can go on") != 0)
		fputs(", but can go on without it", stdout);
	if (field_number(thread, "outcomes") > 1)
		printf(", with outcomes 0 to %lld", field_number(thread, "outcomes") - 1);
	put_source(thread);
	putchar('\n');
}

void show_threads(struct session *s)
{
	const json_t *thread;
	size_t i;
	json_array_foreach (session_threads(s), i, thread)
		show_thread(s, thread);
	if (json_array_size(session_threads(s)) == 0)
		puts("there are no threads: the run is over");
}

/* What a step that is tried does. */
struct trial {
	struct session *session;
	long long thread, outcome;
	bool several; /* its thread has other outcomes, too */
	char *what;   /* it does; NULL: nothing has been told yet */
	char *place;
};

static void take_trial(void *context, const json_t *record)
{
	struct trial *trial = context;
	const char *type = field_text(record, "type"), *name = field_text(record, "action");
	if (strcmp(type, "try") == 0) {
		trial->thread = field_number(record, "thread");
		trial->outcome = field_number(record, "outcome");
		trial->several = session_outcomes(trial->session, (unsigned)trial->thread) > 1;
	} else if (strcmp(type, "event") == 0 && !trial->what && field_number(record, "thread") == trial->thread &&
		   strcmp(name, "fault") != 0 && strcmp(name, "blocked") != 0) {
		trial->what = event_words(record);
		trial->place = place(record);
	} else if (strcmp(type, "tried") == 0) {
		const char *kind = field_text(record, "violates");
		const json_t *thread = session_thread(trial->session, (unsigned)trial->thread);
		char *at = trial->place ? text("%s", trial->place) : place(thread);
		printf(trial->several ? "  step %lld %lld  " : "  step %lld  ", trial->thread, trial->outcome);
		put(at);
		printf("%s", *at ? "  " : "");
		put(trial->what ? trial->what : "goes on");
		printf("%s%s\n", *kind ? ", and that is a violation: " : "", kind);
		free(at);
		free(trial->what);
		free(trial->place);
		trial->what = trial->place = NULL;
	}
}

enum { LONG = 20000 }; /* steps */

/* Show what each thread can do next.  Another process tries it.  A block that is allocated in such a trial has a name in that
 * process from then on, so the process starts again for each question, unless that takes too long. */
static void show_next(struct session *s)
{
	assert(s->at <= s->schedule.count); /* the others are ahead */
	const json_t *thread;
	size_t i;
	if (run_to(s, &s->scout, s->at) == s->at) {
		struct trial trial = { .session = s };
		run_ask(s, &s->scout, take_trial, &trial, "try");
		if (s->at < LONG)
			run_stop(&s->scout);
	}
	json_array_foreach (session_threads(s), i, thread)
		if (field_number(thread, "outcomes") == 0 && !json_is_true(json_object_get(thread, "ended"))) {
			printf("  thread %lld  ", field_number(thread, "thread"));
			put(field_text(thread, "waits"));
			putchar('\n');
		}
	if (s->at < s->schedule.count)
		printf("  the schedule has %zu more step%s, the next of thread %u\n", s->schedule.count - s->at,
		       s->schedule.count - s->at == 1 ? "" : "s", s->schedule.steps[s->at].thread);
}

static void show_displays(struct session *s)
{
	for (size_t i = 0; i < s->displays.count; i++) {
		bool truth;
		muted = true; /* it may be a local variable of another function */
		char *value = expression_value(s, s->displays.items[i], &truth);
		muted = false;
		printf("%zu: %s = ", i + 1, s->displays.items[i]);
		put(value ? value : "<not known here>");
		putchar('\n');
		free(value);
	}
}

void show_stop(struct session *s)
{
	const char *over = session_over(s);
	free(s->listed);
	s->listed = NULL;
	if (s->violation) {
		struct job *job = s->job;
		job->result.verdict = VERDICT_VIOLATED;
		json_array_clear(job->result.violations);
		json_array_append(job->result.violations, s->violation);
		report_print_verdict(job);
	} else if (over && strcmp(over, "ended") == 0) {
		puts("the program has ended");
	} else if (over && s->limit) {
		show_error("the run cannot go on: %s", s->limit);
	} else if (over) {
		puts("the run ends here: the program assumes what is not true now");
	}
	show_displays(s);
	if (over || s->job->inputs->options.quiet)
		return;
	printf("after step %zu, next:\n", s->at);
	show_next(s);
}

void show_schedule(const struct session *s)
{
	assert(s->at <= s->schedule.count);
	for (size_t i = 0, n; i < s->schedule.count; i += n) {
		const struct kept_step *step = &s->schedule.steps[i];
		for (n = 1; i + n < s->schedule.count && i + n != s->at && step[n].thread == step->thread &&
		     step[n].outcome == step->outcome;)
			n++;
		printf("%s steps %zu to %zu: thread %u, outcome %u\n", i >= s->at ? "  ahead:" : " ", i + 1, i + n, step->thread,
		       step->outcome);
	}
	if (s->schedule.count == 0)
		puts("no step has been taken");
}

/* ---- frames and variables ------------------------------------------------------------------------------------------ */

static const json_t *stack_of(struct session *s)
{
	const json_t *stack = json_object_get(run_ask(s, &s->run, NULL, NULL, "stack %u", s->thread), "stack");
	if (json_array_size(stack) == 0)
		show_error(session_over(s) ?
				   "the run is over, and thread %u has no stack any more; 'back' takes the last step back" :
				   "thread %u has no stack: it has ended",
			   s->thread);
	return stack;
}

static void show_one_frame(const json_t *frame, unsigned number, bool mark)
{
	char *at = place(frame);
	const char *function = field_text(frame, "function");
	bool ours = strcmp(function, "_start") == 0; /* what calls main */
	printf("%s #%u  %s%s%s%s", mark ? "*" : " ", number, ours ? "outside of main" : function, ours ? "" : "()", *at ? "  " : "",
	       at);
	put_source(frame);
	putchar('\n');
	free(at);
}

void show_stack(struct session *s)
{
	const json_t *stack = stack_of(s), *frame;
	size_t i;
	json_array_foreach (stack, i, frame)
		if (i == 0 || strcmp(field_text(frame, "function"), "_start") != 0)
			show_one_frame(frame, (unsigned)i, i == s->frame);
}

void show_frame(struct session *s)
{
	const json_t *stack = stack_of(s);
	size_t frames = json_array_size(stack);
	if (frames == 0)
		return;
	frames -= frames > 1 && strcmp(field_text(json_array_get(stack, frames - 1), "function"), "_start") == 0;
	if (s->frame >= frames) {
		show_error("thread %u has frames 0 to %zu", s->thread, frames - 1);
		s->frame = (unsigned)frames - 1;
	}
	assert(s->frame < frames);
	show_one_frame(json_array_get(stack, s->frame), s->frame, true);
}

struct telling {
	size_t count;
};

static void take_variable(void *context, const json_t *record)
{
	struct telling *telling = context;
	if (strcmp(field_text(record, "type"), "variable") != 0)
		return;
	telling->count++;
	put(field_text(record, "name"));
	if (*field_text(record, "size"))
		printf(", %s", field_text(record, "size"));
	if (*field_text(record, "value")) {
		fputs(" = ", stdout);
		put(field_text(record, "value"));
	}
	putchar('\n');
}

void show_variables(struct session *s, const char *request, const char *none)
{
	struct telling telling = { 0 };
	const json_t *answer = run_ask(s, &s->run, take_variable, &telling, "%s", request);
	const char *error = field_text(answer, "error");
	if (*error)
		show_error("%s", session_over(s) ? "the run is over; 'back' goes to the step before" : error);
	else if (telling.count == 0)
		puts(none);
}
