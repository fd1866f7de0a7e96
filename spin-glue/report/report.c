/* SPDX-License-Identifier: MIT
 *
 * The result, for people.
 */
#include "report.h"
#include "screen.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/pan.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Print a line.  Programs may read it, so it is broken for people only. */
static void say(const char *line, size_t indent, enum colour c)
{
	struct page page = { 0 };
	char *shown = clean(line, strlen(line));
	if (c != COLOUR_NONE)
		page_colour(&page, c);
	if (screen_wraps())
		page_wrap(&page, shown, indent, screen_width());
	else
		page_put(&page, shown);
	if (c != COLOUR_NONE)
		page_colour(&page, COLOUR_NONE);
	page_end(&page);
	page_print(&page);
	free(shown);
}

static char *violation_line(const json_t *violation)
{
	assert(violation);
	const char *file = json_string_value(json_object_get(violation, "file"));
	long long line = json_integer_value(json_object_get(violation, "line"));
	char *place = line ? text(" at %s:%lld", from_here(file), line) : text("%s", "");
	const char *message = json_string_value(json_object_get(violation, "message"));
	char *words = text("violated: %s%s: %s", json_string_value(json_object_get(violation, "kind")), place, message);
	free(place);
	return words;
}

static void print_violation(const json_t *violation)
{
	char *words = violation_line(violation);
	say(words, 4, COLOUR_RED);
	free(words);
}

static char *count_line(const struct job *job)
{
	char *count = count_by_kind(job), *line = text("violated: %zu faults: %s", json_array_size(job->result.violations), count);
	free(count);
	return line;
}

static void print_list(const struct list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		char *line = text("  %s", list->items[i]);
		say(line, 4, COLOUR_NONE);
		free(line);
	}
}

/* Print what slicing has left out: the first names, and how many more there are. */
static void print_left_out(const struct job *job)
{
	enum { MOST = 5 };
	size_t count = json_array_size(job->program.left_out);
	if (count == 0 || job->result.statistics.saved[REDUCTION_SLICING_NUMBER] == 0)
		return;
	char *line = text("not distinguished: ");
	for (size_t i = 0; i < count && i < MOST; i++) {
		const json_t *one = json_array_get(job->program.left_out, i);
		char *more = text("%s%s%s (%s:%lld)", line, i ? ", " : "", field_text(one, "name"),
				  base_name(field_text(one, "file")), field_number(one, "line"));
		free(line);
		line = more;
	}
	char *others = count > MOST ? text(", and %zu more", count - MOST) : text("%s", "");
	char *all = text("%s%s: nothing that is checked depends on %s", line, others, count == 1 ? "it" : "them");
	say(all, 2, COLOUR_NONE);
	free(line);
	free(others);
	free(all);
}

/* Return what is known of a search that counts states, of random walks, or of both. */
static char *figures_line(const struct statistics *s)
{
	struct list parts = { 0 };
	if (s->states > 0 || s->walks == 0)
		list_addf(&parts, "%.0f state%s, %.0f transition%s", s->states, plural(s->states), s->transitions,
			  plural(s->transitions));
	if (s->walks > 0)
		list_addf(&parts, "%.0f random walk%s, %.0f step%s", s->walks, plural(s->walks), s->steps, plural(s->steps));
	if (s->walks > 0 || s->summed)
		list_addf(&parts, "%.2f s", s->seconds);
	else
		list_addf(&parts, "depth %.0f, %.2f s (search %.2f s), %.1f MB for states", s->depth, s->seconds, s->search_seconds,
			  s->bytes / MEGABYTE);
	if (s->resident > 0) /* pan could say it */
		list_addf(&parts, "%.0f MB in all", s->resident / MEGABYTE);
	char *line = text("%s", "");
	for (size_t i = 0; i < parts.count; i++)
		line = text_add(line, ", ", parts.items[i]);
	list_release(&parts);
	return line;
}

/* Return what sharing saves, where there are many states; NULL if it is not known. */
static char *sharing_line(const struct statistics *s)
{
	enum { MANY = 100000 };
	if (s->states < MANY || s->whole <= 0 || s->bytes <= 0)
		return NULL;
	double each = s->bytes / s->states;
	return text("a state takes %.0f bytes, as it shares most with others; by itself it would take %.0f", each, s->whole);
}

/* Print which reductions are off where that may have cost something, those with the same reason together. */
static void print_plan(const struct job *job)
{
	enum { MANY = 10000 }; /* states */
	if (job->result.statistics.states < MANY && job->result.verdict != VERDICT_INCONCLUSIVE)
		return;
	json_t *reasons = plan_reasons(&job->program, job->result.off), *why, *other;
	const char *name, *more;
	void *next;
	json_object_foreach_safe(reasons, next, name, why)
	{
		char *names = text("%s", "");
		json_object_foreach (reasons, more, other) {
			char *longer = json_equal(why, other) ? text("%s%s%s", names, *names ? ", " : "", more) : text("%s", names);
			free(names);
			names = longer;
		}
		assert(*names);
		char *line = text("%s %s off: %s", names, strchr(names, ',') ? "are" : "is", json_string_value(why));
		if (strncmp(names, name, strlen(name)) == 0) /* else it has been said */
			say(line, 2, COLOUR_NONE);
		free(line);
		free(names);
	}
	json_decref(reasons);
}

/* Does an assumption leave nothing out that a run on x86-64 Linux could do?  The others narrow the answer. */
static bool holds_always(const struct job *job, const char *assumption)
{
	static const char sequential[] = "memory is sequentially consistent: ",
			  *const always[] = {
				  "the program ends when main returns or exit is called, ",
				  "a mutex, condition variable or read-write lock with all bytes zero is initialized, ",
				  "priorities and processors of threads make no difference: ",
				  "a wait with a time-out may time out at any moment, or never",
				  "during a sleep other threads take any number of steps, or none",
			  };
	if (strncmp(assumption, sequential, strlen(sequential)) == 0) /* the DRF theorem: see memory_model() */
		return job->program.weaker.count == 0 && job->inputs->options.races == RACES_ARE_REPORTED &&
			job->program.ntolerated == 0;
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		if (strncmp(assumption, always[i], strlen(always[i])) == 0)
			return true;
	return false;
}

/* Print the assumptions that narrow the answer, and how many others there are; all with -v. */
static void print_assumptions(const struct job *job)
{
	const struct list *all = &job->program.assumptions;
	struct list narrow = { 0 };
	for (size_t i = 0; i < all->count; i++)
		if (job->inputs->options.verbose || !holds_always(job, all->items[i]))
			list_add(&narrow, all->items[i]);
	size_t rest = all->count - narrow.count;
	puts(narrow.count || !rest ? "assuming:" : "assuming what always holds here (-v lists it)");
	print_list(&narrow);
	if (narrow.count && rest)
		printf("  and %zu that always hold%s here (-v lists %s)\n", rest, rest == 1 ? "s" : "", rest == 1 ? "it" : "them");
	list_release(&narrow);
}

static void print_background(const struct job *job)
{
	const struct statistics *s = &job->result.statistics;
	print_assumptions(job);
	char *figures = figures_line(s);
	say(figures, 2, COLOUR_NONE);
	free(figures);
	char *sharing = sharing_line(s);
	if (sharing)
		say(sharing, 2, COLOUR_NONE);
	free(sharing);
	char *ladder = ladder_line(job);
	if (ladder)
		say(ladder, 2, COLOUR_NONE);
	free(ladder);
	char *earlier = resume_line(job);
	if (*earlier)
		say(earlier, 2, COLOUR_NONE);
	free(earlier);
	if (job->result.cuts.count)
		printf("limits cut %.0f path%s:\n", job->result.paths_cut, job->result.paths_cut == 1 ? "" : "s");
	print_list(&job->result.cuts);
	for (int i = 0; i < REDUCTIONS; i++)
		if (s->saved[i] > 0) {
			char *line = text_counted(reductions[i].saved, s->saved[i]);
			say(line, 2, COLOUR_NONE);
			free(line);
		}
	if (s->rested > 0)
		printf("in %.0f state%s, reductions rested, as they had saved little; --reduction all keeps them on\n", s->rested,
		       s->rested == 1 ? "" : "s");
	print_plan(job);
	print_left_out(job);
}

/* Return what `verified` depends on beyond the assumptions of every check: claims of the user that nobody has checked. */
static char *condition(const struct options *o)
{
	char *names = text("%s", "");
	assert(o->masks.count == 0 || o->abstractions.count == 0);
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

/* Print a line for each formula that was checked. */
static void print_formulas(const struct job *job)
{
	for (size_t i = 0; job->program.formulas && i < job->program.formulas->count; i++) {
		const struct formula *f = &job->program.formulas->items[i];
		if (f->verdict == VERDICT_ERROR)
			continue; /* not reached */
		assert(f->verdict != VERDICT_INCONCLUSIVE || f->reason);
		char *why = f->vacuous                     ? text(" (vacuously: its premise %s never occurs)", f->vacuous) :
			f->verdict == VERDICT_INCONCLUSIVE ? text(" (%s)", f->reason) :
			f->needs_unfairness                ? text(" (along unfair schedules only: it holds under weak fairness)") :
							     text("%s", "");
		char *line = text("%s: %s%s", verdict_name(f->verdict), f->name, why);
		char *figures = text("    %.0f state%s, %.0f transition%s, %.2f s%s", f->statistics.states,
				     plural(f->statistics.states), f->statistics.transitions, plural(f->statistics.transitions),
				     f->statistics.search_seconds,
				     f->counts_steps ? ", without reductions: it may count steps" : "");
		say(line, 4, COLOUR_NONE);
		say(figures, 4, COLOUR_NONE);
		free(line);
		free(figures);
		free(why);
	}
}

/* Return " (vacuously: its premise ... never occurs)" if a formula holds only for that reason, and "" otherwise. */
static char *vacuity(const struct job *job)
{
	for (size_t i = 0; job->program.formulas && i < job->program.formulas->count; i++)
		if (job->program.formulas->items[i].vacuous)
			return text(" (vacuously: its premise %s never occurs)", job->program.formulas->items[i].vacuous);
	return text("%s", "");
}

static char *tso_model(const struct job *job)
{
	const json_t *drain = json_object_get(job->result.met, "drain_place");
	if (field_number(drain, "line") == 0)
		return text("%s", " for x86-TSO, without what compilers reorder");
	return text(
		" for x86-TSO, without what compilers reorder; no store waits beyond a call of the library or a copy of a block (%s:%lld)",
		from_here(field_text(drain, "file")), field_number(drain, "line"));
}

/* Return the memory model under which the program was verified if another could make a difference, and "" otherwise.  By the DRF
 * theorem none does to a program without races whose atomic accesses are all sequentially consistent. */
static char *memory_model(const struct job *job)
{
	const struct weaker_atomics *weaker = &job->program.weaker;
	if (job->inputs->options.memory == MEMORY_TSO)
		return tso_model(job);
	if (job->inputs->options.memory == MEMORY_C11 && job->program.staleness)
		return job->program.memory_narrowed ? text(" under C11's memory model (RC11; %s)", job->program.memory_narrowed) :
						      text("%s", " under C11's memory model (RC11)");
	if (weaker->count == 0)
		return text("%s", "");
	if (!weaker->file)
		return text(" under sequential consistency (%zu weaker atomic access%s; --memory c11 checks that)", weaker->count,
			    weaker->count == 1 ? "" : "es");
	return text(" under sequential consistency (%zu weaker atomic access%s at %s:%u; --memory c11 checks that)", weaker->count,
		    weaker->count == 1 ? "," : "es, first", from_here(weaker->file), weaker->line);
}

static char *verified_line(const struct job *job)
{
	char *under = condition(&job->inputs->options), *vacuous = vacuity(job), *model = memory_model(job),
	     *apart = apart_from(job);
	char *untried = untried_in_verdict(job);
	char *operations = operations_in_verdict(job);
	const char *word = operations_verdict(job) ? operations_verdict(job) : verdict_name(job->result.verdict);
	char *line = text("%s%s%s%s%s%s%s%s", word, model, *model && *untried ? "," : "", untried, vacuous, under, apart,
			  operations);
	free(operations);
	free(untried);
	free(model);
	free(vacuous);
	free(apart);
	free(under);
	return line;
}

static void print_notes(const struct job *job)
{
	struct list notes = { 0 };
	report_notes(job, &notes);
	for (size_t i = 0; i < notes.count; i++) {
		char *note = text("note: %s", notes.items[i]);
		say(note, 4, COLOUR_NONE);
		free(note);
	}
	list_release(&notes);
}

/* Could another memory order repair it: does an older value matter, or a race in a program with atomic accesses? */
static bool may_be_an_order(const struct job *job, const json_t *violation)
{
	const json_t *event;
	size_t i;
	if (job->program.natomics == 0 || job->inputs->options.memory == MEMORY_TSO)
		return false;
	json_array_foreach (json_object_get(violation, "trace"), i, event)
		if (json_is_true(json_object_get(event, "stale")))
			return true;
	return strcmp(field_text(violation, "kind"), "data-race") == 0;
}

/* Name the pages on what was found, each once, and the command that looks for orders. */
static void print_pages(const struct job *job)
{
	json_t *named = json_object(), *violation;
	bool orders = false;
	size_t i;
	json_array_foreach (job->result.violations, i, violation) {
		const char *kind = field_text(violation, "kind");
		if (json_object_get(named, kind))
			continue;
		char *line = text("bitspin explain %s: what this kind of violation is, and how to repair it", kind);
		say(line, 4, COLOUR_NONE);
		free(line);
		json_object_set_new(named, kind, json_true());
		orders = orders || may_be_an_order(job, violation);
	}
	if (orders)
		say("bitspin orders: which stronger memory orders would repair it, if any", 4, COLOUR_NONE);
	json_decref(named);
}

static void say_plain(const char *line)
{
	say(line, 4, COLOUR_NONE);
}

void report_print(const struct job *job)
{
	size_t i, last = json_array_size(job->result.violations);
	json_t *violation;
	json_array_foreach (job->result.violations, i, violation) {
		if (!job->inputs->options.quiet && !report_tells_lines(&job->inputs->options)) {
			operations_print(violation);
			story_print(violation, job->inputs->options.story_full);
			putchar('\n');
		}
		if (last > 1)
			print_violation(violation);
	}
	if (job->inputs->options.bounded && last && !job->inputs->options.quiet) {
		json_t *of = json_object_get(json_array_get(job->result.violations, last - 1), "preemptions");
		printf("with %lld preemption%s\n", (long long)json_integer_value(of), json_integer_value(of) == 1 ? "" : "s");
	}
	if (!job->inputs->options.quiet) {
		if (job->result.verdict != VERDICT_VIOLATED || job->inputs->options.verbose)
			print_background(job);
		print_suppressed(job);
		print_formulas(job);
		print_coverage(job, say_plain);
		print_notes(job);
		if (!report_tells_lines(&job->inputs->options))
			print_pages(job);
		if (!report_tells_lines(&job->inputs->options))
			advice_print(job, say_plain);
	}
	report_print_verdict(job);
}

static char *violated_line(const struct job *job)
{
	size_t count = json_array_size(job->result.violations);
	assert(count > 0);
	char *line = count > 1 ? count_line(job) : violation_line(json_array_get(job->result.violations, 0));
	if (!job->result.cut_short)
		return line;
	char *whole = text("%s; there may be more, as the search was cut: %s", line, job->result.cut_short);
	free(line);
	return whole;
}

char *report_last_line(const struct job *job)
{
	if (job->result.verdict == VERDICT_VIOLATED)
		return violated_line(job);
	return job->result.reason ? text("%s: %s", verdict_name(job->result.verdict), job->result.reason) : verified_line(job);
}

void report_print_verdict(const struct job *job)
{
	char *line = report_last_line(job);
	say(line, 4, job->result.verdict == VERDICT_VIOLATED ? COLOUR_RED : job->result.reason ? COLOUR_YELLOW : COLOUR_GREEN);
	free(line);
	flush_stdout();
}
