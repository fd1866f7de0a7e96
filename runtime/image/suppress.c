/* SPDX-License-Identifier: MIT
 *
 * See suppress.h.
 */
#include "suppress.h"

#include <assert.h>
#include <string.h>

bool image_pattern_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL; /* the last star, and how far it reaches */
	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			from = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++from;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}

static bool is_file(const char *pattern, const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += at > path || *path == '/';
		if (image_pattern_matches(pattern, at))
			return true;
	}
	return image_pattern_matches(pattern, path);
}

bool image_suppression_matches(const struct image *image, const struct image_suppression *suppression, const char *function,
			       const char *file, uint32_t line, bool innermost)
{
	assert(!suppression->here || suppression->file != IMAGE_NONE);
	if (suppression->here)
		return innermost && line == suppression->line && strcmp(file, image_string(image, suppression->file)) == 0;
	if (suppression->function != IMAGE_NONE && !image_pattern_matches(image_string(image, suppression->function), function))
		return false;
	if (suppression->line && suppression->line != line)
		return false;
	return suppression->file == IMAGE_NONE || is_file(image_string(image, suppression->file), file);
}

bool image_tolerates(const struct image *image, uint32_t place, uint32_t other)
{
	uint32_t low = place < other ? place : other, high = place < other ? other : place;
	assert(low == 0 || image->counts[IMAGE_TOLERATED] > 0); /* only tolerated races have places */
	for (uint64_t i = 0; low && i < image->counts[IMAGE_TOLERATED]; i++)
		if (image->tolerated[i].place[0] == low && image->tolerated[i].place[1] == high)
			return true;
	return false;
}
