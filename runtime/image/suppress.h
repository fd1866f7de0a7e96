/* SPDX-License-Identifier: MIT
 *
 * Which faults the user does not want to hear of; see struct image_suppression.
 */
#ifndef BITSPIN_SUPPRESS_H
#define BITSPIN_SUPPRESS_H

#include "image.h"

/* Does the text match a pattern, in which * stands for any characters? */
bool image_pattern_matches(const char *pattern, const char *text);

/* Does a suppression cover a frame of the stack at a fault: a line of a file, in a function?  `innermost`: the frame is that of the
 * fault itself.  A pattern of a file may leave out directories at the beginning. */
bool image_suppression_matches(const struct image *image, const struct image_suppression *suppression, const char *function,
			       const char *file, uint32_t line, bool innermost);

/* May accesses at places `place` and `other` race?  0 is no place. */
bool image_tolerates(const struct image *image, uint32_t place, uint32_t other);

#endif
