/* SPDX-License-Identifier: MIT
 *
 * Text for a terminal.
 */
#ifndef BITSPIN_SCREEN_H
#define BITSPIN_SCREEN_H

#include "../base/base.h"

/* Columns of the terminal (COLUMNS, if that is set), from 20 on; 100 where there is none.  Are lines of any length to be broken
 * there?  Not in a file, which programs may read line by line. */
unsigned screen_width(void);
bool screen_wraps(void);

/* A colour's escape sequence, or "", as --color, NO_COLOR and the terminal have it. */
enum colour { COLOUR_NONE, COLOUR_BOLD, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_FAINT };
enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
const char *colour(enum colour colour);
void colour_choose(unsigned when);

/* Text that the program made: on one line, without control characters, and in UTF-8; malloc'ed, or printed. */
char *clean(const char *bytes, size_t length);
void print_plain(const char *bytes, size_t length);

/* Columns that a clean text takes; and how many bytes of it fit into so many columns. */
size_t columns(const char *text);
size_t fitting(const char *text, size_t most);

/* Lines that are being written. */
struct page {
	char *bytes;
	size_t length, capacity;
	size_t column; /* of the last line */
	size_t lines;  /* that are complete */
};

void page_bytes(struct page *page, const char *bytes, size_t length); /* which take no column */
void page_put(struct page *page, const char *text);                   /* clean text */
void page_colour(struct page *page, enum colour colour);
void page_to(struct page *page, size_t column); /* blanks */
void page_end(struct page *page);               /* of the line */
void page_print(struct page *page);             /* on standard output; it is empty then */

/* A text from where the line ends, broken between words where it reaches `width`; its further lines begin at `indent`. */
void page_wrap(struct page *page, const char *text, size_t indent, size_t width);

#endif
