/* SPDX-License-Identifier: MIT
 *
 * Calls of a function as one of another type (image/match.h says which are right).
 */
#ifndef BITSPIN_SIGNATURE_H
#define BITSPIN_SIGNATURE_H

#include <stdint.h>

/* The running thread calls a function: a violation, if the call is of another type and such calls are reported. */
void vm_check_signature(const char *call, uint32_t function);

#endif
