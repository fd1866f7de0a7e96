/* SPDX-License-Identifier: MIT
 *
 * Names of variables that slicing leaves out (left_out.c).
 */
#ifndef BITSPIN_TRANSLATOR_LEFT_OUT_H
#define BITSPIN_TRANSLATOR_LEFT_OUT_H

#include "points_to.h"

/* Add a row to IMAGE_LEFT_OUT, with file and line, for each variable of the user that has bytes which are `left`. */
void name_left_out(struct points *p);

#endif
