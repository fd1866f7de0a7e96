/* SPDX-License-Identifier: MIT
 *
 * The writers of output.def, and what they share.
 */
#ifndef BITSPIN_OUTPUT_H
#define BITSPIN_OUTPUT_H

#include "../base/base.h"

#include <jansson.h>

/* Write the report; NULL, or, malloc'ed, why this report cannot be written in this form, which writes nothing. */
struct job;
typedef char *output_writer(const struct job *job, const json_t *report, FILE *out);
output_writer json_write, html_write, sarif_write, junit_write, witness_write;

/* Write the lines.  taken: standard output has another content, so that they go to standard error. */
typedef void lines_writer(const json_t *report, bool taken);
lines_writer gnu_write, github_write;

/* A row of violation.def. */
struct kind_row {
	const char *name, *meaning, *advice;
};
extern const struct kind_row kind_rows[];
extern const size_t kind_count;

/* fingerprint.c: the identity of what was found: the same after changes elsewhere in the program, and by another schedule. */
char *fingerprint(const json_t *violation);

/* What an event of a story says, malloc'ed. */
char *event_words(const json_t *event);

/* A frame of ours, which has no place in the program. */
bool frame_is_ours(const json_t *frame);

#endif
