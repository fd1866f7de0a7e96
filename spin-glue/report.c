/* SPDX-License-Identifier: MIT
 *
 * The result, for people and as JSON.
 */
#include "formula.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *name; int status; } verdicts[] = {
#define VERDICT(name, text, status) { text, status },
#include "verdict.def"
#undef VERDICT
};

const char *verdict_name(enum verdict verdict)
{
	return verdicts[verdict].name;
}

int verdict_status(enum verdict verdict)
{
	return verdicts[verdict].status;
}

/* ---- for people ---------------------------------------------------------------------------------------------------- */

/* A path as short as it can be from here. */
const char *from_here(const char *path)
{
	char here[4096];
	size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
	return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

void print_plain(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		putchar((unsigned char)bytes[i] < ' ' || bytes[i] == 127 ? ' ' : bytes[i]);
}

const char *colour(enum colour colour)
{
	static const char *const sequences[] = { "\033[0m", "\033[1m", "\033[31;1m", "\033[32;1m", "\033[33;1m" };
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool wanted = isatty(1) && !(no && *no) && terminal && strcmp(terminal, "dumb") != 0;
	return wanted ? sequences[colour] : "";
}

static void print_violation(const json_t *violation)
{
	const char *file = json_string_value(json_object_get(violation, "file"));
	long long line = json_integer_value(json_object_get(violation, "line"));
	char *place = line ? text(" at %s:%lld", from_here(file), line) : text("%s", "");
	const char *message = json_string_value(json_object_get(violation, "message"));
	printf("%sviolated: %s%s: ", colour(COLOUR_RED), json_string_value(json_object_get(violation, "kind")), place);
	print_plain(message, strlen(message));
	printf("%s\n", colour(COLOUR_NONE));
	free(place);
}

static void print_background(const struct job *job)
{
	const struct statistics *s = &job->statistics;
	puts("assuming:");
	for (size_t i = 0; i < job->assumptions.count; i++)
		printf("  %s\n", job->assumptions.items[i]);
	printf("%.0f states, %.0f transitions, depth %.0f, %.2f s (search %.2f s), %.1f MB for states", s->states,
	       s->transitions, s->depth, s->seconds, s->search_seconds, s->bytes / 1e6);
	if (s->resident > 0) /* pan could say it */
		printf(", %.0f MB in all", s->resident / 1e6);
	putchar('\n');
	if (job->cuts.count)
		printf("limits cut %.0f path%s:\n", job->paths_cut, job->paths_cut == 1 ? "" : "s");
	for (size_t i = 0; i < job->cuts.count; i++)
		printf("  %s\n", job->cuts.items[i]);
	for (int i = 0; i < REDUCTIONS; i++)
		if (s->saved[i] > 0) {
			char *line = text(reductions[i].saved, s->saved[i]);
			puts(line);
			free(line);
		}
}

/* What `verified` depends on beyond the assumptions that every check makes: claims of the user's that nobody has checked. */
static char *condition(const struct options *o)
{
	char *names = text("%s", "");
	const struct list *list = o->masks.count ? &o->masks : &o->abstractions;
	for (size_t i = 0; i < list->count; i++) {
		char *more = text("%s%s'%s'", names, i == 0 ? "" : i + 1 == list->count ? " and " : ", ", list->items[i]);
		free(names);
		names = more;
	}
	bool one = list->count == 1;
	char *whole = list->count == 0 ? text("%s", "") :
		list == &o->masks ? text(", assuming that %s %s not distinguish states", names, one ? "does" : "do") :
		text(", assuming that states which %s %s alike behave alike", names, one ? "views" : "view");
	free(names);
	return whole;
}

/* One line for each formula that was checked. */
static void print_formulas(const struct job *job)
{
	for (size_t i = 0; job->formulas && i < job->formulas->count; i++) {
		const struct formula *f = &job->formulas->items[i];
		if (f->verdict == VERDICT_ERROR)
			continue; /* not reached */
		char *why = f->vacuous ? text(" (vacuously: its premise %s never occurs)", f->vacuous) :
			f->verdict == VERDICT_INCONCLUSIVE ? text(" (%s)", f->reason) :
			f->needs_unfairness ? text(" (along unfair schedules only: it holds under weak fairness)") :
			text("%s", "");
		printf("%s: ", verdict_name(f->verdict));
		print_plain(f->name, strlen(f->name));
		printf("%s\n    %.0f states, %.0f transitions, %.2f s%s\n", why, f->statistics.states, f->statistics.transitions,
		       f->statistics.search_seconds, f->counts_steps ? ", without reductions: it may count steps" : "");
		free(why);
	}
}

/* "" or " (vacuously: its premise ... never occurs)", if a formula holds only because its premise never occurs. */
static char *vacuity(const struct job *job)
{
	for (size_t i = 0; job->formulas && i < job->formulas->count; i++)
		if (job->formulas->items[i].vacuous)
			return text(" (vacuously: its premise %s never occurs)", job->formulas->items[i].vacuous);
	return text("%s", "");
}

/* "", or the memory model under which the program was verified, if another could make a difference: by the DRF theorem none does
 * to a program without races whose atomic accesses are all sequentially consistent. */
static char *memory_model(const struct job *job)
{
	const struct weaker_atomics *weaker = &job->weaker;
	if (weaker->count == 0)
		return text("%s", "");
	return text(" under sequential consistency (%zu weaker atomic access%s at %s:%u)", weaker->count,
		    weaker->count == 1 ? "," : "es, first", from_here(weaker->file), weaker->line);
}

static void print_verified(const struct job *job)
{
	char *under = condition(&job->options), *vacuous = vacuity(job), *model = memory_model(job);
	printf("%s%s", colour(COLOUR_GREEN), verdict_name(job->verdict));
	print_plain(model, strlen(model));
	free(model);
	print_plain(vacuous, strlen(vacuous));
	free(vacuous);
	print_plain(under, strlen(under));
	printf("%s\n", colour(COLOUR_NONE));
	free(under);
}

/* What is no violation, but should be known of a program that is verified: nothing after an endless loop has been looked
 * at, and nothing at all if an assumption cuts every path.  NULL: nothing. */
static char *note(const struct job *job)
{
	bool endless = job->verdict == VERDICT_VERIFIED && !job->main_ends;
	return endless ? text("no schedule reaches the end of %s", job->options.entry) : NULL;
}

static void print_note(const struct job *job)
{
	char *line = note(job);
	if (line)
		printf("note: %s\n", line);
	free(line);
}

static json_t *notes_json(const struct job *job)
{
	char *line = note(job);
	json_t *notes = json_array();
	if (line)
		json_array_append_new(notes, json_string(line));
	free(line);
	return notes;
}

void report_print(const struct job *job)
{
	size_t i, last = json_array_size(job->violations);
	json_t *violation;
	json_array_foreach(job->violations, i, violation) {
		if (!job->options.quiet) {
			story_print(violation);
			putchar('\n');
		}
		if (i + 1 < last)
			print_violation(violation);
	}
	if (job->options.bounded && last && !job->options.quiet) {
		json_t *of = json_object_get(json_array_get(job->violations, last - 1), "preemptions");
		printf("with %lld preemption%s\n", (long long)json_integer_value(of), json_integer_value(of) == 1 ? "" : "s");
	}
	if (!job->options.quiet) {
		print_background(job);
		print_formulas(job);
		print_note(job);
	}
	report_print_verdict(job);
}

static void print_inconclusive(const struct job *job)
{
	printf("%s%s: ", colour(COLOUR_YELLOW), verdict_name(job->verdict));
	print_plain(job->reason, strlen(job->reason));
	printf("%s\n", colour(COLOUR_NONE));
}

void report_print_verdict(const struct job *job)
{
	size_t last = json_array_size(job->violations);
	if (job->verdict == VERDICT_VIOLATED)
		print_violation(json_array_get(job->violations, last - 1));
	else if (job->reason)
		print_inconclusive(job);
	else
		print_verified(job);
	if (fflush(stdout) != 0 || ferror(stdout))
		fail("cannot write the report to standard output: %s", strerror(errno));
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

json_t *strings_json(const struct list *list)
{
	json_t *array = json_array();
	for (size_t i = 0; i < list->count; i++)
		json_array_append_new(array, json_string(list->items[i]));
	return array;
}

static json_t *statistics_json(const struct statistics *s)
{
	double each = s->states > 0 ? s->bytes / s->states : 0.0;
	json_t *saved = json_object();
	for (int i = 0; i < REDUCTIONS; i++)
		if (s->reductions >> i & 1)
			json_object_set_new(saved, reductions[i].name, json_integer((json_int_t)s->saved[i]));
	return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:f, s:I, s:o}", "states", (json_int_t)s->states, "transitions",
			 (json_int_t)s->transitions, "runs", (json_int_t)s->runs, "depth", (json_int_t)s->depth, "seconds", s->seconds,
			 "search_seconds", s->search_seconds, "bytes", (json_int_t)s->bytes, "bytes_per_state", each, "resident",
			 (json_int_t)s->resident, "saved", saved);
}

static json_t *options_json(const struct options *o)
{
	return json_pack("{s:o, s:o, s:o, s:s, s:s, s:b, s:b, s:b, s:b, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:s, s:s, s:b, s:o, "
			 "s:o, s:o, s:o, s:o, s:o, s:s*, s:s*}",
			 "files", strings_json(&o->files), "arguments", strings_json(&o->arguments), "clang", strings_json(&o->clang),
			 "entry", o->entry, "races", o->races_ignore ? "ignore" : "report", "deadlock", !o->no_deadlock,
			 "circular_waits", !o->no_deadlock && !o->total_deadlocks,
			 "leaks", o->leaks, "overflow", o->overflow, "alignment", o->alignment_ignore ? "ignore" : "report",
			 "calls", o->calls_ignore ? "ignore" : "report", "uninitialized", o->zeroed ? "zero" : "report",
			 "search", o->search, "invariants", strings_json(&o->invariants), "masks", strings_json(&o->masks),
			 "abstractions", strings_json(&o->abstractions), "all", o->all, "profile", o->svcomp ? "svcomp" : "c",
			 "identity", identity_name(o->identity), "local_cycles", o->local_cycles,
			 "extern", strings_json(&o->externs), "nondet", strings_json(&o->nondets), "faults", strings_json(&o->faults),
			 "env", strings_json(&o->environment), "arg", strings_json(&o->values),
			 "stdin", strings_json(&o->inputs), "stdin_bytes", o->alphabet, "fs", o->fs);
}

static json_t *formulas_json(const struct formulas *formulas)
{
	json_t *all = json_array();
	for (size_t i = 0; i < formulas->count; i++) {
		const struct formula *f = &formulas->items[i];
		bool checked = f->verdict != VERDICT_ERROR;
		json_array_append_new(all, json_pack("{s:s, s:s, s:s*, s:s*, s:b, s:b, s:s, s:o}", "formula", f->name, "verdict",
						     checked ? verdict_name(f->verdict) : "not checked", "message", f->reason, "vacuous",
						     f->vacuous, "only_without_fairness", f->needs_unfairness, "counts_steps", f->counts_steps, "fairness",
						     fairness_text(f->fairness), "statistics", statistics_json(&f->statistics)));
	}
	return all;
}

json_t *report_json(const struct job *job)
{
	json_t *report = json_pack("{s:s, s:s, s:o, s:O, s:o, s:o}", "bitspin", BITSPIN_VERSION, "verdict", verdict_name(job->verdict),
				   "assumptions", strings_json(&job->assumptions), "violations", job->violations, "statistics",
				   statistics_json(&job->statistics), "options", options_json(&job->options));
	if (report)
		json_object_set_new(report, "notes", notes_json(job));
	if (report && job->weaker.count)
		json_object_set_new(report, "weaker_atomics", json_pack("{s:I, s:s, s:I}", "count", (json_int_t)job->weaker.count,
				    "file", job->weaker.file, "line", (json_int_t)job->weaker.line));
	if (report)
		json_object_set_new(report, "memory_model", json_string("sequential consistency"));
	if (report && job->reason)
		json_object_set_new(report, "message", json_string(job->reason));
	if (report && job->cuts.count)
		json_object_set_new(report, "limits", json_pack("{s:I, s:o}", "paths", (json_int_t)job->paths_cut, "reasons",
								strings_json(&job->cuts)));
	if (report && job->formulas && job->formulas->count)
		json_object_set_new(report, "formulas", formulas_json(job->formulas));
	return report;
}

void report_write_json(const struct job *job)
{
	const char *path = job->options.json;
	if (!path)
		return;
	write_json(report_json(job), path);
}

void write_json(json_t *report, const char *path)
{
	char *bytes = report ? json_dumps(report, JSON_INDENT(2)) : NULL;
	if (!bytes)
		BUG("the report is no JSON");
	if (strcmp(path, "-") == 0) {
		puts(bytes);
		if (fflush(stdout) != 0)
			fail("cannot write the report to standard output: %s", strerror(errno));
	} else {
		char *line = text("%s\n", bytes);
		if (!write_file(path, line, strlen(line))) {
			fprintf(stderr, "bitspin: cannot write '%s': %s\n", path, strerror(errno));
			exit(2);
		}
		free(line);
	}
	free(bytes);
	json_decref(report);
}
