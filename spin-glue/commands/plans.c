/* SPDX-License-Identifier: MIT
 *
 * bitspin linearize --operations: test plans.  A plan gives each of some threads a sequence of operations.  All plans are made up
 * to the order of the threads, the smallest first, and each is a run of `bitspin linearize --thread ...`, until one is violated.
 */
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../program/operations.h"
#include "../report/report.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_THREADS = 2, USUAL_LENGTH = 2, MOST_PLANS = 100000, MOST_OF_A_PLAN = 8 };

struct plan {
	size_t threads, operations;
	size_t sequences[MOST_OF_A_PLAN]; /* numbers, ascending */
};

struct plans {
	struct list operations; /* each call, with its ranges resolved */
	struct list sequences;  /* of calls, as in --thread; the shortest first */
	size_t *lengths;        /* of each sequence */
	struct plan *items;
	size_t count;
};

/* ---- operations -------------------------------------------------------------------------------------------------------- */

/* Add the call `text`, once for each number of its first range LO..HI, and so on. */
static void add_operation(struct plans *plans, const char *call)
{
	const char *dots = strstr(call, "..");
	const char *low = dots, *high = dots ? dots + 2 : NULL;
	char *end;
	while (low && low > call && isdigit((unsigned char)low[-1]))
		low--;
	if (low && low > call && low < dots && low[-1] == '-')
		low--;
	if (!dots || low == dots || !(isdigit((unsigned char)*high) || *high == '-')) {
		list_add(&plans->operations, call);
		return;
	}
	long first = strtol(low, NULL, 10), last = strtol(high, &end, 10);
	if (last < first || last - first > 100)
		fail("--operations '%s': the range %ld..%ld is empty, or too wide", call, first, last);
	for (long value = first; value <= last; value++) {
		char *one = text("%.*s%ld%s", (int)(low - call), call, value, end);
		add_operation(plans, one);
		free(one);
	}
}

/* Read calls that are separated by commas, outside of brackets. */
static void read_operations(struct plans *plans, const char *given)
{
	unsigned depth = 0;
	for (const char *c = given, *begin = given;; c++) {
		depth += *c && strchr("([{", *c);
		depth -= depth && *c && strchr(")]}", *c);
		if (*c && (*c != ',' || depth))
			continue;
		while (isspace((unsigned char)*begin))
			begin++;
		char *call = text("%.*s", (int)(c - begin), begin);
		if (!*call)
			fail("--operations '%s': a call is missing; separate calls by commas, as in 'put(1..2), get()'", given);
		add_operation(plans, call);
		free(call);
		if (!*c)
			return;
		begin = c + 1;
	}
}

/* ---- plans --------------------------------------------------------------------------------------------------------------- */

/* Make all sequences of up to `most` operations. */
static void make_sequences(struct plans *plans, size_t most)
{
	size_t before = 0, count = 0;
	for (size_t length = 1; length <= most; length++) {
		size_t from = before, to = plans->sequences.count;
		before = to;
		for (size_t s = from; s < (length == 1 ? 1 : to); s++)
			for (size_t o = 0; o < plans->operations.count; o++) {
				const char *call = plans->operations.items[o];
				if (length == 1)
					list_add(&plans->sequences, call);
				else
					list_addf(&plans->sequences, "%s; %s", plans->sequences.items[s], call);
				if (plans->sequences.count > MOST_PLANS)
					fail("--operations makes more than %d sequences; name fewer operations, or a smaller --length",
					     MOST_PLANS);
				plans->lengths = realloc(plans->lengths, (count + 1) * sizeof *plans->lengths);
				if (!plans->lengths)
					BUG("out of memory");
				plans->lengths[count++] = length;
			}
	}
	assert(count == plans->sequences.count);
}

/* Add all plans that go on from `plan` with sequences from `first` on, up to `most` threads. */
static void add_plans(struct plans *plans, struct plan plan, size_t first, size_t most)
{
	assert(most <= MOST_OF_A_PLAN && (plan.threads == 0 || plan.sequences[plan.threads - 1] == first));
	if (plan.threads > 1) {
		if (plans->count == MOST_PLANS)
			fail("--operations makes more than %d plans; name fewer operations, or smaller --threads or --length",
			     MOST_PLANS);
		plans->items = realloc(plans->items, (plans->count + 1) * sizeof plan);
		if (!plans->items)
			BUG("out of memory");
		plans->items[plans->count++] = plan;
	}
	for (size_t s = first; s < plans->sequences.count && plan.threads < most; s++) {
		struct plan next = plan;
		next.sequences[next.threads++] = s;
		next.operations += plans->lengths[s];
		add_plans(plans, next, s, most);
	}
}

/* Compare two plans for qsort(): fewer operations first, then fewer threads, then the order of the sequences. */
static int smaller(const void *a, const void *b)
{
	const struct plan *x = a, *y = b;
	if (x->operations != y->operations)
		return x->operations < y->operations ? -1 : 1;
	if (x->threads != y->threads)
		return x->threads < y->threads ? -1 : 1;
	for (size_t i = 0; i < x->threads; i++)
		if (x->sequences[i] != y->sequences[i])
			return x->sequences[i] < y->sequences[i] ? -1 : 1;
	return 0;
}

/* ---- runs ---------------------------------------------------------------------------------------------------------------- */

/* Is the word one of the options that make plans?  Their values stand behind them, or in the word. */
static bool makes_plans(const char *word, bool *with_value)
{
	static const char *const names[] = { "--operations", "--threads", "--length", "--list-plans" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i]);
		*with_value = word[length > strlen(word) ? 0 : length] == '=' || strcmp(names[i], "--list-plans") == 0;
		if (strncmp(word, names[i], length) == 0 && (word[length] == '\0' || word[length] == '='))
			return true;
	}
	return false;
}

/* List the words of the run of a plan. */
static void command_of(const struct plans *plans, const struct plan *plan, bool quiet, int argc, char **argv, struct list *words)
{
	assert(plan->threads > 1 && plan->threads <= MOST_OF_A_PLAN);
	char *self = realpath("/proc/self/exe", NULL);
	list_add(words, self ? self : "bitspin");
	list_add(words, "linearize");
	free(self);
	for (size_t i = 0; i < plan->threads; i++) {
		list_add(words, "--thread");
		list_add(words, plans->sequences.items[plan->sequences[i]]);
	}
	if (quiet)
		list_add(words, "--quiet");
	for (int i = 1; i < argc; i++) {
		bool with_value;
		if (!makes_plans(argv[i], &with_value))
			list_add(words, argv[i]);
		else if (!with_value)
			i++;
	}
}

/* Run a plan, and return its exit status; -1 if the time is over.  Its output goes to the files, unless they are NULL. */
static int run_plan(const struct plans *plans, const struct plan *plan, const char *output, const char *errors, int argc,
		    char **argv)
{
	struct list words = { 0 };
	int status = 0;
	command_of(plans, plan, output != NULL, argc, argv, &words);
	const struct process process = {
		.argv = (const char *const *)words.items,
		.output = output,
		.errors = errors,
		.starts_groups = true,
	};
	enum process_end end = process_run(&process, &status);
	list_release(&words);
	if (end == PROCESS_INTERRUPTED)
		fail("interrupted");
	if (end == PROCESS_SIGNALLED)
		fail("the run of a plan died of signal %d", status);
	return end == PROCESS_EXITED ? status : -1;
}

/* Return what is in a file without the end of its last line; "" if it cannot be read.  malloc'ed. */
static char *last_line(const char *path)
{
	char *bytes = read_file(path, NULL);
	size_t length = bytes ? strlen(bytes) : 0;
	while (length && bytes[length - 1] == '\n')
		bytes[--length] = '\0';
	char *line = bytes ? strrchr(bytes, '\n') : NULL, *copy = text("%s", line ? line + 1 : bytes ? bytes : "");
	free(bytes);
	return copy;
}

static char *name_of(const struct plans *plans, const struct plan *plan)
{
	char *name = text("%s", "");
	for (size_t i = 0; i < plan->threads; i++)
		name = text_add(name, " || ", plans->sequences.items[plan->sequences[i]]);
	return name;
}

static double states_in(const char *line)
{
	const char *operations = strstr(line, " operation");
	double states = 0;
	if (operations && sscanf(operations, " operation%*[s], %lf state", &states) != 1)
		states = 0;
	return states;
}

/* Run all plans until one is violated.  Return the exit status. */
static int run_all(struct job *job, const struct plans *plans, int argc, char **argv)
{
	char *output = text("%s/plan", job->program.work), *errors = text("%s/plan.errors", job->program.work);
	const struct options *o = &job->inputs->options;
	double states = 0;
	size_t open = 0, done = 0;
	char *why = NULL;
	process_limit_time(o->max_time);
	for (; done < plans->count; done++) {
		const struct plan *plan = &plans->items[done];
		int status = run_plan(plans, plan, output, errors, argc, argv);
		char *line = last_line(output), *name = name_of(plans, plan);
		if (status == verdict_status(VERDICT_ERROR)) {
			char *said = read_file(errors, NULL);
			fputs(said ? said : "", stderr);
			give_up(VERDICT_ERROR, "a plan cannot be run");
		}
		if (!o->quiet && status >= 0) {
			printf("%zu of %zu: %s: %.*s\n", done + 1, plans->count, name, (int)strcspn(line, ":"), line);
			fflush(stdout);
		}
		if (status == verdict_status(VERDICT_VIOLATED))
			return run_plan(plans, plan, NULL, NULL, argc, argv);
		if (status < 0)
			break;
		states += states_in(line);
		if (status == verdict_status(VERDICT_INCONCLUSIVE) && !open++)
			why = text("%s: %s", name, line);
		free(line);
		free(name);
	}
	bool all = done == plans->count && open == 0;
	job->result.verdict = all ? VERDICT_VERIFIED : VERDICT_INCONCLUSIVE;
	job->result.statistics.states = states;
	char *what = text("%zu plan%s of up to %lu threads and %lu operations each, %.0f states", plans->count,
			  plural((double)plans->count), o->threads ? o->threads : USUAL_THREADS,
			  o->length ? o->length : USUAL_LENGTH, states);
	assert(all || done < plans->count || why);
	if (!all)
		job->result.reason = done < plans->count ? text("time limit reached after %zu of %s", done, what) :
							   text("%zu of %s are not decided, such as %s", open, what, why);
	report_write(job);
	job->program.operations = &(const struct operations){ .condition = o->condition, .progress = o->progress };
	if (!report_takes_stdout(o))
		printf("%s: %s\n", all ? operations_verdict(job) : verdict_name(job->result.verdict),
		       all ? what : job->result.reason);
	job->program.operations = NULL;
	return verdict_status(job->result.verdict);
}

/* Print a word as a shell reads it. */
static void print_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (const char[]){ *word == '\n' ? ' ' : *word, '\0' }, stdout);
	putchar('\'');
}

/* Print the command line of each plan. */
static void print_all(const struct plans *plans, int argc, char **argv)
{
	for (size_t i = 0; i < plans->count; i++) {
		struct list words = { 0 };
		command_of(plans, &plans->items[i], false, argc, argv, &words);
		for (size_t k = 0; k < words.count; k++) {
			fputs(k ? " " : "", stdout);
			print_word(words.items[k]);
		}
		putchar('\n');
		list_release(&words);
	}
}

int plans_run(struct job *job, int argc, char **argv)
{
	const struct options *o = &job->inputs->options;
	struct plans plans = { 0 };
	size_t threads = o->threads ? o->threads : USUAL_THREADS;
	if (threads < 2 || threads > MOST_OF_A_PLAN)
		fail("--operations makes plans of 2 to %d threads; --threads is %zu", MOST_OF_A_PLAN, threads);
	for (size_t i = 0; i < o->planned.count; i++)
		read_operations(&plans, o->planned.items[i]);
	make_sequences(&plans, o->length ? o->length : USUAL_LENGTH);
	add_plans(&plans, (struct plan){ 0 }, 0, threads);
	qsort(plans.items, plans.count, sizeof *plans.items, smaller);
	int status = verdict_status(VERDICT_VERIFIED);
	if (o->list_plans)
		print_all(&plans, argc, argv);
	else
		status = run_all(job, &plans, argc, argv);
	list_release(&plans.operations);
	list_release(&plans.sequences);
	free(plans.lengths);
	free(plans.items);
	return status;
}
