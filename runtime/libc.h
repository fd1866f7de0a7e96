/* SPDX-License-Identifier: MIT
 *
 * What other rooms may know of the external functions that the VM provides.
 */
#ifndef BITSPIN_LIBC_H
#define BITSPIN_LIBC_H

/* What a verdict takes for granted when the program calls this function, or NULL. */
const char *builtin_assumption(const char *name);

#endif
