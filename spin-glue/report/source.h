/* SPDX-License-Identifier: MIT
 *
 * The checked program's source, as it is when the result is written.  A file may have gone, or may not be UTF-8.
 */
#ifndef BITSPIN_SOURCE_H
#define BITSPIN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* Return a line, counted from 1, and its length; NULL if the file cannot be read or has no such line. */
const char *source_line_of(const char *file, long long line, size_t *length);

/* Return a line without the blanks around it, and with one blank for several, malloc'ed; NULL if source_line_of() returns NULL. */
char *source_words(const char *file, long long line);

/* Return the part [*from, *to) of a line that is the statement at a column, which counts from 1; of a line with one statement, all
 * but the blanks around it. */
void source_statement(const char *bytes, size_t length, long long column, size_t *from, size_t *to);

/* Return how many lines before this one have the same words. */
unsigned source_same_before(const char *file, long long line);

/* Convert a column, which compilers count in bytes, to characters; in a line that is not UTF-8, each byte is a character.  0:
 * unknown. */
long long source_character(const char *file, long long line, long long column);

/* Return bytes as UTF-8, malloc'ed, with question marks for what is none. */
char *source_as_utf8(const char *bytes, size_t length);

/* Return how many bytes the first character of a text takes; 0 if it is not UTF-8. */
size_t source_utf8_length(const char *bytes, size_t length);

#endif
