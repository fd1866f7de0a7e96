/* SPDX-License-Identifier: MIT
 *
 * What other rooms may know of the external functions that the VM provides.
 */
#ifndef BITSPIN_LIBC_H
#define BITSPIN_LIBC_H

#include <stdbool.h>

enum builtin_policy {
	POLICY_UNKNOWN, /* not in libc.def */
	POLICY_VM,      /* the VM does it */
	POLICY_LIBRARY, /* interpreted: it is written in C, in libc/ */
	POLICY_HOST,    /* the host's function, on checked memory */
	POLICY_NOTHING, /* has no effect that a program could see */
	POLICY_REFUSED,
	POLICIES
};

enum builtin_policy builtin_policy(const char *name);

/* REFUSED: why. */
const char *builtin_reason(const char *name);

/* What a verdict takes for granted when the program calls this function, or NULL. */
const char *builtin_assumption(const char *name);

/* The fault (enum image_injection) that --faults may let happen in a call; IMAGE_INJECTIONS: none. */
unsigned builtin_injection(const char *name);

/* How often it may happen if --faults does not say; UINT32_MAX: any number of times. */
unsigned builtin_injection_usual(unsigned injection);

/* Is it setjmp or one of its kin? */
bool builtin_returns_twice(const char *name);

#endif
