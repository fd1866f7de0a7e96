/* SPDX-License-Identifier: MIT
 *
 * The parts of a story: what the lines say (events.c), and how they look (story.c).
 */
#ifndef BITSPIN_STORY_TEXT_H
#define BITSPIN_STORY_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct line;

/* Call `take` for each line of a violation's trace, which then owns what is in the line.  Unless `all`, leave out lines that only
 * read what no other thread writes, and return how many. */
size_t story_lines(const json_t *violation, bool all, void (*take)(void *context, struct line *line), void *context);

#endif
