/* SPDX-License-Identifier: MIT
 *
 * What `verified` does not tell: functions that never ran, threads that were never made, and what of the world around the program
 * had one value.  Of that, the last line names what an outcome depends on, as it names the memory model.
 */
#include "report.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../../ltl/ltl.h"
#include "../../runtime/state/met.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
	const char *text, *verdict, *note, *advice;
} kinds[] = {
#define UNTRIED(name, text, verdict, note, advice) { text, verdict, note, advice },
#include "../../runtime/state/untried.def"
#undef UNTRIED
};

enum { KINDS = sizeof kinds / sizeof *kinds, FEW = 3 };

/* Return `format` with `name` in the place of each %s, malloc'ed. */
static char *with_name(const char *format, const char *name)
{
	char *all = text("%s", "");
	for (const char *at; (at = strstr(format, "%s")); format = at + 2) {
		char *more = text("%s%.*s%s", all, (int)(at - format), format, name);
		free(all);
		all = more;
	}
	char *whole = text("%s%s", all, format);
	free(all);
	return whole;
}

static char *place_of(const json_t *row)
{
	return text("%s:%lld", from_here(field_text(row, "file")), field_number(row, "line"));
}

/* Has the user said what it is?  What is gone where the program writes files, it may have removed itself. */
static bool is_given(const struct options *o, enum vm_untried kind)
{
	return (kind == UNTRIED_CLOCK && o->clock.step) || (kind == UNTRIED_INPUT && (o->inputs.count || o->alphabet)) ||
		(kind == UNTRIED_FILE && o->fs_write);
}

static bool comes_before(const json_t *a, const json_t *b)
{
	int order = strcmp(field_text(a, "file"), field_text(b, "file"));
	return order < 0 || (order == 0 && field_number(a, "line") < field_number(b, "line"));
}

/* Make one row for each thing that was not given: its first place where it decides an outcome, or its first place at all if it
 * decides none. */
json_t *untried_rows(const struct job *job)
{
	json_t *rows = json_array();
	for (int kind = 0; kind < KINDS; kind++) {
		size_t i, k;
		json_t *row, *old = NULL;
		json_array_foreach (json_object_get(job->result.met, "untried"), i, row) {
			if (is_given(&job->inputs->options, (enum vm_untried)kind) ||
			    strcmp(field_text(row, "kind"), kinds[kind].text) != 0)
				continue;
			json_array_foreach (rows, k, old)
				if (field_is(old, "kind", kinds[kind].text) && field_is(old, "name", field_text(row, "name")))
					break;
			bool known = k < json_array_size(rows);
			bool earlier = known && json_is_true(json_object_get(old, "decides"));
			bool now = json_is_true(json_object_get(row, "decides"));
			if (!known)
				json_array_append_new(rows, json_deep_copy(row));
			else if (now != earlier ? now : comes_before(row, old))
				json_array_set_new(rows, k, json_deep_copy(row));
		}
	}
	return rows;
}

static const struct kind *kind_of(const json_t *row)
{
	int kind = 0;
	while (kind < KINDS - 1 && strcmp(kinds[kind].text, field_text(row, "kind")) != 0)
		kind++;
	assert(field_is(row, "kind", kinds[kind].text)); /* untried_rows() has no others */
	return &kinds[kind];
}

char *untried_in_verdict(const struct job *job)
{
	size_t i, told = 0, more = 0;
	json_t *row, *rows = untried_rows(job);
	char *line = text("%s", "");
	json_array_foreach (rows, i, row) {
		if (!json_is_true(json_object_get(row, "decides")))
			continue;
		if (told == FEW) {
			more++;
			continue;
		}
		char *words = with_name(kind_of(row)->verdict, field_text(row, "name")), *place = place_of(row);
		char *longer = text("%s%s %s (%s)", line, told++ ? "," : "", words, place);
		free(words);
		free(place);
		free(line);
		line = longer;
	}
	json_decref(rows);
	char *whole = more ? text("%s, and %zu more such value%s", line, more, more == 1 ? "" : "s") : text("%s", line);
	free(line);
	return whole;
}

/* ---- notes ------------------------------------------------------------------------------------------------------------- */

static void note_untried(const struct job *job, struct list *notes)
{
	size_t i, told = 0;
	json_t *row, *rows = untried_rows(job);
	json_array_foreach (rows, i, row) {
		const struct kind *kind = kind_of(row);
		const char *name = field_text(row, "name");
		bool several = i && field_is(json_array_get(rows, i - 1), "kind", kind->text);
		told = several ? told + 1 : 0;
		if (told >= FEW)
			continue;
		char *what = with_name(kind->note, name), *advice = with_name(kind->advice, name), *place = place_of(row);
		list_addf(notes, "%s (%s); %s", what, place, advice);
		free(what);
		free(advice);
		free(place);
	}
	json_decref(rows);
}

/* Say what of a plain search a checkpoint keeps: the exhaustive search itself begins again. */
static void note_checkpoint(const struct job *job, struct list *notes)
{
	const struct options *o = &job->inputs->options;
	if (!o->checkpoint || o->command != 'C' || o->bounded || job->result.verdict != VERDICT_INCONCLUSIVE)
		return;
	size_t bounds = json_array_size(json_object_get(job->result.rungs, "bounds"));
	double walks = json_number_value(json_object_get(json_object_get(job->result.rungs, "walks"), "walks"));
	list_addf(
		notes,
		"'%s' keeps %zu bound%s on preemptions and %.0f random run%s for the next run of this command, and not the exhaustive "
		"search, which begins again; a check with --preemptions iterate and a checkpoint of its own goes on where it has ended",
		o->checkpoint, bounds, plural((double)bounds), walks, plural(walks));
}

static void note_end(const struct job *job, struct list *notes)
{
	const json_t *statuses = json_object_get(job->result.met, "statuses");
	const json_t *first = json_array_get(statuses, 0);
	if (!job->result.main_ends) {
		list_addf(notes, "no schedule reaches the end of %s", job->inputs->options.entry);
		return;
	}
	if (!first || json_integer_value(first) == 0)
		return;
	char *place = place_of(json_object_get(job->result.met, "status_place"));
	bool one = json_array_size(statuses) == 1;
	char *status = one ? text("status %lld", (long long)json_integer_value(first)) : text("another status than 0");
	list_addf(notes, "the program ends with %s in every schedule (%s); if it refused its arguments, give others after --",
		  status, place);
	free(status);
	free(place);
}

/* Add a note if `p` names a thread other than main that no schedule creates. */
static void note_thread(const struct job *job, const struct ltl_proposition *p, struct list *notes)
{
	size_t i;
	json_t *slot;
	json_array_foreach (json_object_get(job->result.met, "threads"), i, slot)
		if (json_integer_value(slot) == p->thread)
			return;
	if (p->thread > 0) {
		char *line = text("no schedule creates thread %d, which %s asks about", p->thread, p->text);
		bool known = false;
		for (size_t k = 0; k < notes->count; k++)
			known = known || strcmp(notes->items[k], line) == 0;
		if (!known)
			list_add(notes, line);
		free(line);
	}
}

static void note_formulas(const struct job *job, struct list *notes)
{
	const struct formulas *all = job->program.formulas;
	for (size_t i = 0; all && i < all->count + all->ninvariants; i++) {
		const struct formula *f = i < all->count ? &all->items[i] : &all->invariants[i - all->count];
		size_t before = notes->count;
		for (size_t p = 0; p < f->propositions.count; p++)
			note_thread(job, &f->propositions.items[p], notes);
		if (f->idle && notes->count == before)
			list_addf(notes, "%s is never true: no thread was there in any schedule", f->idle);
	}
}

static json_t *never_ran(const struct job *job)
{
	size_t i;
	json_t *row, *rows = json_array();
	json_array_foreach (json_object_get(job->result.met, "functions"), i, row)
		if (!json_is_true(json_object_get(row, "ran")))
			json_array_append_new(rows,
					      json_pack("{s:O, s:O, s:O}", "function", json_object_get(row, "function"), "file",
							json_object_get(row, "file"), "line", json_object_get(row, "line")));
	return rows;
}

/* Return the first `most` functions of `rows` with their places, as "f (x.c:3), g (x.c:9)"; malloc'ed. */
static char *functions_text(const json_t *rows, size_t most)
{
	char *line = text("%s", "");
	for (size_t i = 0; i < json_array_size(rows) && i < most; i++) {
		const json_t *row = json_array_get(rows, i);
		char *place = place_of(row), *more = text("%s%s%s (%s)", line, i ? ", " : "", field_text(row, "function"), place);
		free(place);
		free(line);
		line = more;
	}
	return line;
}

static void note_functions(const struct job *job, struct list *notes)
{
	json_t *rows = never_ran(job);
	size_t count = json_array_size(rows), all = json_array_size(json_object_get(job->result.met, "functions"));
	assert(count <= all);
	char *names = functions_text(rows, FEW);
	if (count)
		list_addf(notes, "%zu of %zu function%s never ran: %s%s", count, all, plural((double)all), names,
			  count > FEW ? ", and others; --coverage lists them" : "");
	free(names);
	json_decref(rows);
}

/* Note runs that need not end, where endless waits are reported: these notes are all that tells of them. */
static void note_loops(const struct job *job, struct list *notes)
{
	const json_t *rounds = json_object_get(job->result.met, "rounds_place"),
		     *daemon = json_object_get(job->result.met, "daemon_place");
	if (field_number(rounds, "line")) {
		char *place = place_of(rounds);
		list_addf(notes, "that every run ends was not checked (%s); --property termination", place);
		free(place);
	}
	if (field_number(daemon, "line")) {
		char *place = place_of(daemon);
		list_addf(notes, "a loop that never ends waits for nothing, and counts as a daemon (%s); --property termination",
			  place);
		free(place);
	}
}

/* Note that the states may have no end because of a timer, if the search reached a limit. */
static void note_timer(const struct job *job, struct list *notes)
{
	const json_t *timer = json_object_get(job->result.met, "timer_place");
	if (!field_number(timer, "line"))
		return;
	char *place = place_of(timer);
	list_addf(notes,
		  "a timer expires again and again (first at %s): if its handler counts, the states have no end; --mask the "
		  "counter, or an interval of 0",
		  place);
	free(place);
}

void report_notes(const struct job *job, struct list *notes)
{
	if (job->result.cut_short && job->result.verdict == VERDICT_VIOLATED)
		list_addf(notes, "there may be more violations, as the search was cut: %s", job->result.cut_short);
	if (job->result.verdict == VERDICT_INCONCLUSIVE && job->result.cuts.count == 0)
		note_timer(job, notes);
	note_checkpoint(job, notes);
	if (job->result.tests)
		list_add(notes, job->result.tests);
	const char *traces = json_string_value(json_object_get(job->result.traces, "traces"));
	if (traces)
		list_addf(notes, "%s Mazurkiewicz trace%s", traces, strcmp(traces, "1") == 0 ? "" : "s");
	else if (job->result.traces)
		list_addf(notes, "the Mazurkiewicz traces have no number: %s", field_text(job->result.traces, "why"));
	if (job->result.verdict != VERDICT_VERIFIED)
		return;
	note_end(job, notes);
	if (!job->result.met) /* a swarm's: each search has said it */
		return;
	if (job->result.main_ends && json_array_size(json_object_get(job->result.met, "threads")) == 0)
		list_add(notes, "no thread was created in any schedule");
	note_functions(job, notes);
	note_formulas(job, notes);
	note_loops(job, notes);
	note_untried(job, notes);
}

/* ---- coverage ---------------------------------------------------------------------------------------------------------- */

static bool has_number(const json_t *numbers, json_int_t wanted)
{
	size_t i;
	json_t *number;
	json_array_foreach (numbers, i, number)
		if (json_integer_value(number) == wanted)
			return true;
	return false;
}

/* Return the files, each with {line as text: did it run?}. */
static json_t *lines_by_file(const struct job *job, size_t *all)
{
	size_t i, k;
	json_t *row, *line, *files = json_object();
	*all = 0;
	json_array_foreach (json_object_get(job->result.met, "functions"), i, row) {
		const char *file = field_text(row, "file");
		json_t *lines = json_object_get(files, file);
		if (!lines)
			json_object_set_new(files, file, lines = json_object());
		json_array_foreach (json_object_get(row, "code"), k, line) {
			char number[24];
			snprintf(number, sizeof number, "%lld", (long long)json_integer_value(line));
			bool ran = has_number(json_object_get(row, "lines"), json_integer_value(line));
			*all += !json_object_get(lines, number);
			if (ran || !json_object_get(lines, number))
				json_object_set_new(lines, number, json_boolean(ran));
		}
	}
	return files;
}

static int by_number(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;
	return (x > y) - (x < y);
}

/* Return [{file, lines}] of lines that never ran. */
static json_t *missed_lines(const struct job *job, size_t *all, size_t *missed)
{
	const char *file, *number;
	json_t *lines, *ran, *files = lines_by_file(job, all), *list = json_array();
	*missed = 0;
	json_object_foreach (files, file, lines) {
		size_t count = 0;
		long long *numbers = calloc(json_object_size(lines) + 1, sizeof *numbers);
		if (!numbers)
			BUG("out of memory");
		json_object_foreach (lines, number, ran)
			if (!json_is_true(ran))
				numbers[count++] = atoll(number);
		qsort(numbers, count, sizeof *numbers, by_number);
		json_t *array = json_array();
		for (size_t i = 0; i < count; i++)
			json_array_append_new(array, json_integer(numbers[i]));
		*missed += count;
		if (count)
			json_array_append_new(list, json_pack("{s:s, s:O}", "file", file, "lines", array));
		json_decref(array);
		free(numbers);
	}
	json_decref(files);
	assert(*missed <= *all);
	return list;
}

json_t *coverage_of_program(const struct job *job)
{
	const json_t *functions = json_object_get(job->result.met, "functions");
	if (!functions)
		return NULL;
	json_t *all = json_pack("{s:I, s:o}", "functions", (json_int_t)json_array_size(functions), "never_ran", never_ran(job));
	if (job->inputs->options.coverage) {
		size_t count, missed;
		json_t *lines = missed_lines(job, &count, &missed);
		json_object_set_new(all, "lines", json_integer((json_int_t)count));
		json_object_set_new(all, "lines_never_ran", lines);
	}
	return all;
}

static int compare_numbers(const void *a, const void *b)
{
	const long long *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

char *ranges_text(const json_t *numbers)
{
	char *result = text("%s", "");
	size_t count = json_array_size(numbers);
	long long *sorted = calloc(count + 1, sizeof *sorted);
	if (!sorted)
		BUG("out of memory");
	for (size_t i = 0; i < count; i++)
		sorted[i] = json_integer_value(json_array_get(numbers, i));
	qsort(sorted, count, sizeof *sorted, compare_numbers);
	size_t different = 0;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || sorted[i] != sorted[i - 1])
			sorted[different++] = sorted[i];
	count = different;
	for (size_t i = 0, end; i < count; i = end) {
		long long first = sorted[i], last = first;
		for (end = i + 1; end < count && sorted[end] == last + 1; end++)
			last++;
		char *longer = last > first ? text("%s%s%lld-%lld", result, i ? ", " : "", first, last) :
					      text("%s%s%lld", result, i ? ", " : "", first);
		free(result);
		result = longer;
	}
	free(sorted);
	return result;
}

void print_coverage(const struct job *job, void (*say)(const char *line))
{
	assert(say);
	size_t i, count, missed;
	json_t *row, *functions = never_ran(job), *lines;
	if (!job->inputs->options.coverage || !job->result.met) {
		json_decref(functions);
		return;
	}
	lines = missed_lines(job, &count, &missed);
	char *head = text("coverage: of %zu functions %zu never ran, of %zu lines %zu, in the schedules that were explored",
			  json_array_size(json_object_get(job->result.met, "functions")), json_array_size(functions), count,
			  missed);
	say(head);
	free(head);
	char *names = functions_text(functions, SIZE_MAX), *list = *names ? text("  functions: %s", names) : NULL;
	if (list)
		say(list);
	free(names);
	free(list);
	json_array_foreach (lines, i, row) {
		char *numbers = ranges_text(json_object_get(row, "lines"));
		char *line = text("  lines of %s: %s", from_here(field_text(row, "file")), numbers);
		say(line);
		free(line);
		free(numbers);
	}
	json_decref(functions);
	json_decref(lines);
}
