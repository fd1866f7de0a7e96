/* SPDX-License-Identifier: MIT
 *
 * The trace of a violation as a story for people: a line for what a thread does at a place, with the number of the step, a column
 * for each thread, the place, the function, the source, and what happens; then the stacks.  No line is wider than the terminal.
 */
#include "report.h"
#include "fold.h"
#include "screen.h"
#include "source.h"
#include "story.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
	NARROW = 60,     /* below, there is no room for columns */
	FUNCTIONS = 90,  /* from there on, there is for the names of functions */
	THREADS = 8,     /* columns for threads */
	SWITCHES = 8,    /* lines of what switches are needed for */
	STACKS = 20,     /* lines of stacks */
	PLACE = 24,      /* columns of a place at most */
	FUNCTION = 16,   /* ... of a function */
	LEAST_TEXT = 26, /* ... of what happens at least */
	LEAST_SOURCE = 12
};

struct layout {
	size_t width;
	size_t step, thread, place, function, source; /* columns of each, without the blanks between them */
	bool full;
	bool shown; /* the line before has the same step */
	long long last_step;
	struct lines lines;
	struct page page;
};

/* Return the statement of an event, clean and malloc'ed; "" if its file cannot be read.  `call`, unless NULL: the column in which
 * the event's call begins and the one in which it ends, from 0; both are 0 if it is no call. */
static char *source_of(const json_t *event, size_t call[2])
{
	size_t length = 0, from = 0, to = 0, at;
	const char *bytes = source_line_of(field_text(event, "file"), field_number(event, "line"), &length);
	if (bytes)
		source_statement(bytes, length, field_number(event, "column"), &from, &to);
	at = (size_t)field_number(event, "column");
	if (call && bytes && at > from + 1 && at <= to) {
		size_t end = at - 1, depth = 0;
		while (end < to && (isalnum((unsigned char)bytes[end]) || bytes[end] == '_'))
			end++;
		if (end < to && bytes[end] == '(') {
			do
				depth = bytes[end] == '(' ? depth + 1 : bytes[end] == ')' ? depth - 1 : depth;
			while (depth && ++end < to);
			call[0] = at - 1 - from;
			call[1] = end - from + 1;
		}
	}
	return clean(bytes ? bytes + from : "", to - from);
}

/* Return a statement in at most that many columns, malloc'ed.  A call that would be cut off takes the place of what is before it;
 * and of a call of pthreads, the arguments say more than the name. */
static char *shorter_source(char *source, size_t most, const size_t call[2])
{
	static const char prefix[] = "pthread_";
	bool hidden = columns(source) > most && call[1] + 3 > most && call[0] > 3 && call[1] <= strlen(source) &&
		memchr(source, '(', call[0]); /* else what is before it is what the result is for */
	char *from = source + (hidden ? call[0] : 0), *cut;
	size_t name = strcspn(from, "( ");
	if (columns(from) + (hidden ? 3 : 0) > most && from[name] == '(' && strncmp(from, prefix, strlen(prefix)) == 0) {
		while (name > 0 && from[name - 1] != '_')
			name--;
		hidden = true;
		from += name;
	}
	if (!hidden)
		return source;
	cut = text("...%s", from);
	free(source);
	return cut;
}

static char *place_of(const json_t *record)
{
	const char *file = base_name(field_text(record, "file"));
	char *name = clean(file, strlen(file)), *place;
	long long line = field_number(record, "line");
	size_t length = columns(name);
	if (line == 0)
		place = text("%s", "");
	else if (length > PLACE - 6)
		place = text("...%s:%lld", name + fitting(name, length - (PLACE - 9)), line);
	else
		place = text("%s:%lld", name, line);
	free(name);
	return place;
}

/* Put `words`, which are clean, into `most` columns.  Cut what is longer. */
static void put_cut(struct page *page, const char *words, size_t most)
{
	size_t end = page->column + most;
	if (columns(words) <= most) {
		page_put(page, words);
	} else if (most > 3) {
		char *cut = text("%.*s...", (int)fitting(words, most - 3), words);
		page_put(page, cut);
		free(cut);
	}
	page_to(page, end);
	assert(page->column == end);
}

static size_t wider(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- columns ------------------------------------------------------------------------------------------------------- */

/* Make each column of the layout `l` as wide as what stands in it, as far as there is room. */
static void measure(struct layout *l, const json_t *violation)
{
	const json_t *trace = json_object_get(violation, "trace"), *event;
	size_t i, source = 0, words = 0;
	long long steps = 1, threads = 0;
	json_array_foreach (trace, i, event) {
		char *place = place_of(event), *line = NULL;
		if (i < 2000) /* of a long story, the beginning will do */
			line = source_of(event, NULL);
		steps = field_number(event, "step") > steps ? field_number(event, "step") : steps;
		threads = field_number(event, "thread") > threads ? field_number(event, "thread") : threads;
		l->place = wider(l->place, columns(place));
		l->function = wider(l->function, columns(field_text(event, "function")));
		source = wider(source, line ? columns(line) : 0);
		words = wider(words, strlen(field_text(event, "detail")) + 8);
		free(line);
		free(place);
	}
	if (*field_text(violation, "trace_file")) { /* which nobody reads twice */
		l->place = PLACE - 4;
		l->function = FUNCTION - 4;
		source = 40;
		words = l->width;
		steps = 1000000;
		threads = (long long)json_array_size(json_object_get(violation, "threads"));
	}
	char digits[32];
	l->step = wider(4, (size_t)snprintf(digits, sizeof digits, "%lld", steps));
	l->thread = wider(6, threads < THREADS ? 2 * (size_t)threads + 1 : 4);
	l->place = least(l->place, PLACE);
	l->function = l->width < FUNCTIONS ? 0 : wider(least(l->function, FUNCTION), strlen("function"));
	size_t used = 1 + l->step + 1 + l->thread + 1 + l->place + 2 + (l->function ? l->function + 2 : 0);
	size_t room = l->width > used + 2 + LEAST_TEXT ? l->width - used - 2 : 0;
	words = wider(least(words, room), LEAST_TEXT);
	l->source = room > words ? room - words : 0;
	l->source = least(source, wider(l->source, room > LEAST_TEXT ? least(room * 9 / 20, room - LEAST_TEXT) : 0));
	if (l->source < LEAST_SOURCE && l->source < source)
		l->source = 0;
	assert(l->step >= 4 && l->thread > 0 && l->place <= PLACE);
}

static void print_wrapped(const char *words, size_t indent)
{
	struct page page = { 0 };
	char *shown = clean(words, strlen(words));
	page_wrap(&page, shown, indent, screen_width());
	page_end(&page);
	page_print(&page);
	free(shown);
}

/* Say of the first file of the trace that cannot be read that it is not quoted. */
static void say_missing(const json_t *violation)
{
	const json_t *trace = json_object_get(violation, "trace"), *event;
	const char *said = "";
	size_t i, length;
	json_array_foreach (trace, i, event) {
		const char *file = field_text(event, "file");
		if (!*file || strncmp(file, "--", 2) == 0 || strcmp(file, said) == 0 || source_line_of(file, 1, &length) || *said)
			continue;
		char *line = text("(%s cannot be read, so that it is not quoted)", file);
		print_wrapped(line, 1);
		free(line);
		said = file;
	}
}

static size_t text_column(const struct layout *l)
{
	return 1 + l->step + 1 + l->thread + 1 + l->place + 2 + (l->function ? l->function + 2 : 0) +
		(l->source ? l->source + 2 : 0);
}

static void put_thread(struct page *page, const struct layout *l, int thread)
{
	assert(thread >= 0);
	char number[24];
	size_t begin = page->column;
	snprintf(number, sizeof number, "%d", thread);
	if (l->thread > 4 || thread < 10)
		page_to(page,
			begin + (thread < THREADS && l->thread >= 2 * (size_t)thread + 1 ? 2 * (size_t)thread : l->thread - 3));
	page_colour(page, COLOUR_BOLD);
	page_put(page, number);
	page_colour(page, COLOUR_NONE);
	page_to(page, begin + l->thread);
}

static void put_words(struct page *page, const struct line *line, size_t indent, size_t width)
{
	assert(line->text);
	bool fault = line->event &&
		(strcmp(field_text(line->event, "action"), "fault") == 0 ||
		 strcmp(field_text(line->event, "action"), "blocked") == 0);
	if (fault || line->note)
		page_colour(page, fault ? COLOUR_RED : COLOUR_YELLOW);
	char *words = line->note ? text("%s  <-- %s", line->text, line->note) : text("%s", line->text);
	page_wrap(page, words, indent, width);
	free(words);
	if (fault || line->note)
		page_colour(page, COLOUR_NONE);
	page_end(page);
}

static void put_wide(struct page *page, const struct layout *l, const struct line *line, bool numbered)
{
	assert(text_column(l) < l->width);
	char *place = place_of(line->event), *source, number[32] = "";
	bool ours = field_is(line->event, "function", "_start"); /* what it does for main has no line of its own */
	if (numbered)
		snprintf(number, sizeof number, "%lld", line->step);
	page_put(page, line->kept || line->relevant ? ">" : " ");
	page_to(page, 1 + wider(l->step, strlen(number)) - strlen(number));
	page_colour(page, COLOUR_FAINT);
	page_put(page, number);
	page_colour(page, COLOUR_NONE);
	page_put(page, " ");
	put_thread(page, l, line->thread);
	page_put(page, " ");
	put_cut(page, place, l->place);
	page_put(page, "  ");
	if (l->function) {
		put_cut(page, ours ? "" : field_text(line->event, "function"), l->function);
		page_put(page, "  ");
	}
	if (l->source) {
		size_t call[2] = { 0 };
		source = ours ? text("%s", "") : source_of(line->event, call);
		source = shorter_source(source, l->source, call);
		put_cut(page, source, l->source);
		page_put(page, "  ");
		free(source);
	}
	put_words(page, line, text_column(l), l->width);
	free(place);
}

static void put_narrow(struct page *page, const struct layout *l, const struct line *line)
{
	char *place = place_of(line->event);
	char *head = text("%s%lld: thread %d %s", line->kept || line->relevant ? ">" : "", line->step, line->thread, place);
	page_colour(page, COLOUR_BOLD);
	page_wrap(page, head, 0, l->width);
	page_colour(page, COLOUR_NONE);
	page_end(page);
	page_to(page, 2);
	put_words(page, line, 2, l->width);
	free(head);
	free(place);
}

static void put_line(struct page *page, const struct layout *l, const struct line *line, bool numbered)
{
	assert(page->column == 0 && (line->kind != LINE_STEP || line->event));
	size_t indent = l->width < NARROW ? 2 : 1 + l->step + 1;
	switch (line->kind) {
	case LINE_STEP:
		if (l->width < NARROW)
			put_narrow(page, l, line);
		else
			put_wide(page, l, line, numbered);
		return;
	case LINE_OUTPUT:
		page_to(page, indent);
		page_put(page, "| ");
		page_wrap(page, line->text, indent + 2, l->width);
		break;
	case LINE_MARK:
	case LINE_FOLDED:
		page_colour(page, COLOUR_FAINT);
		page_to(page, line->kind == LINE_MARK ? 0 : indent);
		if (line->kind == LINE_MARK) {
			char *words = text(l->width < NARROW ? "%s" : "---- %s ----", line->text);
			page_wrap(page, words, 0, l->width);
			free(words);
		} else {
			page_wrap(page, line->text, indent, l->width);
		}
		page_colour(page, COLOUR_NONE);
		break;
	}
	page_end(page);
}

static void put_header(struct page *page, const struct layout *l)
{
	if (l->width < NARROW)
		return;
	page_colour(page, COLOUR_FAINT);
	page_to(page, 1 + l->step - 4);
	page_put(page, "step thread");
	page_to(page, 1 + l->step + 1 + l->thread + 1);
	page_put(page, "place");
	page_to(page, 1 + l->step + 1 + l->thread + 1 + l->place + 2);
	if (l->function)
		page_put(page, "function");
	page_to(page, text_column(l) - (l->source ? l->source + 2 : 0));
	if (l->source)
		page_put(page, "source");
	page_to(page, text_column(l));
	page_put(page, "what happens");
	page_colour(page, COLOUR_NONE);
	page_end(page);
}

/* Take `line`: in a full story, print it at once.  Otherwise keep it, as lines that come after it decide whether it is folded. */
static void take(void *context, struct line *line)
{
	struct layout *l = context;
	if (l->full) {
		put_line(&l->page, l, line, line->step != l->last_step);
		if (line->kind == LINE_STEP)
			l->last_step = line->step;
		page_print(&l->page);
		line_release(line);
		return;
	}
	struct page page = { 0 };
	put_line(&page, l, line, true);
	line->height = page.lines;
	free(page.bytes);
	*lines_add(&l->lines, line->kind) = *line;
}

static void print_lines(struct layout *l)
{
	unmark(&l->lines);
	fold(&l->lines, STORY_MOST);
	for (size_t i = 0; i < l->lines.count; i++) {
		const struct line *line = &l->lines.items[i];
		put_line(&l->page, l, line, line->step != l->last_step);
		if (line->kind == LINE_STEP)
			l->last_step = line->step;
	}
	page_print(&l->page);
}

/* ---- after the lines ----------------------------------------------------------------------------------------------- */

/* Print the threads that the loop of a lasso leaves out. */
static void print_starving(const json_t *violation)
{
	const json_t *thread;
	size_t i;
	json_array_foreach (json_object_get(violation, "starving"), i, thread) {
		char *words = text("meanwhile thread %lld, at %s:%lld, %s", field_number(thread, "thread"),
				   base_name(field_text(thread, "file")), field_number(thread, "line"),
				   field_text(thread, "waits"));
		print_wrapped(words, 4);
		free(words);
	}
}

/* Print why threads wait for ever. */
static void print_causes(const json_t *violation)
{
	const json_t *cause;
	size_t i;
	json_array_foreach (json_object_get(violation, "causes"), i, cause)
		print_wrapped(field_text(cause, "text"), 4);
}

/* Print what the preemptions are for.  Another thread might do as well. */
static void print_switches(const json_t *violation, bool full)
{
	const json_t *preemption, *switches = json_object_get(violation, "switches");
	struct page page = { 0 };
	size_t i;
	json_array_foreach (switches, i, preemption) {
		bool enough = !full && page.lines >= SWITCHES;
		char *line = enough ? text("... and %zu more switches", json_array_size(switches) - i) :
				      text("in this schedule, %s", field_text(preemption, "text"));
		page_wrap(&page, line, 4, screen_width());
		page_end(&page);
		free(line);
		if (enough)
			break;
	}
	page_print(&page);
	const char *needs = field_text(json_object_get(violation, "schedule"), "text");
	if (*needs)
		print_wrapped(needs, 4);
}

/* Return a stack as "transfer deadlock.c:34, called by work deadlock.c:43", innermost first. */
static char *stack_words(const json_t *stack)
{
	char *all = text("%s", "");
	const json_t *frame;
	size_t i, count = json_array_size(stack), omitted = 0;
	json_array_foreach (stack, i, frame)
		omitted += field_number(frame, "omitted") ? (size_t)field_number(frame, "omitted") - 1 : 0;
	json_array_foreach (stack, i, frame) {
		if (strcmp(field_text(frame, "function"), "_start") == 0)
			continue;
		char *place = place_of(frame);
		char *more = count > 9 && i == 6 ?
			text("%s, called by %zu more", all, count - 8 + omitted) :
			count > 9 && i > 6 && i + 2 < count ?
			text("%s", all) :
			text("%s%s%s (%s)", all, *all ? ", called by " : "", field_text(frame, "function"), place);
		free(place);
		free(all);
		all = more;
	}
	return all;
}

/* Print where each thread is. */
static void print_stacks(const json_t *violation, bool full)
{
	const json_t *thread, *threads = json_object_get(violation, "threads"), *other = json_object_get(violation, "other");
	struct page page = { 0 };
	size_t i, width = screen_width();
	if (other && json_array_size(json_object_get(other, "stack"))) {
		char *words = stack_words(json_object_get(other, "stack"));
		char *line = text("the first access, by thread %lld: %s", field_number(other, "thread"), words);
		page_to(&page, 2);
		page_wrap(&page, line, 4, width);
		page_end(&page);
		free(line);
		free(words);
	}
	json_array_foreach (threads, i, thread) {
		if (!full && page.lines > STACKS) {
			char *rest = text("... %zu more threads", json_array_size(threads) - i);
			page_to(&page, 2);
			page_wrap(&page, rest, 4, width);
			page_end(&page);
			free(rest);
			break;
		}
		char *words = stack_words(json_object_get(thread, "stack")), *waits;
		const char *what = field_text(thread, "waits");
		waits = clean(what, strlen(what));
		char *line = text("thread %lld: %s%s%s", field_number(thread, "thread"),
				  *words                                          ? words :
					  !field_is(thread, "function", "_start") ? field_text(thread, "function") :
										    "outside of main",
				  *waits ? "; " : "", waits);
		page_to(&page, 2);
		page_wrap(&page, line, 4, width);
		page_end(&page);
		free(line);
		free(waits);
		free(words);
	}
	if (page.lines) {
		struct page head = { 0 };
		page_colour(&head, COLOUR_BOLD);
		page_put(&head, "stacks:");
		page_colour(&head, COLOUR_NONE);
		page_end(&head);
		page_print(&head);
	}
	page_print(&page);
}

/* Print which inputs lead along the path. */
static void print_inputs(const json_t *violation, bool full)
{
	json_t *inputs = inputs_of(violation);
	const json_t *input;
	size_t i, count = json_array_size(inputs), shown = full || count <= STACKS ? count : STACKS - 1;
	if (count)
		puts(json_object_get(violation, "inputs_may_be_smaller") ?
			     "inputs (smaller ones may do, too: to look for them asks too much of the solver, see --solver-budget):" :
			     "inputs:");
	json_array_foreach (inputs, i, input) {
		char *words = input_words(input);
		if (i < shown)
			printf("  %s\n", words);
		free(words);
	}
	if (shown < count)
		printf("  ... %zu more\n", count - shown);
	json_decref(inputs);
}

/* Are some lines marked and others not? */
static bool has_marks(const struct lines *lines)
{
	size_t marked = 0;
	for (size_t i = 0; i < lines->count; i++)
		marked += lines->items[i].kept || lines->items[i].relevant;
	return marked && marked < lines->count;
}

/* Print what the marks of a short story mean, and what is not in it. */
static void explain_short(const struct lines *lines, size_t reads, bool folded)
{
	if (has_marks(lines))
		print_wrapped("(> marks what the failure depends on)", 1);
	if (!reads && !folded)
		return;
	char *left = reads ? text("%zu read%s of what no other thread writes %s left out", reads, reads == 1 ? "" : "s",
				  reads == 1 ? "is" : "are") :
			     text("some lines are folded");
	char *line = text("(%s; --story full shows all)", left);
	print_wrapped(line, 1);
	free(line);
	free(left);
}

void story_print(const json_t *violation, bool full)
{
	struct layout l = { .width = screen_width(), .full = full, .last_step = -1 };
	size_t all = json_array_size(json_object_get(violation, "trace"));
	l.lines.width = l.width;
	measure(&l, violation);
	if (all || *field_text(violation, "trace_file"))
		put_header(&l.page, &l);
	page_print(&l.page);
	size_t reads = story_lines(violation, full, take, &l), before = l.lines.count;
	if (!full)
		print_lines(&l);
	explain_short(&l.lines, reads, before > l.lines.count);
	lines_release(&l.lines);
	say_missing(violation);
	print_starving(violation);
	print_causes(violation);
	print_switches(violation, full);
	print_inputs(violation, full);
	print_stacks(violation, full);
}
