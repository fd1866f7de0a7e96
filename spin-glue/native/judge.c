/* SPDX-License-Identifier: MIT
 *
 * Is the native program wrong in the same way?  evidence.def says what shows each kind of violation.  Only what a run has shown at
 * the place of the violation counts.
 */
#include "native.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../../runtime/state/end.h"

#include <assert.h>
#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum plain { PLAIN_NONE, PLAIN_CALL, PLAIN_HANG, PLAIN_ROUND };

struct evidence {
	enum plain plain;
	enum sanitizer sanitizer;
	const char *checks, *words, *reason;
};

/* The kinds of violation that have a row.  A row without a kind, and in `kinds` a kind without a row, do not compile. */
enum {
#define EVIDENCE(kind, ...) KIND_OF_##kind = VIOLATION_##kind,
#include "evidence.def"
};

static const char *const kinds[VM_VIOLATIONS] = {
#define VIOLATION(name, text, ...) [KIND_OF_##name] = text,
#include "../../runtime/state/violation.def"
#undef VIOLATION
};

/* By kind. */
static const struct evidence evidence[VM_VIOLATIONS] = {
#define EVIDENCE(kind, plain, sanitizer, checks, words, reason) \
	[KIND_OF_##kind] = { PLAIN_##plain, SANITIZER_##sanitizer, checks, words, reason },
#include "evidence.def"
};

static const struct evidence *evidence_of(const json_t *violation)
{
	for (int i = 0; i < VM_VIOLATIONS; i++)
		if (field_is(violation, "kind", kinds[i]))
			return &evidence[i];
	BUG("nobody knows what shows '%s'", field_text(violation, "kind"));
}

/* ---- what a run has shown -------------------------------------------------------------------------------------------- */

/* Does the text, up to `end` (NULL: all of it), name the line of a file? */
static bool names_place(const char *text, const char *end, const char *file, long long line)
{
	char place[4200];
	int length = snprintf(place, sizeof place, "%s:%lld", base_name(file), line);
	assert(length > 0 && (size_t)length < sizeof place);
	for (const char *at = text; (at = strstr(at, place)) && (!end || at < end); at++)
		if (!isdigit((unsigned char)at[length]))
			return true;
	return false;
}

static bool names_record(const char *text, const char *end, const json_t *record)
{
	return names_place(text, end, field_text(record, "file"), json_integer_value(json_object_get(record, "line")));
}

static bool has_words(const char *text, const char *end, const char *words)
{
	assert(words);
	char *copy = strdup(words), *rest = copy, *word;
	bool found = false;
	while (!found && (word = strsep(&rest, "|"))) {
		const char *at = strstr(text, word);
		found = at && (!end || at < end);
	}
	free(copy);
	return found;
}

/* Does `text` name a place where the program has allocated memory on its way to `violation`? */
static bool names_allocation(const char *text, const json_t *violation)
{
	size_t i;
	json_t *event;
	json_array_foreach (json_object_get(violation, "trace"), i, event)
		if (strcmp(field_text(event, "action"), "allocate") == 0 && names_record(text, NULL, event))
			return true;
	return false;
}

/* Does one report of ThreadSanitizer in `errors` match `violation`?  For a race, it has to name both accesses.  They stand in
 * front of what the report says of memory, mutexes and threads. */
static bool thread_reports(const char *errors, const struct evidence *e, const json_t *violation)
{
	static const char begin[] = "WARNING: ThreadSanitizer";
	const json_t *other = json_object_get(violation, "other");
	for (const char *at = strstr(errors, begin), *next; at; at = next) {
		next = strstr(at + 1, begin);
		const char *memory = strstr(at, "\n  Location is"), *mutex = strstr(at, "\n  Mutex M"),
			   *thread = strstr(at, "\n  Thread T");
		const char *end = next;
		const char *const ends[] = { memory, mutex, thread };
		for (size_t i = 0; i < 3; i++)
			if (ends[i] && (!end || ends[i] < end))
				end = ends[i];
		if (has_words(at, end, e->words) && names_record(at, end, violation) && (!other || names_record(at, end, other)))
			return true;
	}
	return false;
}

/* Does its report say the same? */
static bool sanitizer_agrees(const struct native *n, const struct evidence *e, const struct native_run *run)
{
	assert(e->sanitizer != SANITIZER_NONE && run->errors);
	const json_t *violation = n->violation;
	if (e->sanitizer == SANITIZER_THREAD)
		return thread_reports(run->errors, e, violation);
	if (!has_words(run->errors, NULL, e->words))
		return false;
	if (e == &evidence[KIND_OF_STACK_OVERFLOW]) /* frames have other sizes there, so the last may be another */
		return strstr(run->errors, field_text(violation, "function")) != NULL;
	return names_record(run->errors, NULL, violation) ||
		(e == &evidence[KIND_OF_MEMORY_LEAK] && names_allocation(run->errors, violation));
}

/* Has the run ended by SIGABRT while some thread was in a call at the line of the violation? */
bool native_died_there(const struct native *n, const struct native_run *run)
{
	const struct schedule *s = n->schedule;
	if (run->end != PROCESS_SIGNALLED || run->status != SIGABRT)
		return false;
	for (int t = 0; t < NATIVE_THREADS; t++) {
		int key = run->report.at[t] - 1;
		if (key >= 0 && (size_t)key < s->nkeys && strcmp(s->keys[key].file, field_text(n->violation, "file")) == 0 &&
		    s->keys[key].line == (unsigned)json_integer_value(json_object_get(n->violation, "line")))
			return true;
	}
	return false;
}

/* Do all threads that have to hang do so, each in the call in which it hangs in the trace? */
static bool hangs_there(const struct native *n, const struct native_run *run)
{
	assert(n->schedule->nthreads > 0 && n->schedule->nthreads <= NATIVE_THREADS);
	bool any = false;
	for (int t = 0; t < n->schedule->nthreads; t++) {
		if (!n->schedule->hanging[t])
			continue;
		const struct native_rest *rest = &n->schedule->rests[t];
		if (run->report.at[t] - 1 != (rest->count ? rest->key : -1)) /* in no call that is scheduled, as read() */
			return false;
		any = true;
	}
	return any && run->report.hangs && run->status == NATIVE_HANGS;
}

/* Do some threads of `violation` wait in loops (runtime/search/hang/hangs.h)?  They are blocked in no call then. */
static bool waits_in_loops(const json_t *violation)
{
	return strcmp(field_text(violation, "kind"), kinds[KIND_OF_DEADLOCK]) == 0 &&
		strstr(field_text(violation, "message"), "waits in a loop for ");
}

/* Does the program go on after the schedule is over?  It waits in a loop then: if what it reads could end the loop, the program
 * would have ended long ago. */
static bool goes_on(const struct native_run *run)
{
	return run->report.over && (run->status == NATIVE_LATE || run->status == NATIVE_HANGS);
}

static bool is_plainly_there(const struct native *n, const struct evidence *e, const struct native_run *run)
{
	if (run->report.stalled)
		return false;
	switch (e->plain) {
	case PLAIN_NONE: break;
	case PLAIN_CALL: return native_died_there(n, run);
	case PLAIN_HANG: return waits_in_loops(n->violation) ? goes_on(run) : hangs_there(n, run);
	case PLAIN_ROUND: return n->schedule->loop >= 0 && run->report.rounds >= NATIVE_ROUNDS && run->status == NATIVE_ROUND;
	}
	return false;
}

/* ---- in words -------------------------------------------------------------------------------------------------------- */

static char *append(char *before, const char *format, ...) __attribute__((format(printf, 2, 3)));

static char *append(char *before, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *more = text_of(format, arguments), *whole = text("%s%s", before, more);
	va_end(arguments);
	free(before);
	free(more);
	return whole;
}

/* Return the place at which the trace says that `thread` is blocked, malloc'ed. */
static char *place_where_blocked(const json_t *violation, int thread)
{
	size_t i;
	json_t *event;
	json_array_foreach (json_object_get(violation, "trace"), i, event)
		if (strcmp(field_text(event, "action"), "blocked") == 0 &&
		    json_integer_value(json_object_get(event, "thread")) == thread)
			return text("a call at %s:%lld", base_name(field_text(event, "file")),
				    (long long)json_integer_value(json_object_get(event, "line")));
	return text("%s", "an unknown place");
}

/* Return which threads hang, as "thread 0 in pthread_join at pool.c:12, thread 1 in ..."; malloc'ed. */
static char *who_hangs(const struct native *n)
{
	char *all = text("%s", "");
	for (int t = 0; t < n->schedule->nthreads; t++) {
		if (!n->schedule->hanging[t])
			continue;
		const struct native_rest *rest = &n->schedule->rests[t];
		char *place = rest->count ? native_place(n->schedule, rest->key) : place_where_blocked(n->violation, t);
		all = append(all, "%sthread %d in %s", *all ? ", " : "", t, place);
		free(place);
	}
	return all;
}

/* Return in which turn, and at which place, the run has left the schedule; malloc'ed. */
static char *say_stalled(const struct native *n, const struct native_run *run)
{
	int turn = abs(run->report.stalled);
	const struct native_turn *t = &n->schedule->turns[turn - 1];
	char *place = t->key >= 0 ? native_place(n->schedule, t->key) :
				    text("%s", t->key == NATIVE_START ? "its start" : "its end");
	char *line = text(run->report.stalled < 0 ? "thread %d did not come to rest after %s, in turn %d of %zu" :
						    "thread %d did not get to %s for turn %d of %zu",
			  t->thread, place, turn, n->schedule->nturns);
	free(place);
	return line;
}

/* Return what a sanitizer has found, from its line in `errors`, malloc'ed; NULL if there is no such line. */
static char *first_report(const char *errors)
{
	static const char *const marks[] = { "ERROR: ", "WARNING: ", "runtime error: " };
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		const char *at = strstr(errors, marks[i]);
		if (!at)
			continue;
		at += strlen(marks[i]);
		const char *sanitizer = strstr(at, "Sanitizer: "), *end = at + strcspn(at, "\n");
		if (sanitizer && sanitizer < end)
			at = sanitizer + strlen("Sanitizer: ");
		const char *address = strstr(at, " on ");
		size_t length = strcspn(at, "\n(");
		if (address && address < at + length)
			length = (size_t)(address - at);
		while (length && at[length - 1] == ' ')
			length--;
		return text("%.*s", (int)length, at);
	}
	return NULL;
}

static char *say_end(const struct native *n, const struct native_run *run)
{
	char *who;
	if (run->report.assumed)
		return text("%s", "meets an assumption that does not hold");
	if (run->status == NATIVE_HANGS && run->report.hangs) {
		who = who_hangs(n);
		char *line = text("hangs: %s", who);
		free(who);
		return line;
	}
	if (run->end == PROCESS_SIGNALLED && run->status == SIGKILL)
		return text("%s", "goes on for a minute");
	if (run->end == PROCESS_SIGNALLED)
		return text("dies of SIG%s", sigabbrev_np(run->status) ? sigabbrev_np(run->status) : "?");
	if (run->status == NATIVE_LATE)
		return text("%s", "goes on for several seconds");
	if (run->status == NATIVE_ROUND)
		return text("goes round the loop %d times", run->report.rounds);
	return text("ends with status %d", run->status);
}

static void print_run(const struct native *n, const char *title, const struct native_run *run)
{
	char *end = say_end(n, run), *report = first_report(run->errors);
	if (n->job->inputs->options.quiet)
		;
	else if (run->report.stalled) {
		char *stalled = say_stalled(n, run);
		printf("%s: leaves the schedule (%s), and %s\n", title, stalled, end);
		free(stalled);
	} else {
		printf("%s: %s %s%s%s\n", title, run->report.over ? "keeps to the schedule, and" : "in the schedule,", end,
		       report ? "; it reports: " : "", report ? report : "");
	}
	free(end);
	free(report);
}

/* ---- the verdict ----------------------------------------------------------------------------------------------------- */

static char *place_of(const json_t *record)
{
	long long line = json_integer_value(json_object_get(record, "line"));
	return line ? text(" at %s:%lld", from_here(field_text(record, "file")), line) : text("%s", "");
}

static bool refuted(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool native_confirmed(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("confirmed: the native program fails the same way: ", stdout);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	return true;
}

static bool refuted(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fputs("not confirmed: ", stdout);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	return false;
}

static bool say_plain(const struct native *n, const struct evidence *e)
{
	char *place = place_of(n->violation), *who = NULL;
	switch (e->plain) {
	case PLAIN_CALL: native_confirmed("it dies of SIGABRT%s", place); break;
	case PLAIN_HANG:
		if (waits_in_loops(n->violation)) {
			native_confirmed("it goes on for several seconds: %s", field_text(n->violation, "message"));
			break;
		}
		who = who_hangs(n);
		native_confirmed("it hangs: %s", who);
		break;
	default: native_confirmed("it goes round the loop %d times, and does not come out", NATIVE_ROUNDS); break;
	}
	free(place);
	free(who);
	return true;
}

/* Say why a run did not show what it had to.  Return false. */
static bool say_not(const struct native *n, const struct evidence *e, enum sanitizer sanitizer, const struct native_run *run)
{
	char *place = place_of(n->violation), *report = first_report(run->errors);
	if (run->report.stalled) {
		char *stalled = say_stalled(n, run);
		refuted("the native program leaves the schedule: %s", stalled);
		free(stalled);
	} else if (sanitizer != SANITIZER_NONE && has_words(run->errors, NULL, e->words)) {
		refuted("%s reports %s, but elsewhere than%s", sanitizer_title(sanitizer), report ? report : "it", place);
	} else if (e == &evidence[KIND_OF_MEMORY_LEAK] && !report) {
		refuted("LeakSanitizer reports nothing: it cannot see the leak of memory%s while a register, a global variable or what "
			"is left on a stack still has the address",
			place);
	} else if (sanitizer != SANITIZER_NONE) {
		refuted("%s reports %s%s", sanitizer_title(sanitizer), report ? report : "nothing",
			report ? ", which is something else" : "");
	} else {
		char *end = say_end(n, run);
		refuted("the native program keeps to the schedule, and %s", end);
		free(end);
	}
	free(place);
	free(report);
	return false;
}

/* Run the program with the sanitizer that finds what the evidence asks for. */
static bool run_sanitized(const struct native *n, const struct evidence *e)
{
	assert(e->sanitizer != SANITIZER_NONE && (e->sanitizer != SANITIZER_UNDEFINED || *e->checks));
	char *path = text("%s/sanitized", n->job->program.work), *title = text("with %s", sanitizer_title(e->sanitizer));
	char *error = native_build(n, e->sanitizer, e->checks, path);
	bool good = false;
	if (error) {
		refuted("%s %s", title, error);
	} else {
		struct native_run run;
		native_start(n, e->sanitizer, path, &run);
		print_run(n, title, &run);
		good = sanitizer_agrees(n, e, &run);
		char *report = first_report(run.errors), *place = place_of(n->violation);
		if (good)
			native_confirmed("%s reports %s%s", sanitizer_title(e->sanitizer), report ? report : "it", place);
		else
			say_not(n, e, e->sanitizer, &run);
		free(report);
		free(place);
		native_run_release(&run);
	}
	free(error);
	free(path);
	free(title);
	return good;
}

bool native_dies(const struct native *n)
{
	return evidence_of(n->violation)->plain == PLAIN_CALL;
}

bool native_confirm(const struct native *n)
{
	const struct evidence *e = evidence_of(n->violation);
	const struct schedule *s = n->schedule;
	assert(e->plain != PLAIN_NONE || e->sanitizer != SANITIZER_NONE || e->reason);
	if (!n->job->inputs->options.quiet)
		printf("schedule: %zu turns of %d thread%s, %zu of them to be waited for\n", s->all, s->nthreads,
		       s->nthreads == 1 ? "" : "s", s->nturns);
	if (s->stale)
		return native_confirm_stale(n);
	if (s->unforced)
		return refuted("%s cannot be forced on the native program", s->unforced);
	char *path = text("%s/program", n->job->program.work), *error = native_build(n, SANITIZER_NONE, "", path);
	bool good = false;
	if (error) {
		refuted("of the native program, %s", error);
	} else {
		struct native_run run;
		native_start(n, SANITIZER_NONE, path, &run);
		print_run(n, "without sanitizers", &run);
		good = is_plainly_there(n, e, &run);
		if (good)
			say_plain(n, e);
		else if (e->sanitizer != SANITIZER_NONE)
			good = run_sanitized(n, e);
		else if (e->reason)
			refuted("%s", e->reason);
		else if (e->plain == PLAIN_ROUND && s->loop < 0)
			refuted("the formula is evaluated by bitspin, and is no part of the native program");
		else
			say_not(n, e, SANITIZER_NONE, &run);
		native_run_release(&run);
	}
	free(error);
	free(path);
	return good;
}
