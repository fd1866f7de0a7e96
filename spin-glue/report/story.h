/* SPDX-License-Identifier: MIT
 *
 * The parts of a story: what the lines say (events.c), and how they look (story.c).
 */
#ifndef BITSPIN_STORY_TEXT_H
#define BITSPIN_STORY_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* given.c: return the inputs of a violation's trace, an array of {"value","file","line","thread"}, and "name" unless the value
 * tells that.  input_words: return one as "n = 5 (input at x.c:9)", malloc'ed. */
json_t *inputs_of(const json_t *violation);
char *input_words(const json_t *input);

struct line;

/* Call `take` for each line of a violation's trace, which then owns what is in the line.  Unless `all`, leave out lines that only
 * read what no other thread writes, and return how many. */
size_t story_lines(const json_t *violation, bool all, void (*take)(void *context, struct line *line), void *context);

#endif
