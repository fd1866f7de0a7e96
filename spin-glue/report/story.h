/* SPDX-License-Identifier: MIT
 *
 * The parts of a story: what the lines say (events.c), and how they look (story.c).
 */
#ifndef BITSPIN_STORY_TEXT_H
#define BITSPIN_STORY_TEXT_H

#include "../base/fields.h"
#include "fold.h"
#include "screen.h"

const char *base_name(const char *path);

/* A line of a source file without its indentation, clean and malloc'ed; "" if it cannot be read. */
char *story_source(const char *file, long long line);

/* The lines of a violation's trace, one by one, to `take`, which owns what is in them.  `all`: also those that only read what no
 * other thread writes; how many are left out is returned. */
size_t story_lines(const json_t *violation, bool all, void (*take)(void *context, struct line *line), void *context);

#endif
