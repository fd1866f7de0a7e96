/* SPDX-License-Identifier: MIT
 *
 * The result, for people and as JSON.
 */
#ifndef BITSPIN_REPORT_H
#define BITSPIN_REPORT_H

#include "../program/program.h"
#include "screen.h"

/* report.c */
void report_print(const struct job *job);
void report_print_verdict(const struct job *job); /* the last line of a report */
char *report_last_line(const struct job *job);    /* ... as it is in all forms; malloc'ed */

/* untried.c: what should be known of a verdict, a line each; " for one clock (x.c:3)", or "", of what an outcome depends on; each
 * such thing, as in the JSON report; functions and, under --coverage, lines that never ran: as JSON (NULL: not known), and said. */
void report_notes(const struct job *job, struct list *notes);
char *untried_in_verdict(const struct job *job);
json_t *untried_rows(const struct job *job);
json_t *coverage_of_program(const struct job *job);
void print_coverage(const struct job *job, void (*say)(const char *line));

/* suppressed.c: what was not reported, for people and as JSON; ", apart from N suppressed faults" or ""; and, of what was, "2
 * data-race, 1 assertion". */
void print_suppressed(const struct job *job);
json_t *suppressions_json(const struct job *job);
char *apart_from(const struct job *job);
char *count_by_kind(const struct job *job);

/* json.c */
json_t *report_json(const struct job *job);
json_t *strings_json(const struct list *list);
void write_json(json_t *json, const char *path); /* for --json; "-": standard output; `json` is released */

/* output.c: the files and lines that the user asks for (output.def), and what pan has left in the work directory for --trace and
 * --output, under these names.  Is standard output one of them, or do lines take the place of the story? */
void report_write(const struct job *job);
bool report_takes_stdout(const struct options *options);
bool report_tells_lines(const struct options *options);

/* picture.c: --graph of the state space, and --plot of the bounds.  What cannot be drawn is taken out of the options, and said on
 * standard error.  When the report has been printed: draw. */
void pictures_check(struct options *options);
void graph_write(const struct job *job, const json_t *space);
void plot_write(const struct job *job);

/* story.c: the trace of a violation, and where its threads are; `full`: each step of it */
void story_print(const json_t *violation, bool full);

#endif
