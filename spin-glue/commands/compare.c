/* SPDX-License-Identifier: MIT
 *
 * bitspin compare: one program, searched as we do and as others do, in one table.  Each search is a check with other
 * options, in the same VM and by the same pan, so that what differs is the method alone: what two visits must have in
 * common to be one, which threads are offered, and how many preemptions a schedule may have.
 *
 * "runs" is what a tool that replays executions would have had to do.  With CHESS and us these are the leaves of the search tree,
 * which are arrivals at an end and at a node that was there before.  SCALE's rows are SCALE's own search (scale.h), which knows
 * before it runs an action that it leads to such a node, and has its actions: with it each access to shared memory is one, and
 * data races are not looked for.
 */
#include "commands.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The searches, in the order of the table.  SCALE's are its filter not-seen-before (NSB: match representations, that is,
 * happens-before graphs) with super-steps or, with a star as in the thesis, without; and both with local-cycle detection (LCD).
 * Any other is a `bitspin check --identity ... --reduction ...`. */
static const struct compared {
	const char *name;
	enum image_identity identity;
	bool local_cycles;
	unsigned reductions; /* enum image_reduction, of those that are on */
	int preemptions;     /* most allowed, -1: any number */
} searches[] = {
	{ "bitspin", IDENTITY_STATE, false, ~0u, -1 },
	{ "bitspin without slicing", IDENTITY_STATE, false, ~(unsigned)REDUCTION_SLICING, -1 },
	{ "bitspin without reductions", IDENTITY_STATE, false, 0, -1 },
	{ "SCALE*: NSB", IDENTITY_SCALE, false, 0, -1 },
	{ "SCALE: NSB, super-steps", IDENTITY_SCALE, false, REDUCTION_SUPERSTEPS, -1 },
	{ "SCALE*: NSB, LCD", IDENTITY_SCALE, true, 0, -1 },
	{ "SCALE: NSB, super-steps, LCD", IDENTITY_SCALE, true, REDUCTION_SUPERSTEPS, -1 },
	{ "CHESS: 2 preemptions", IDENTITY_HB, false, 0, 2 },
	{ "CHESS: 5 preemptions", IDENTITY_HB, false, 0, 5 },
};

enum { SEARCHES = sizeof searches / sizeof *searches, DEFAULT_SECONDS = 60 };

/* Begin `job`, one search of the comparison `all`: it has its own options and findings, and shares the files with `all`. */
static void begin(struct job *job, const struct job *all, const struct compared *search, unsigned threads)
{
	job_init_beside(job, all);
	struct options *o = &job->inputs->options;
	assert(!search->local_cycles || search->identity != IDENTITY_STATE); /* as for users */
	o->identity = search->identity;
	o->local_cycles = search->local_cycles;
	if (search->identity == IDENTITY_SCALE)
		o->races = RACES_ARE_IGNORED;
	o->reductions &= search->reductions;
	o->bounded = search->preemptions >= 0;
	o->preemptions = o->bounded ? (unsigned)search->preemptions : 0;
	job->search.threads = threads;
}

/* ---- the table ----------------------------------------------------------------------------------------------------- */

static void print_heading(const struct options *o)
{
	printf("%-30s %-14s %14s %14s %14s %9s%s\n", "search", "verdict", "states", "runs", "transitions", "seconds",
	       o->traces ? "         traces" : "");
	fflush(stdout);
}

/* Write `value` to `to` as "1,234,567", or as "> 1,234,567" if the search is not complete.  Return `to`. */
static const char *figure(char *to, size_t size, double value, bool complete)
{
	char digits[40];
	int n = snprintf(digits, sizeof digits, "%.0f", value);
	assert(value >= 0 && n > 0 && (size_t)n < sizeof digits);
	size_t at = (size_t)snprintf(to, size, "%s", complete ? "" : "> ");
	for (int i = 0; i < n && at + 2 < size; i++) {
		to[at++] = digits[i];
		if ((n - i) % 3 == 1 && i + 1 < n)
			to[at++] = ',';
	}
	to[at] = '\0';
	return to;
}

/* Has the search looked for less than was asked for, and not found that? */
static bool overlooks(const struct job *all, const struct job *job)
{
	return job->result.verdict == VERDICT_VERIFIED && job->inputs->options.races != all->inputs->options.races;
}

static const char *verdict_of(const struct job *all, const struct job *job)
{
	if (!job->search.complete)
		return "not finished";
	return job->search.cut || overlooks(all, job) ? "none found" : verdict_name(job->result.verdict);
}

static void print_row(const struct compared *search, const struct job *all, const struct job *job)
{
	assert(job->search.complete || job->result.reason);
	char states[48], runs[48], transitions[48], seconds[48];
	const struct statistics *s = &job->result.statistics;
	snprintf(seconds, sizeof seconds, "%s%.2f", job->search.complete ? "" : "> ", s->search_seconds);
	const char *traces = json_string_value(json_object_get(job->result.traces, "traces"));
	printf("%-30s %-14s %14s %14s %14s %9s%s%s\n", search->name, verdict_of(all, job),
	       figure(states, sizeof states, s->states, job->search.complete),
	       figure(runs, sizeof runs, s->runs, job->search.complete),
	       figure(transitions, sizeof transitions, s->transitions, job->search.complete), seconds, traces ? "         " : "",
	       traces ? traces : "");
	if (job->result.traces && !traces)
		printf("    (traces: %s)\n", field_text(job->result.traces, "why"));
	if (!job->search.complete)
		printf("    (%s)\n", job->result.reason);
	fflush(stdout);
}

static void print_legend(const struct job *job)
{
	puts("\nstates: with SCALE and CHESS, different representations (happens-before graphs)");
	puts("runs: paths that a tool that replays executions would have walked; >: at least, as the search did not finish");
	puts("none found: no violation, which proves nothing: CHESS's bound cuts schedules, SCALE looks for no data races, "
	     "and with super-steps it can miss other violations");
	puts("assuming:");
	for (size_t i = 0; i < job->program.assumptions.count; i++)
		printf("  %s\n", job->program.assumptions.items[i]);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

static json_t *reductions_json(unsigned used)
{
	json_t *names = json_array();
	for (unsigned i = 0; i < REDUCTIONS; i++)
		if (used >> i & 1)
			json_array_append_new(names, json_string(reductions[i].name));
	return names;
}

static json_t *row_json(const struct compared *search, const struct job *all, const struct job *job)
{
	const struct statistics *s = &job->result.statistics;
	unsigned used = job->inputs->options.bounded ? 0 : plan_reductions(&job->program); /* none under a bound, see build.c */
	json_t *row = json_pack("{s:s, s:s, s:s, s:b, s:o, s:s, s:b, s:I, s:I, s:I, s:f, s:I}", "search", search->name, "races",
				job->inputs->options.races == RACES_ARE_IGNORED ? "ignore" : "report", "identity",
				identity_name(search->identity), "local_cycles", search->local_cycles, "reductions",
				reductions_json(used), "verdict", verdict_name(job->result.verdict), "complete",
				job->search.complete, "states", (json_int_t)s->states, "runs", (json_int_t)s->runs, "transitions",
				(json_int_t)s->transitions, "seconds", s->search_seconds, "bytes", (json_int_t)s->bytes);
	if (!row)
		BUG("a search is no JSON");
	json_object_set_new(row, "outcome", json_string(verdict_of(all, job)));
	if (job->result.verdict == VERDICT_VIOLATED) /* it ends a search */
		json_object_set_new(row, "seconds_to_violation", json_real(s->search_seconds));
	if (job->result.traces)
		json_object_update(row, job->result.traces);
	json_object_del(row, "type");
	json_object_del(row, "pairs");
	if (search->preemptions >= 0)
		json_object_set_new(row, "preemptions", json_integer(search->preemptions));
	if (job->result.reason)
		json_object_set_new(row, "message", json_string(job->result.reason));
	return row;
}

static void write_table(struct job *all, json_t *rows)
{
	json_t *report = report_json(all);
	json_object_del(report, "statistics"); /* each search has its own */
	json_object_del(report, "reductions_off");
	json_object_set(report, "searches", rows);
	write_json(report, all->inputs->options.json);
}

/* ---- CSV ----------------------------------------------------------------------------------------------------------- */

/* Add `word` as a field: in quotes where it has to be. */
static void add_field(FILE *out, const char *word)
{
	bool plain = !strpbrk(word, ",\"\n");
	fputs(plain ? "" : "\"", out);
	for (; *word; word++)
		fprintf(out, *word == '"' ? "\"\"" : "%c", *word);
	fputs(plain ? "" : "\"", out);
	fputs(",", out);
}

/* Add the rows of a program as lines. */
static void add_lines(FILE *out, const char *program, const json_t *rows)
{
	static const char *const numbers[] = { "states", "runs", "transitions", "bytes" };
	const json_t *row;
	size_t i;
	json_array_foreach (rows, i, row) {
		add_field(out, program);
		add_field(out, json_string_value(json_object_get(row, "search")));
		add_field(out, json_string_value(json_object_get(row, "outcome")));
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
			fprintf(out, "%lld,", (long long)json_integer_value(json_object_get(row, numbers[k])));
		fprintf(out, "%.3f,", json_number_value(json_object_get(row, "seconds")));
		const json_t *first = json_object_get(row, "seconds_to_violation");
		if (first)
			fprintf(out, "%.3f", json_number_value(first));
		fputc('\n', out);
	}
}

/* Write the table of programs, an array of {"program","searches"}, to where --csv says. */
static void write_csv(const struct options *o, const json_t *programs)
{
	char *bytes = NULL;
	size_t size = 0, i;
	const json_t *one;
	FILE *out = open_memstream(&bytes, &size);
	if (!out)
		BUG("out of memory");
	fputs("program,search,outcome,states,runs,transitions,bytes,seconds,seconds_to_violation\n", out);
	json_array_foreach (programs, i, one)
		add_lines(out, json_string_value(json_object_get(one, "program")), json_object_get(one, "searches"));
	if (fclose(out) != 0)
		BUG("out of memory");
	if (strcmp(o->csv, "-") == 0) {
		fwrite(bytes, 1, size, stdout);
		flush_stdout();
	} else {
		targets_write("csv", o->csv, bytes, size);
	}
	free(bytes);
}

/* Return the name of the program of a comparison: its files. */
static char *program_name(const struct options *o)
{
	char *name = text("%s", "");
	for (size_t i = 0; i < o->files.count; i++)
		name = text_add(name, " ", o->files.items[i]);
	return name;
}

/* ---- several programs ------------------------------------------------------------------------------------------------ */

/* Compare the searches of one of several programs, by a command of its own, and print its rows.  Return its report. */
static json_t *compare_one(struct job *all, const char *file)
{
	const struct options *o = &all->inputs->options;
	char *self = realpath("/proc/self/exe", NULL), *output = text("%s/each.json", all->program.work);
	struct list argv = { 0 };
	json_error_t error;
	int status;
	list_add(&argv, self ? self : "bitspin");
	list_add_words(&argv, "compare --json -");
	for (size_t i = 0; i < o->given.count; i++) {
		const char *word = o->given.items[i];
		bool ours = strncmp(word, "--each", 6) == 0 || strncmp(word, "--csv", 5) == 0 || strncmp(word, "--json", 6) == 0,
		     takes = ours && strcmp(word, "--each") != 0 && !strchr(word, '='), other = false;
		for (size_t k = 0; k < o->files.count; k++)
			other = other || (strcmp(o->files.items[k], word) == 0 && strcmp(word, file) != 0);
		if (!ours && !other)
			list_add(&argv, word);
		i += takes;
	}
	const struct process process = { .argv = (const char *const *)argv.items, .output = output };
	enum process_end end = process_run(&process, &status);
	json_t *report = end == PROCESS_EXITED ? json_load_file(output, 0, &error) : NULL;
	if (!report)
		fail("'%s' could not be compared", file);
	list_release(&argv);
	free(output);
	free(self);
	return report;
}

static void print_each(const char *file, const json_t *report, int width)
{
	const json_t *row;
	size_t i;
	char states[48], runs[48], transitions[48];
	json_array_foreach (json_object_get(report, "searches"), i, row) {
		bool complete = json_is_true(json_object_get(row, "complete"));
		printf("%-*s %-30s %-14s %14s %14s %14s %s%.2f\n", width, i ? "" : file,
		       json_string_value(json_object_get(row, "search")), json_string_value(json_object_get(row, "outcome")),
		       figure(states, sizeof states, json_number_value(json_object_get(row, "states")), complete),
		       figure(runs, sizeof runs, json_number_value(json_object_get(row, "runs")), complete),
		       figure(transitions, sizeof transitions, json_number_value(json_object_get(row, "transitions")), complete),
		       complete ? "" : "> ", json_number_value(json_object_get(row, "seconds")));
	}
	fflush(stdout);
}

/* Compare the searches of each file as a program of its own.  Return the exit status: that of an error, else of a violation,
 * else of what is inconclusive, if any is. */
static int compare_each(struct job *all)
{
	const struct options *o = &all->inputs->options;
	bool table = !o->quiet && !(o->json && strcmp(o->json, "-") == 0) && !(o->csv && strcmp(o->csv, "-") == 0);
	json_t *programs = json_array();
	static const int rank[] = { [0] = 0, [3] = 1, [1] = 2, [2] = 3 };
	int worst = 0, width = 20;
	for (size_t i = 0; i < o->files.count; i++)
		width = (int)strlen(o->files.items[i]) > width ? (int)strlen(o->files.items[i]) : width;
	if (table)
		printf("%-*s %-30s %-14s %14s %14s %14s %s\n", width, "program", "search", "verdict", "states", "runs",
		       "transitions", "seconds");
	for (size_t i = 0; i < o->files.count; i++) {
		json_t *report = compare_one(all, o->files.items[i]);
		int status = (int)json_integer_value(json_object_get(report, "status"));
		if (table)
			print_each(o->files.items[i], report, width);
		worst = rank[status & 3] > rank[worst] ? status & 3 : worst;
		json_array_append_new(programs,
				      json_pack("{s:s, s:O, s:O, s:O}", "program", o->files.items[i], "verdict",
						json_object_get(report, "verdict"), "last_line",
						json_object_get(report, "last_line"), "searches",
						json_object_get(report, "searches")));
		json_decref(report);
	}
	if (o->csv)
		write_csv(o, programs);
	if (o->json)
		write_json(json_pack("{s:s, s:O}", "bitspin", BITSPIN_VERSION, "programs", programs), o->json);
	json_decref(programs);
	return worst;
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

/* Can this search decide everything?  SCALE's cannot: it does not look for data races, and the ends of threads are no steps to
 * it. */
static bool decides_all(const struct job *job)
{
	return job->result.verdict == VERDICT_VIOLATED ||
		(job->result.verdict == VERDICT_VERIFIED && job->inputs->options.identity != IDENTITY_SCALE);
}

/* Add the verdict of `job` to that of `all`.  Searches may differ in what they can decide, never in what they say. */
static void take_verdict(struct job *all, struct job *job)
{
	bool decided = all->result.verdict == VERDICT_VERIFIED || all->result.verdict == VERDICT_VIOLATED;
	bool decides = decides_all(job);
	if (decided && decides && all->result.verdict != job->result.verdict)
		BUG("one search says %s, another %s", verdict_name(all->result.verdict), verdict_name(job->result.verdict));
	if (decided || (all->result.verdict != VERDICT_ERROR && !decides))
		return;
	all->result.verdict = job->result.verdict;
	free(all->result.reason);
	all->result.reason = job->result.reason ? text("%s", job->result.reason) : NULL;
	json_decref(all->result.violations);
	all->result.violations = json_incref(job->result.violations);
	json_decref(all->result.suppressed);
	all->result.suppressed = json_incref(job->result.suppressed);
	free(all->program.weaker.file);
	all->program.weaker = job->program.weaker;
	job->program.weaker = (struct weaker_atomics){ 0 };
	list_release(&all->program.assumptions);
	for (size_t i = 0; i < job->program.assumptions.count; i++)
		list_add(&all->program.assumptions, job->program.assumptions.items[i]);
}

static void compare(struct job *all, const struct list *bitcode, json_t *rows, bool table)
{
	unsigned threads = 0;
	for (size_t i = 0; i < SEARCHES; i++) {
		struct job job;
		begin(&job, all, &searches[i], threads);
		process_limit_time(job.inputs->options.max_time);
		char *pan = search_program(&job, bitcode);
		if (process_interrupted())
			fail("interrupted");
		explain_violations(&job, pan);
		races_add(&job);
		free(pan);
		threads = job.search.threads;
		if (all->inputs->options.traces && searches[i].identity == IDENTITY_STATE && searches[i].reductions == 0)
			job.result.traces = traces_count(&job);
		if (table)
			print_row(&searches[i], all, &job);
		json_array_append_new(rows, row_json(&searches[i], all, &job));
		take_verdict(all, &job);
		job_release_beside(&job);
	}
}

int command_compare(int argc, char **argv)
{
	struct job job;
	struct list bitcode = { 0 };
	struct formulas formulas = { 0 };
	json_t *rows = json_array();
	command_begin(&job, 'M', argc, argv);
	if (job.inputs->options.max_time == 0)
		job.inputs->options.max_time = DEFAULT_SECONDS;
	if (job.inputs->options.each) {
		int worst = compare_each(&job);
		json_decref(rows);
		command_end(&job);
		return worst;
	}
	formulas_read(&formulas, &job.inputs->options, true); /* invariants */
	job.program.formulas = &formulas;
	compile_files(&job.program, &bitcode);
	const struct options *o = &job.inputs->options;
	bool json_only = (o->json && strcmp(o->json, "-") == 0) || (o->csv && strcmp(o->csv, "-") == 0),
	     table = !json_only && !job.inputs->options.quiet;
	if (table)
		print_heading(o);
	compare(&job, &bitcode, rows, table);
	if (table)
		print_legend(&job);
	if (o->csv) {
		char *name = program_name(o);
		json_t *programs = json_pack("[{s:s, s:O}]", "program", name, "searches", rows);
		write_csv(o, programs);
		json_decref(programs);
		free(name);
	}
	if (o->json)
		write_table(&job, rows);
	if (!json_only)
		report_print_verdict(&job);
	int status = verdict_status(job.result.verdict);
	json_decref(rows);
	list_release(&bitcode);
	formulas_release(&formulas);
	command_end(&job);
	return status;
}
