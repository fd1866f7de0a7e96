/* SPDX-License-Identifier: MIT
 *
 * bitspin profile: where the states of a program come from.
 */
#include "commands.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_SECONDS = 60, USUAL_STATES = 100000, FIRST_THREADS = 8, MOST_ROWS = 10 };

/* ---- the records ------------------------------------------------------------------------------------------------------- */

static bool lacks_threads(const json_t *records)
{
	const json_t *record;
	size_t i;
	json_array_foreach (records, i, record)
		if (field_is(record, "type", "inconclusive") && field_is(record, "limit", "threads"))
			return true;
	return false;
}

static const json_t *first_of(const json_t *records, const char *type)
{
	const json_t *record;
	size_t i;
	json_array_foreach (records, i, record)
		if (field_is(record, "type", type))
			return record;
	return NULL;
}

/* Return the records of a profile of the program.  Double the threads of the model until the program has enough, unless the user
 * has said how many there are. */
static json_t *profile(struct job *job)
{
	struct list bitcode = { 0 };
	unsigned threads = job->inputs->options.threads ? (unsigned)job->inputs->options.threads : FIRST_THREADS;
	const struct options *o = &job->inputs->options;
	double begun = seconds_now(), seconds = (double)(o->max_time ? o->max_time : USUAL_SECONDS);
	assert(threads > 0 && threads <= LTL_MAX_THREADS);
	process_limit_time((unsigned long)seconds + 2); /* it ends by itself before that */
	compile_files(&job->program, &bitcode);
	for (;;) {
		translate_files(&job->program, &bitcode, threads);
		double left = seconds - (seconds_now() - begun);
		json_t *records = state_profile(job, o->states ? o->states : USUAL_STATES, left > 0.1 ? left : 0.1);
		if (job->inputs->options.threads || threads == LTL_MAX_THREADS || !lacks_threads(records)) {
			list_release(&bitcode);
			return records;
		}
		json_decref(records);
		threads = 2 * threads < LTL_MAX_THREADS ? 2 * threads : LTL_MAX_THREADS;
	}
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

/* Return how many states each thread of `line` has, on average. */
static double each(const json_t *line)
{
	return (double)field_number(line, "states") / (double)json_array_size(json_object_get(line, "threads"));
}

/* Compare two lines for qsort(): the one with more states of each thread is first, then the one with the lower number. */
static int by_states(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
	double difference = each(y) - each(x);
	return difference > 0 ? 1 : difference < 0 ? -1 : (int)(field_number(x, "line") - field_number(y, "line"));
}

static json_t *find_line(const json_t *lines, const json_t *record)
{
	json_t *line;
	size_t i;
	json_array_foreach (lines, i, line)
		if (field_number(line, "line") == field_number(record, "line") &&
		    field_is(line, "file", field_text(record, "file")))
			return line;
	return NULL;
}

/* Put `number` into `numbers`, which stay in ascending order. */
static void add_number(json_t *numbers, json_t *number)
{
	size_t i = json_array_size(numbers);
	while (i > 0 && json_integer_value(json_array_get(numbers, i - 1)) > json_integer_value(number))
		i--;
	json_array_insert(numbers, i, number);
}

/* Return the lines in `records`, each once with all its threads, sorted by by_states():
 * {"file","line","function","threads":[...],"states","loop"}. */
static json_t *lines_of(const json_t *records)
{
	json_t *lines = json_array(), *record;
	size_t i;
	json_array_foreach (records, i, record) {
		if (!field_is(record, "type", "line"))
			continue;
		json_t *line = find_line(lines, record);
		if (!line) {
			line = json_pack("{s:s, s:I, s:s, s:[], s:I}", "file", field_text(record, "file"), "line",
					 (json_int_t)field_number(record, "line"), "function", field_text(record, "function"),
					 "threads", "states", (json_int_t)0);
			if (json_object_get(record, "loop"))
				json_object_set(line, "loop", json_object_get(record, "loop"));
			json_array_append_new(lines, line);
		}
		add_number(json_object_get(line, "threads"), json_object_get(record, "thread"));
		assert(json_array_size(json_object_get(line, "threads")) > 0); /* each() divides by it */
		json_object_set_new(line, "states", json_integer(field_number(line, "states") + field_number(record, "states")));
	}
	size_t count = json_array_size(lines);
	json_t **sorted = calloc(count + 1, sizeof(json_t *)), *result = json_array();
	if (!sorted)
		BUG("out of memory");
	for (i = 0; i < count; i++)
		sorted[i] = json_array_get(lines, i);
	qsort(sorted, count, sizeof *sorted, by_states);
	for (i = 0; i < count; i++)
		json_array_append(result, sorted[i]);
	free(sorted);
	json_decref(lines);
	return result;
}

/* ---- parts --------------------------------------------------------------------------------------------------------------- */

static const struct kind {
	const char *name, *meaning, *advice;
} kinds[] = {
	{ "global", "global variable",
	  "if no check and no branch depends on its value, --mask leaves it out of states; --abstract says what of it counts" },
	{ "stack", "variable of thread %lld, in memory",
	  "other threads may have its address: a copy that nobody else sees makes fewer states; so does a smaller bound" },
	{ "heap", "from malloc, by thread %lld", "fewer or smaller objects; --abstract says what of them counts" },
	{ "thread", "where thread %lld is, with its variables in registers",
	  "fewer rounds of its loops (a smaller bound), a lock around what belongs together, or fewer threads" },
	{ "accesses", "what is known of earlier accesses, to find races",
	  "--races ignore leaves it out, where races are looked for elsewhere" },
};

static const struct kind *kind_of(const json_t *part)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (field_is(part, "kind", kinds[i].name))
			return &kinds[i];
	BUG("a part of a state of unknown kind");
}

/* Return words for what `part` of a state is, with its name if it has one; malloc'ed. */
static char *part_text(const json_t *part)
{
	const char *name = field_text(part, "name");
	char *meaning;
	if (asprintf(&meaning, kind_of(part)->meaning, field_number(part, "thread")) < 0)
		BUG("out of memory");
	char *result = *name ? text("%s (%s)", name, meaning) : text("%s", meaning);
	free(meaning);
	return result;
}

/* ---- for people ---------------------------------------------------------------------------------------------------------- */

static double percent(double part, double whole)
{
	assert(part >= 0);
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_lines(const json_t *lines, double states)
{
	const json_t *line;
	size_t i;
	puts("\nwhere threads can go on, and others come between:\n   states   share  line");
	json_array_foreach (lines, i, line) {
		if (i == MOST_ROWS) {
			printf("  (%zu more lines)\n", json_array_size(lines) - MOST_ROWS);
			break;
		}
		json_t *threads = json_object_get(line, "threads");
		char *which = ranges_text(threads);
		bool several = json_array_size(threads) > 1;
		char *where = field_number(line, "line") ?
			text("%s:%lld", from_here(field_text(line, "file")), field_number(line, "line")) :
			text("before the end");
		const json_t *loop = json_object_get(line, "loop");
		char *around = loop ? text("; loop at :%lld", field_number(loop, "line")) : text("%s", "");
		printf("%9.0f  %5.1f%%  %s, thread%s %s%s%s\n", each(line), percent(each(line), states), where, several ? "s" : "",
		       which, several ? " (each, on average)" : "", around);
		free(around);
		free(where);
		free(which);
	}
}

static void print_threads(const json_t *records)
{
	const json_t *record;
	size_t i;
	puts("\nthreads:\n   can go on     waits");
	json_array_foreach (records, i, record)
		if (field_is(record, "type", "thread"))
			printf("%12lld  %8lld  thread %lld\n", field_number(record, "going"), field_number(record, "waiting"),
			       field_number(record, "thread"));
}

static void print_parts(const json_t *records, double states)
{
	const json_t *part;
	size_t i, rows = 0;
	puts("\nwhat tells states apart (without: so many of them would be left if it did not count):\n   values   without   saved");
	json_array_foreach (records, i, part) {
		double without = (double)field_number(part, "without");
		if (!field_is(part, "type", "part") || without >= states || rows == MOST_ROWS)
			continue;
		char *what = part_text(part);
		printf("%9lld %9.0f  %5.1f%%  %s\n", field_number(part, "values"), without, 100 - percent(without, states), what);
		free(what);
		rows++;
	}
	if (rows == 0)
		puts("  nothing by itself: what differs, differs together");
}

/* Print advice for each kind of part, once, if the program has at most 95 % of its `states` without such a part. */
static void print_advice(const json_t *records, double states)
{
	const struct kind *done[sizeof kinds / sizeof *kinds];
	const json_t *part;
	size_t i, ndone = 0, k;
	json_array_foreach (records, i, part) {
		if (!field_is(part, "type", "part") || (double)field_number(part, "without") > 0.95 * states)
			continue;
		const struct kind *kind = kind_of(part);
		assert(ndone <= sizeof kinds / sizeof *kinds);
		for (k = 0; k < ndone && done[k] != kind;)
			k++;
		if (k < ndone)
			continue;
		done[ndone++] = kind;
		char *what = part_text(part);
		printf("%s%s:\n    %s\n", ndone == 1 ? "\nwhat may help:\n  " : "  ", what, kind->advice);
		free(what);
	}
}

/* Return the names of those reductions in `of` that a profile leaves out, malloc'ed.  They depend on the search, or are about
 * states and not about steps.  So a check with them stores fewer states than a profile counts. */
static char *reductions_left_out(unsigned of)
{
	const unsigned kept = REDUCTION_SUPERSTEPS | REDUCTION_ENDS | REDUCTION_TRANSACTIONS;
	char *names = text("%s", "");
	for (int i = 0; i < REDUCTIONS; i++)
		if ((of & ~kept) >> i & 1)
			names = text_add(names, ", ", reductions[i].name);
	return names;
}

static void print_first_line(const json_t *whole, unsigned of)
{
	char *left_out = reductions_left_out(of);
	long long states = field_number(whole, "states");
	printf("%lld state%s, ", states, plural((double)states));
	if (json_is_true(json_object_get(whole, "late")))
		puts("drawn at random until the time was up; there are more (--max-time allows more)");
	else if (!json_is_true(json_object_get(whole, "complete")))
		puts("drawn at random; there are more (--states N looks at so many)");
	else if (*left_out)
		printf("which %s all; a check may store fewer (by its reductions %s)\n", states == 1 ? "is" : "are", left_out);
	else
		printf("which %s all that a search visits\n", states == 1 ? "is" : "are");
	free(left_out);
}

static void print_profile(const json_t *records, const json_t *lines, const json_t *whole, const struct options *o)
{
	double states = (double)field_number(whole, "states");
	const json_t *run = first_of(records, "inconclusive");
	print_first_line(whole, o->reductions);
	if (run && field_is(run, "limit", "stopped"))
		printf("%s (at %s:%lld)\n", field_text(run, "reason"), from_here(field_text(run, "file")),
		       field_number(run, "line"));
	if (!o->quiet) {
		print_lines(lines, states);
		print_threads(records);
		print_parts(records, states);
		print_advice(records, states);
	}
	if (json_is_true(json_object_get(whole, "crowded")))
		puts("\nthere are so many variables that only some were counted");
	flush_stdout();
}

/* ---- the command --------------------------------------------------------------------------------------------------------- */

static json_t *only(const json_t *records, const char *type)
{
	json_t *result = json_array(), *record;
	size_t i;
	json_array_foreach (records, i, record)
		if (field_is(record, "type", type)) {
			json_object_del(record, "type");
			json_array_append(result, record);
		}
	return result;
}

int command_profile(int argc, char **argv)
{
	struct job job;
	command_begin(&job, 'P', argc, argv);
	json_t *records = profile(&job);
	const json_t *whole = first_of(records, "profile");
	if (!whole)
		fail("the program cannot be profiled: its memory does not suffice; allow more with --max-memory, or look at fewer states "
		     "with --states");
	json_t *lines = lines_of(records);
	if (!job.inputs->options.json || strcmp(job.inputs->options.json, "-") != 0)
		print_profile(records, lines, whole, &job.inputs->options);
	if (job.inputs->options.json)
		write_json(json_pack("{s:s, s:O, s:O, s:o, s:o, s:O}", "bitspin", BITSPIN_VERSION, "states",
				     json_object_get(whole, "states"), "complete", json_object_get(whole, "complete"), "threads",
				     only(records, "thread"), "parts", only(records, "part"), "lines", lines),
			   job.inputs->options.json);
	json_decref(lines);
	json_decref(records);
	command_end(&job);
	return verdict_status(VERDICT_VERIFIED);
}
