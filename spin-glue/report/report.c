/* SPDX-License-Identifier: MIT
 *
 * The result, for people.
 */
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Under --all. */
static void print_count(const struct job *job)
{
	char *count = count_by_kind(job);
	printf("%sviolated: %zu faults: %s%s\n", colour(COLOUR_RED), json_array_size(job->violations), count, colour(COLOUR_NONE));
	free(count);
}

static void print_background(const struct job *job)
{
	const struct statistics *s = &job->statistics;
	puts("assuming:");
	for (size_t i = 0; i < job->assumptions.count; i++)
		printf("  %s\n", job->assumptions.items[i]);
	printf("%.0f states, %.0f transitions, depth %.0f, %.2f s (search %.2f s), %.1f MB for states", s->states, s->transitions,
	       s->depth, s->seconds, s->search_seconds, s->bytes / 1e6);
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
	print_suppressed(job);
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
		list == &o->masks      ? text(", assuming that no error depends on %s", names) :
					 text(", assuming that no error depends on what %s %s out", names, one ? "leaves" : "leave");
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
		char *why = f->vacuous                     ? text(" (vacuously: its premise %s never occurs)", f->vacuous) :
			f->verdict == VERDICT_INCONCLUSIVE ? text(" (%s)", f->reason) :
			f->needs_unfairness                ? text(" (along unfair schedules only: it holds under weak fairness)") :
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
	char *under = condition(&job->options), *vacuous = vacuity(job), *model = memory_model(job), *apart = apart_from(job);
	printf("%s%s", colour(COLOUR_GREEN), verdict_name(job->verdict));
	print_plain(model, strlen(model));
	free(model);
	print_plain(vacuous, strlen(vacuous));
	free(vacuous);
	print_plain(under, strlen(under));
	print_plain(apart, strlen(apart));
	free(apart);
	printf("%s\n", colour(COLOUR_NONE));
	free(under);
}

/* What is no violation, but should be known of a program that is verified: nothing after an endless loop has been looked
 * at, and nothing at all if an assumption cuts every path.  NULL: nothing. */
char *report_note(const struct job *job)
{
	bool endless = job->verdict == VERDICT_VERIFIED && !job->main_ends;
	return endless ? text("no schedule reaches the end of %s", job->options.entry) : NULL;
}

static void print_note(const struct job *job)
{
	char *line = report_note(job);
	if (line)
		printf("note: %s\n", line);
	free(line);
}

void report_print(const struct job *job)
{
	size_t i, last = json_array_size(job->violations);
	json_t *violation;
	json_array_foreach (job->violations, i, violation) {
		if (!job->options.quiet && !report_tells_lines(&job->options)) {
			story_print(violation);
			putchar('\n');
		}
		if (last > 1)
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
	if (job->verdict == VERDICT_VIOLATED && last > 1)
		print_count(job);
	else if (job->verdict == VERDICT_VIOLATED)
		print_violation(json_array_get(job->violations, last - 1));
	else if (job->reason)
		print_inconclusive(job);
	else
		print_verified(job);
	if (fflush(stdout) != 0 || ferror(stdout))
		fail("cannot write the report to standard output: %s", strerror(errno));
}
