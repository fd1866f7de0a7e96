/* SPDX-License-Identifier: MIT
 *
 * Text for a terminal.
 */
#ifndef BITSPIN_SCREEN_H
#define BITSPIN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* Return the columns of the terminal, or what COLUMNS says, 20 at least; 100 where there is no terminal.  screen_wraps: are long
 * lines to be broken?  Not in a file, which programs may read line by line. */
unsigned screen_width(void);
bool screen_wraps(void);

/* Colours.  colour() returns the escape sequence of one, or "", as --color, NO_COLOR and the terminal demand. */
enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_FAINT };
enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
const char *colour(enum colour colour);
void colour_choose(unsigned when);

/* Return text of the program *clean*, malloc'ed: on one line, without control characters, and in UTF-8; print it so. */
char *clean(const char *bytes, size_t length);
void print_plain(const char *bytes, size_t length);

/* Return how many columns a clean text takes; how many bytes of it fit into `most` columns. */
size_t columns(const char *text);
size_t fitting(const char *text, size_t most);

/* A page: lines that are being written. */
struct page {
	char *bytes;
	size_t length, capacity;
	size_t column; /* of the last line */
	size_t lines;  /* how many are complete */
};

void page_bytes(struct page *page, const char *bytes, size_t length); /* add bytes that take no column */
void page_put(struct page *page, const char *text);                   /* add clean text */
void page_colour(struct page *page, enum colour colour);
void page_to(struct page *page, size_t column); /* add blanks up to a column */
void page_end(struct page *page);               /* end the line */
void page_print(struct page *page);             /* print the page on standard output, and empty it */

/* Add a text to the line, broken between words where it reaches `width`; further lines begin at `indent`. */
void page_wrap(struct page *page, const char *text, size_t indent, size_t width);

#endif
