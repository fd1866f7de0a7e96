/* SPDX-License-Identifier: MIT
 *
 * The writers of output.def, and what they share.
 */
#ifndef BITSPIN_OUTPUT_H
#define BITSPIN_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Write the report in a form.  Return NULL; or write nothing and return why this report has no such form, malloc'ed. */
struct job;
typedef char *output_writer(const struct job *job, const json_t *report, FILE *out);
output_writer json_write, html_write, sarif_write, junit_write, witness_write;

/* Write lines for what is in the report: to standard error if standard output is `taken` by something else. */
typedef void lines_writer(const json_t *report, bool taken);
lines_writer gnu_write, github_write;

/* Return the verdict of a report in one line, and with "verified" what that depends on. */
const char *verdict_words(const json_t *report);

/* A row of violation.def. */
struct kind_row {
	const char *name, *meaning, *advice;
};
extern const struct kind_row kind_rows[];
extern const size_t kind_count;

/* fingerprint.c: return a hash of what was found that is the same after changes elsewhere in the program, and for another
 * schedule. */
char *fingerprint(const json_t *violation);

/* Return what an event of a story says, malloc'ed. */
char *event_words(const json_t *event);

/* Is the frame one of bitspin's own, which has no place in the program? */
bool frame_is_ours(const json_t *frame);

#endif
