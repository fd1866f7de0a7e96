/* SPDX-License-Identifier: MIT
 *
 * Calls of a function as one of another type (image/match.h says which are right).
 */
#ifndef BITSPIN_SIGNATURE_H
#define BITSPIN_SIGNATURE_H

#include <stdint.h>

/* Report a call, of the type `call`, of a function of another type by the running thread, if such calls are reported. */
void vm_check_signature(const char *call, uint32_t function);

#endif
