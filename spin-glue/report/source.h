/* SPDX-License-Identifier: MIT
 *
 * The checked program's source, as it is when the result is written.  It may have gone, or may not be UTF-8.
 */
#ifndef BITSPIN_SOURCE_H
#define BITSPIN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* A line, counted from 1, and its length; NULL if the file cannot be read or has no such line. */
const char *source_line_of(const char *file, long long line, size_t *length);

/* The line without the blanks around it, and with one for several, malloc'ed; NULL as above. */
char *source_words(const char *file, long long line);

/* How many lines before this one have the same words. */
unsigned source_same_before(const char *file, long long line);

/* A column as compilers count, in bytes, as readers do, in characters; in a line that is not UTF-8 a byte is one.  0: unknown. */
long long source_character(const char *file, long long line, long long column);

/* Bytes as UTF-8, malloc'ed: what is not is a question mark. */
char *source_as_utf8(const char *bytes, size_t length);

/* How many bytes the first character of a text takes, 0 if it is not UTF-8. */
size_t source_utf8_length(const char *bytes, size_t length);

#endif
