/* SPDX-License-Identifier: MIT
 *
 * The result as a test report in the XML that JUnit's Ant task began with and that CI servers read: a suite for the command, in
 * it a test for the safety of the program and one for each formula.
 *
 * A violation is a failure.  What is inconclusive is an error: the test did not come to an end.  What was not checked, since
 * something else is violated, is skipped.
 */
#include "output.h"
#include "source.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../pan/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- XML ----------------------------------------------------------------------------------------------------------- */

/* Write `bytes` as the text of an element or of an attribute.  U+FFFD stands for what is no UTF-8, and for what XML 1.0 cannot
 * have: control characters, U+FFFE and U+FFFF. */
static void put(FILE *out, const char *bytes)
{
	size_t left = strlen(bytes);
	for (size_t n; left; bytes += n, left -= n) {
		n = source_utf8_length(bytes, left);
		bool none = (unsigned char)*bytes < ' ' && !strchr("\t\n\r", *bytes);
		bool outside = n == 3 && (memcmp(bytes, "\xef\xbf\xbe", 3) == 0 || memcmp(bytes, "\xef\xbf\xbf", 3) == 0);
		if (n == 0 || none || outside) {
			fputs("\xef\xbf\xbd", out);
			n += n == 0;
		} else if (strchr("<>&\"'\t\n\r", *bytes)) {
			fprintf(out, "&#%d;", *bytes);
		} else {
			fwrite(bytes, 1, n, out);
		}
	}
}

/* Write the attribute `name` with `value` to `out`, with a blank before it. */
static void attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	put(out, value);
	fputc('"', out);
}

static void property(FILE *out, const char *name, char *value)
{
	fputs("\t\t\t<property", out);
	attribute(out, "name", name);
	attribute(out, "value", value);
	fputs("/>\n", out);
	free(value);
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

enum end { PASSED, FAILED, BROKEN, SKIPPED, ENDS };

struct test {
	const char *name;
	enum end end;
	double seconds;
	const char *message;   /* unless it has passed */
	const char *type;      /* ... the kind of violation, or the verdict */
	const json_t *formula; /* NULL: safety */
};

struct tests {
	struct test *items;
	size_t count, of[ENDS];
	double seconds;
};

static bool is_of(const json_t *violation, const json_t *formula)
{
	const char *name = field_text(violation, "formula");
	return formula ? strcmp(name, field_text(formula, "formula")) == 0 : !*name;
}

static const json_t *first_violation(const json_t *report, const json_t *formula, size_t *count)
{
	const json_t *violation, *first = NULL;
	size_t i;
	*count = 0;
	json_array_foreach (json_object_get(report, "violations"), i, violation)
		if (is_of(violation, formula) && (*count)++ == 0)
			first = violation;
	return first;
}

static void add(struct tests *tests, struct test test)
{
	assert(test.end < ENDS && (test.end == PASSED || test.message));
	tests->items = realloc(tests->items, (tests->count + 1) * sizeof test);
	if (!tests->items)
		BUG("out of memory");
	tests->items[tests->count++] = test;
	tests->of[test.end]++;
	tests->seconds += test.seconds;
}

static double statistic(const json_t *of, const char *name)
{
	return json_number_value(json_object_get(json_object_get(of, "statistics"), name));
}

/* Return how long a test took: of a formula, its search; of the program's safety, all the rest, with compiling it. */
static double seconds_of(const json_t *report, const json_t *formula)
{
	const json_t *one;
	size_t i;
	double seconds = statistic(report, "seconds");
	if (formula)
		return statistic(formula, "search_seconds");
	json_array_foreach (json_object_get(report, "formulas"), i, one)
		seconds -= statistic(one, "search_seconds");
	return seconds > 0 ? seconds : 0;
}

/* Add a test for the verdict of `formula`, or of the program's safety if it is NULL. */
static void add_test(struct tests *tests, const json_t *report, const json_t *formula, const char *name)
{
	size_t count;
	const json_t *violation = first_violation(report, formula, &count), *of = formula ? formula : report;
	const char *verdict = field_text(of, formula || !*field_text(report, "safety") ? "verdict" : "safety");
	struct test test = {
		.name = name, .formula = formula, .seconds = seconds_of(report, formula), .message = field_text(of, "message")
	};
	test.type = verdict;
	if (violation) {
		test.end = FAILED;
		test.type = field_text(violation, "kind");
		test.message = field_text(violation, "message");
	} else if (strcmp(verdict, verdict_name(VERDICT_VERIFIED)) == 0) {
		test.end = PASSED;
	} else {
		test.end = strcmp(verdict, "not checked") == 0 ? SKIPPED : BROKEN;
	}
	add(tests, test);
}

static struct tests tests_of(const json_t *report)
{
	struct tests tests = { 0 };
	const json_t *formula;
	size_t i;
	const char *entry = field_text(json_object_get(report, "options"), "entry");
	add_test(&tests, report, NULL, *entry ? entry : "main");
	json_array_foreach (json_object_get(report, "formulas"), i, formula)
		add_test(&tests, report, formula, field_text(formula, "formula"));
	return tests;
}

/* ---- text ---------------------------------------------------------------------------------------------------------- */

static void put_place(FILE *out, const json_t *place)
{
	if (field_number(place, "line") > 0) {
		put(out, from_here(field_text(place, "file")));
		fprintf(out, ":%lld", field_number(place, "line"));
	}
}

static void put_stack(FILE *out, const json_t *thread)
{
	const json_t *frame;
	size_t i;
	fprintf(out, "thread %lld", field_number(thread, "thread"));
	if (*field_text(thread, "waits"))
		fputc(' ', out);
	put(out, field_text(thread, "waits"));
	fputs(", at\n", out);
	json_array_foreach (json_object_get(thread, "stack"), i, frame)
		if (!frame_is_ours(frame)) {
			fputs("    ", out);
			put_place(out, frame);
			fputs(" in ", out);
			put(out, field_text(frame, "function"));
			fputc('\n', out);
		}
}

/* Write the beginning and the end of `trace`, which are enough for a test report. */
static void put_story(FILE *out, const json_t *trace)
{
	enum { FIRST = 100, LAST = 100 };
	const json_t *event;
	size_t i, all = json_array_size(trace);
	json_array_foreach (trace, i, event) {
		if (i == FIRST && all > FIRST + LAST)
			fprintf(out, "... %zu lines ...\n", all - FIRST - LAST);
		if (i >= FIRST && i + LAST < all)
			continue;
		fprintf(out, "thread %lld  ", field_number(event, "thread"));
		put_place(out, event);
		fputs("  ", out);
		char *words = event_words(event);
		put(out, words);
		free(words);
		fputc('\n', out);
	}
}

static void put_violation(FILE *out, const json_t *violation)
{
	const json_t *thread;
	size_t i;
	put_place(out, violation);
	fputs(field_number(violation, "line") > 0 ? ": " : "", out);
	put(out, field_text(violation, "kind"));
	fputs(": ", out);
	put(out, field_text(violation, "message"));
	fputs("\n\n", out);
	json_array_foreach (json_object_get(violation, "threads"), i, thread)
		put_stack(out, thread);
	if (json_object_get(violation, "other"))
		fputs("the other access: ", out);
	if (json_object_get(violation, "other"))
		put_stack(out, json_object_get(violation, "other"));
	fputc('\n', out);
	put_story(out, json_object_get(violation, "trace"));
}

/* ---- the report ---------------------------------------------------------------------------------------------------- */

static void put_end(FILE *out, const json_t *report, const struct test *test)
{
	static const char *const elements[] = { [FAILED] = "failure", [BROKEN] = "error", [SKIPPED] = "skipped" };
	const json_t *violation;
	size_t i, count;
	const char *element = elements[test->end];
	assert(test->end != PASSED && element);
	first_violation(report, test->formula, &count);
	char *message = count > 1 ? text("%zu faults, the first: %s", count, test->message) : text("%s", test->message);
	fprintf(out, "\t\t\t<%s", element);
	if (test->end == SKIPPED)
		attribute(out, "message", *message ? message : "not checked, as something else is violated");
	if (test->end != SKIPPED) {
		attribute(out, "type", test->type);
		attribute(out, "message", message);
	}
	fputs(test->end == FAILED ? ">" : "/>\n", out);
	free(message);
	if (test->end != FAILED)
		return;
	json_array_foreach (json_object_get(report, "violations"), i, violation)
		if (is_of(violation, test->formula))
			put_violation(out, violation);
	fprintf(out, "</%s>\n", element);
}

/* Return what a test does not say by passing, malloc'ed; NULL if nothing. */
static char *remark_on(const json_t *report, const json_t *formula)
{
	const char *verdict = field_text(report, "verdict"), *words = verdict_words(report),
		   *premise = field_text(formula, "vacuous");
	if (formula)
		return *premise ? text("vacuously: its premise %s never occurs", premise) : NULL;
	return strcmp(words, verdict) == 0 ? NULL : text("%s", words);
}

static void put_test(FILE *out, const json_t *report, const struct test *test, const char *program)
{
	char *seconds = text("%.3f", test->seconds);
	fputs("\t\t<testcase", out);
	attribute(out, "name", test->name);
	attribute(out, "classname", program);
	attribute(out, "time", seconds);
	free(seconds);
	char *remark = test->end == PASSED ? remark_on(report, test->formula) : NULL;
	if (test->end == PASSED && !remark) {
		fputs("/>\n", out);
		return;
	}
	fputs(">\n", out);
	if (remark) {
		fputs("\t\t\t<system-out>", out);
		put(out, remark);
		fputs("</system-out>\n", out);
	} else {
		put_end(out, report, test);
	}
	free(remark);
	fputs("\t\t</testcase>\n", out);
}

/* Return the program's files by name. */
static char *program_of(const json_t *report)
{
	const json_t *files = json_object_get(json_object_get(report, "options"), "files"), *file;
	char *all = text("%s", "");
	size_t i;
	json_array_foreach (files, i, file) {
		char *more = text("%s%s%s", all, i ? " " : "", from_here(json_string_value(file)));
		free(all);
		all = more;
	}
	return all;
}

static void put_properties(FILE *out, const json_t *report)
{
	static const char *const figures[] = { "states", "transitions", "depth", "bytes", "resident" };
	const json_t *statistics = json_object_get(report, "statistics"), *assumption, *note;
	size_t i;
	fputs("\t\t<properties>\n", out);
	property(out, "verdict", text("%s", verdict_words(report)));
	for (i = 0; i < sizeof figures / sizeof *figures; i++)
		property(out, figures[i], text("%lld", field_number(statistics, figures[i])));
	if (json_array_size(json_object_get(report, "suppressed")))
		property(out, "suppressed", text("%zu", json_array_size(json_object_get(report, "suppressed"))));
	json_array_foreach (json_object_get(report, "assumptions"), i, assumption)
		property(out, "assuming", text("%s", json_string_value(assumption)));
	json_array_foreach (json_object_get(report, "notes"), i, note)
		property(out, "note", text("%s", json_string_value(note)));
	fputs("\t\t</properties>\n", out);
}

static void put_sums(FILE *out, const struct tests *tests, bool suite)
{
	assert(tests->of[PASSED] + tests->of[FAILED] + tests->of[BROKEN] + tests->of[SKIPPED] == tests->count);
	fprintf(out, " name=\"bitspin\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", tests->count, tests->of[FAILED],
		tests->of[BROKEN]);
	if (suite)
		fprintf(out, " skipped=\"%zu\"", tests->of[SKIPPED]);
	fprintf(out, " time=\"%.3f\">\n", tests->seconds);
}

char *junit_write(const struct job *job, const json_t *report, FILE *out)
{
	(void)job;
	struct tests tests = tests_of(report);
	char *program = program_of(report);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
	put_sums(out, &tests, false);
	fputs("\t<testsuite", out);
	put_sums(out, &tests, true);
	put_properties(out, report);
	for (size_t i = 0; i < tests.count; i++)
		put_test(out, report, &tests.items[i], program);
	fputs("\t</testsuite>\n</testsuites>\n", out);
	free(program);
	free(tests.items);
	return NULL;
}
