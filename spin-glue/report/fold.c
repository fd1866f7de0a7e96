/* SPDX-License-Identifier: MIT
 *
 * See fold.h.
 */
#include "fold.h"
#include "../base/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	FEW = 12,       /* lines before the first thread that are all shown */
	LONGEST = 16,   /* lines in the body of a loop */
	RUN = 30,       /* lines of a thread without a switch that are all shown */
	EDGE = 4,       /* lines that are shown at either end of what is folded */
	BEGINNING = 12, /* lines at the beginning that are shown in any case */
	END = 6,        /* lines at the end that no fold may touch */
};

struct line *lines_add(struct lines *lines, enum line_kind kind)
{
	if (lines->count == lines->capacity) {
		lines->capacity = lines->capacity ? 2 * lines->capacity : 64;
		lines->items = realloc(lines->items, lines->capacity * sizeof *lines->items);
		if (!lines->items)
			BUG("out of memory");
	}
	struct line *line = &lines->items[lines->count++];
	*line = (struct line){ .kind = kind, .thread = -1, .height = 1 };
	return line;
}

void line_release(struct line *line)
{
	json_decref(line->event);
	free(line->text);
	free(line->actions);
}

void lines_release(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		line_release(&lines->items[i]);
	free(lines->items);
	*lines = (struct lines){ 0 };
}

/* Return a line with `words`, in place of the lines from `from` to `to`. */
static struct line folded_line(const struct lines *lines, char *words, const struct line *from, const struct line *to)
{
	struct line line = {
		.kind = LINE_FOLDED, .text = words, .thread = -1, .step = from->step, .first = from->first, .last = to->last
	};
	size_t room = lines->width > 16 ? lines->width - 8 : 8;
	line.height = strlen(words) / room + 1;
	return line;
}

/* Put one line with `words` in the place of lines [from, to).  Return how many lines fewer there are. */
static size_t replace(struct lines *lines, size_t from, size_t to, char *words)
{
	assert(from < to && to <= lines->count);
	struct line folded = folded_line(lines, words, &lines->items[from], &lines->items[to - 1]);
	for (size_t i = from; i < to; i++)
		line_release(&lines->items[i]);
	lines->items[from] = folded;
	memmove(lines->items + from + 1, lines->items + to, (lines->count - to) * sizeof *lines->items);
	lines->count -= to - from - 1;
	return to - from - 1;
}

static const char *function_of(const struct line *line)
{
	const char *name = line->event ? json_string_value(json_object_get(line->event, "function")) : NULL;
	return name ? name : "";
}

/* Return the functions in which the lines are, as " in main(), read_options() and others"; malloc'ed. */
static char *functions(const struct line *line, size_t count)
{
	const char *names[4] = { 0 };
	size_t n = 0;
	bool more = false;
	for (size_t i = 0; i < count; i++) {
		const char *name = function_of(&line[i]);
		size_t k = 0;
		while (k < n && strcmp(names[k], name) != 0)
			k++;
		if (k < n || !*name)
			continue;
		if (n == 3)
			more = true;
		else
			names[n++] = name;
	}
	char *all = text("%s", "");
	for (size_t k = 0; k < n; k++) {
		char *longer = text("%s%s%.40s()", all, k ? ", " : " in ", names[k]);
		free(all);
		all = longer;
	}
	if (!more)
		return all;
	char *longer = text("%s and others", all);
	free(all);
	return longer;
}

static bool may_fold(const struct line *line)
{
	return !line->kept && !line->relevant && line->kind != LINE_MARK && line->kind != LINE_FOLDED;
}

static size_t steps_in(const struct line *line, size_t count)
{
	size_t steps = 0;
	for (size_t i = 0; i < count; i++)
		steps += line[i].kind == LINE_STEP;
	return steps;
}

/* Fold those of lines [from, to) that may be folded, where at least three follow one another.  `who` is as " of thread 1", for
 * the text. */
static void fold_range(struct lines *lines, size_t from, size_t to, const char *who)
{
	assert(from <= to && to <= lines->count);
	for (size_t i = from; i < to; i++) {
		size_t end = i;
		while (end < to && may_fold(&lines->items[end]))
			end++;
		if (end - i < 3) {
			i = end;
			continue;
		}
		char *where = functions(lines->items + i, end - i);
		size_t steps = steps_in(lines->items + i, end - i);
		size_t fewer = replace(lines, i, end, text("... %zu line%s%s%s", steps, steps == 1 ? "" : "s", who, where));
		free(where);
		to -= fewer;
	}
}

/* ---- marks --------------------------------------------------------------------------------------------------------- */

/* Take marks away.  Of lines that are as far, those nearest to the end keep theirs. */
void unmark(struct lines *lines)
{
	enum { SHORT = 15, PART = 3 };
	size_t told = 0, marked = 0;
	for (size_t i = 0; i < lines->count; i++) {
		told += lines->items[i].kind == LINE_STEP;
		marked += lines->items[i].kept || lines->items[i].relevant;
	}
	while (told > SHORT && marked > told / PART) {
		struct line *farthest = NULL;
		for (size_t i = lines->count; i-- > 0;) {
			struct line *line = &lines->items[i];
			if (line->relevant && !line->kept && !line->note && (!farthest || line->distance >= farthest->distance))
				farthest = line;
		}
		if (!farthest)
			return;
		farthest->relevant = false;
		marked--;
	}
}

/* ---- what is folded ------------------------------------------------------------------------------------------------ */

static void fold_beginning(struct lines *lines)
{
	size_t first = 0;
	while (first < lines->count && !(lines->items[first].actions && strstr(lines->items[first].actions, "create")))
		first++;
	if (first < lines->count && first > FEW)
		fold_range(lines, 1, first - 2, " of thread 0, before there are other threads,");
}

static bool same_place(const struct line *a, const struct line *b)
{
	const json_t *e = a->event, *f = b->event;
	return a->kind == b->kind && a->kind == LINE_STEP && a->thread == b->thread && !a->kept && !b->kept &&
		strcmp(a->actions, b->actions) == 0 && json_equal(json_object_get(e, "line"), json_object_get(f, "line")) &&
		json_equal(json_object_get(e, "file"), json_object_get(f, "file"));
}

/* Return how many times lines [i, i + period) are there, one after the other.  Set *equal if the same happens each time. */
static size_t rounds(const struct lines *lines, size_t i, size_t period, bool *equal)
{
	assert(period > 0 && i < lines->count);
	size_t n = 1, end = lines->count - (lines->count < END ? lines->count : END);
	*equal = true;
	for (;; n++)
		for (size_t k = 0; k < period; k++) {
			size_t next = i + n * period + k;
			if (next >= end || !same_place(&lines->items[i + k], &lines->items[next]))
				return n;
			*equal = *equal && strcmp(lines->items[i + k].text, lines->items[next].text) == 0;
		}
}

/* Make one line of lines that say the same, one after the other: a thread that waits in a loop. */
static void merge_equal(struct lines *lines)
{
	size_t to = 0;
	for (size_t i = 0, n; i < lines->count; i += n) {
		struct line *line = &lines->items[i];
		n = 1;
		while (i + n < lines->count && same_place(line, &lines->items[i + n]) &&
		       strcmp(line->text, lines->items[i + n].text) == 0) {
			line->relevant = line->relevant || lines->items[i + n].relevant;
			line->last = lines->items[i + n].last;
			line_release(&lines->items[i + n++]);
		}
		if (n > 1) {
			char *longer = text("%s, %zu times", line->text, n);
			free(line->text);
			line->text = longer;
		}
		lines->items[to++] = *line;
	}
	lines->count = to;
}

static void fold_rounds(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		for (size_t period = 1; period <= LONGEST; period++) {
			bool equal;
			size_t n = rounds(lines, i, period, &equal);
			if (n < 3 || (n - 1) * period < 3)
				continue;
			char *what = period == 1 ? text("the line above") : text("the %zu lines above", period);
			char *words = text("... %s, %zu times more%s", what, n - 1, equal ? "" : ", with other values");
			replace(lines, i + period, i + n * period, words);
			free(what);
			i += period;
			break;
		}
}

static void fold_runs(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		size_t end = i;
		while (end < lines->count && (lines->items[end].thread == lines->items[i].thread || lines->items[end].thread < 0))
			end++;
		size_t before = lines->count;
		char *who = text(" of thread %d", lines->items[i].thread);
		if (end - i > RUN && lines->items[i].thread >= 0)
			fold_range(lines, i + EDGE, end - (end == lines->count ? 3 * EDGE : EDGE), who);
		free(who);
		end -= before - lines->count;
		assert(end <= lines->count);
		i = end > i ? end - 1 : i;
	}
}

/* ---- a page -------------------------------------------------------------------------------------------------------- */

static size_t height_of(const struct lines *lines)
{
	size_t sum = 0;
	for (size_t i = 0; i < lines->count; i++)
		sum += lines->items[i].height;
	return sum;
}

/* Choose the lines to show: those that the report refers to, some of the beginning, and as much of the end as there is room for. */
static void choose(const struct lines *lines, bool *shown, size_t most)
{
	size_t used = 0, n = lines->count;
	for (int relevant = 0; relevant < 2; relevant++) /* no more than half a page; 2: what is folded around it */
		for (size_t i = n; i-- > 0;) {
			bool wanted = relevant ? lines->items[i].relevant : lines->items[i].kept;
			if (!wanted || shown[i] || used + lines->items[i].height + 2 > most / 2)
				continue;
			shown[i] = true;
			used += lines->items[i].height + 2;
		}
	for (size_t i = 0; i < n && i < BEGINNING && used + lines->items[i].height + 2 <= most * 2 / 3; i++)
		if (!shown[i]) {
			shown[i] = true;
			used += lines->items[i].height;
		}
	for (size_t i = n; i-- > 0 && used + lines->items[i].height + 4 <= most;)
		if (!shown[i]) {
			shown[i] = true;
			used += lines->items[i].height;
		}
}

static void fold_rest(struct lines *lines, size_t most)
{
	bool *shown = calloc(lines->count + 1, sizeof *shown);
	size_t to = 0;
	if (!shown)
		BUG("out of memory");
	choose(lines, shown, most);
	for (size_t i = 0; i < lines->count;) {
		size_t end = i;
		while (end < lines->count && !shown[end])
			end++;
		if (end == i) {
			lines->items[to++] = lines->items[i++];
			continue;
		}
		char *where = functions(lines->items + i, end - i);
		char *words = text("... %zu line%s%s", end - i, end - i == 1 ? "" : "s", where);
		struct line folded = folded_line(lines, words, &lines->items[i], &lines->items[end - 1]);
		free(where);
		for (size_t k = i; k < end; k++)
			line_release(&lines->items[k]);
		lines->items[to++] = folded;
		i = end;
	}
	assert(to <= lines->count);
	lines->count = to;
	free(shown);
}

void fold(struct lines *lines, size_t most)
{
	fold_beginning(lines);
	merge_equal(lines);
	fold_rounds(lines);
	fold_runs(lines);
	if (height_of(lines) > most)
		fold_rest(lines, most);
}
