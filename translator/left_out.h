/* SPDX-License-Identifier: MIT
 *
 * Names for what slicing leaves out (left_out.c).
 */
#ifndef BITSPIN_TRANSLATOR_LEFT_OUT_H
#define BITSPIN_TRANSLATOR_LEFT_OUT_H

#include "pointers.h"

/* Add rows to IMAGE_LEFT_OUT for the bytes of objects that are `left`: variables of the user's, with file and line. */
void name_left_out(struct points *p);

#endif
