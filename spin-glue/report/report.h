/* SPDX-License-Identifier: MIT
 *
 * The result, for people and as JSON.
 */
#ifndef BITSPIN_REPORT_H
#define BITSPIN_REPORT_H

#include <jansson.h>
#include <stdbool.h>

struct job;
struct list;
struct options;

/* report.c: print the report, or only its last line. */
void report_print(const struct job *job);
void report_print_verdict(const struct job *job);
/* Return the last line, which is the same in all forms of the report, malloc'ed. */
char *report_last_line(const struct job *job);

/* untried.c: list what should be known of a verdict, a line each. */
void report_notes(const struct job *job, struct list *notes);
/* Say for the verdict on what of the world an outcome depends, as in " for one clock (x.c:3)", or "". */
char *untried_in_verdict(const struct job *job);
/* Return all that was not tried, for the JSON report. */
json_t *untried_rows(const struct job *job);
/* Return which functions and, under --coverage, which lines never ran, for the JSON report (NULL: not known); say it line by
 * line. */
json_t *coverage_of_program(const struct job *job);
void print_coverage(const struct job *job, void (*say)(const char *line));
/* Return `numbers`, an array in any order and perhaps with some twice, as ranges: "1, 3-5"; malloc'ed. */
char *ranges_text(const json_t *numbers);

/* suppressed.c: print what was not reported; return it for the JSON report. */
void print_suppressed(const struct job *job);
json_t *suppressions_json(const struct job *job);
/* Return ", apart from N suppressed faults", or "". */
char *apart_from(const struct job *job);
/* Count what was reported, as in "2 data-race, 1 assertion". */
char *count_by_kind(const struct job *job);

/* operations.c: print the operations of a violation of linearizability as bars over time, and in words.  Return what the verdict
 * says of operations, as in ": 2 threads, ...", or "". */
void operations_print(const json_t *violation);
char *operations_in_verdict(const struct job *job);
/* Where a violation of linearizability is in a line of the harness, let it be in the line of the user's that the operation has come
 * to, if there is one. */
void operations_place(const struct job *job);
/* Return what an object is that is verified, as "linearizable"; NULL if it is not about operations. */
const char *operations_verdict(const struct job *job);

/* advice.c: what to do next where the verdict is inconclusive: print it, or return it for the JSON report. */
json_t *advice_json(const struct job *job);
void advice_print(const struct job *job, void (*say)(const char *line));

/* Numbers in a report are measures or estimates, of which eight digits are more than enough. */
#define JSON_DIGITS JSON_REAL_PRECISION(8)

/* json.c */
json_t *report_json(const struct job *job);
/* Write JSON for --json to a file, or to standard output ("-"), and release `json`. */
void write_json(json_t *json, const char *path);

/* output.c: write the files and lines for which the user asks (output.def), and what pan has left in the work directory for --trace
 * and --output. */
void report_write(const struct job *job);
/* Does one of these go to standard output?  report_tells_lines: do lines take the place of the story? */
bool report_takes_stdout(const struct options *options);
bool report_tells_lines(const struct options *options);

/* picture.c: take out of the options what --graph (the state space) and --plot (the bounds) cannot draw, and say so on standard
 * error; draw, after the report has been printed. */
void pictures_check(struct options *options);
void graph_write(const struct job *job, const json_t *space);
void plot_write(const struct job *job);

/* story.c: print the trace of a violation, with each step if `full`, and where its threads are. */
void story_print(const json_t *violation, bool full);

#endif
