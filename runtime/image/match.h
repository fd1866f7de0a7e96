/* SPDX-License-Identifier: MIT
 *
 * Types of functions and of calls as text, and which calls are right.
 *
 * A signature is the type of the result, a blank, and in brackets the types of the parameters, separated by ", ": "int (pointer,
 * long)", "void (void)", "int (pointer, ...)".  "int ()" is a function that was defined or declared without saying what it
 * takes.  A call's signature begins with ~ if the function may have been declared so where it is called.  "8-bit integer" and
 * the like are integers of which it is not known whether they are signed.  The empty text is an unknown type.
 *
 * C11 6.5.2.2 leaves a call undefined whose type is not compatible with the function's.  LLVM does not distinguish some types, so
 * they count as compatible here: pointers of all kinds, int and unsigned, long and long long, and structures that travel in
 * registers.
 */
#ifndef BITSPIN_MATCH_H
#define BITSPIN_MATCH_H

#include <stdbool.h>

/* May a call with the signature `call` call a function with the signature `function`? */
bool image_signatures_match(const char *call, const char *function);

#endif
