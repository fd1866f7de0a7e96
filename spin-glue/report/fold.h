/* SPDX-License-Identifier: MIT
 *
 * The lines of a story, and which of them are shown.
 */
#ifndef BITSPIN_FOLD_H
#define BITSPIN_FOLD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum line_kind {
	LINE_STEP,   /* what a thread does at one place */
	LINE_OUTPUT, /* what the program prints */
	LINE_MARK,   /* text across the page: the loop of a lasso begins, events are missing */
	LINE_FOLDED, /* in place of lines: text */
};

struct line {
	enum line_kind kind;
	json_t *event;      /* the first event of the line, which owns it */
	size_t first, last; /* numbers of the events in the trace that the line is about */
	char *text;         /* what happens */
	char *actions;      /* the names of what happens: lines with the same names at the same place are rounds of a loop */
	const char *note;   /* why the line matters; NULL: nothing special.  A string, or text of the event */
	size_t height;      /* lines on the page; 0: the line is not shown */
	long long step;
	int thread;
	bool relevant;      /* the violation depends on the line: folded only as a round of a loop, or if there is no room */
	long long distance; /* of a relevant line: how many dependences lie between it and the violation */
	bool kept;          /* the report refers to the line: folded only if there is no room */
};

struct lines {
	struct line *items;
	size_t count, capacity;
	size_t width; /* columns of the page */
	size_t reads; /* lines that were left out because they only read what no other thread writes */
};

struct line *lines_add(struct lines *lines, enum line_kind kind);
void lines_release(struct lines *lines);
void line_release(struct line *line); /* release what the line owns */

/* Leave at most a third of the lines marked as relevant, where there are many: those that are nearest to the violation. */
void unmark(struct lines *lines);

#define STORY_MOST 110 /* lines of a story: the rest of 200 is for stacks, assumptions and figures */

/* Put one line in the place of what the program does before it has threads, of rounds of loops, and of long runs of one thread; and
 * then of what is too much for a page of `most` lines.  Lines that are kept, and the end, are not folded. */
void fold(struct lines *lines, size_t most);

#endif
