/* SPDX-License-Identifier: MIT
 *
 * What all rooms may know of the external functions that the VM provides: the rows of builtin.def, without the functions.  So the
 * command and the translator can ask for a policy without linking the VM.
 */
#ifndef BITSPIN_POLICY_H
#define BITSPIN_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum builtin_flag {
	BUILTIN_VISIBLE = 1,    /* other threads can tell when it happens: a scheduling point */
	BUILTIN_MEMORY = 2,     /* a scheduling point if an argument points to shared memory and plain accesses count */
	BUILTIN_SYNC = 4,       /* closes the open segment */
	BUILTIN_TWICE = 8,      /* setjmp: the call may return again */
	BUILTIN_ALLOCATES = 16, /* allocates memory, and may fail under --faults malloc */
	BUILTIN_CREATES = 32,   /* creates a thread, and may fail under --faults create */
	BUILTIN_SPURIOUS = 64,  /* sleeps, and may wake although nobody has signalled */
	BUILTIN_DESTROYS = 128, /* may be a destructor of thread-specific data itself, without a frame */
	/* What a call returns that fails under --faults; without these flags NULL, and errno says why. */
	BUILTIN_RETURNS_ERRNO = 256,
	BUILTIN_RETURNS_THRD = 512,   /* thrd_error */
	BUILTIN_RETURNS_MINUS = 1024, /* -1, and errno says why */

	BUILTIN_TRIES = 2048,  /* the variant of its family that never waits */
	BUILTIN_SLEEPS = 4096, /* a sleep, which a request of cancellation ends */
	BUILTIN_YIELDS = 8192, /* lets other threads run */

	BUILTIN_ENTERS = 16384,    /* enters a function of the program before it returns */
	BUILTIN_ARRANGES = 32768,  /* arranges that a function of the program is entered where no instruction says so */
	BUILTIN_CHOOSES = 1 << 24, /* returns an input, and touches no memory */
	BUILTIN_FLAT = 1 << 25,    /* touches no memory but that to which its arguments point */
};

/* Another flag: the variant of its family that waits until a deadline, to which argument number `argument`, from 1 on, points.
 * (The first argument is number 0.) */
#define BUILTIN_UNTIL(argument) ((argument) << 16)

/* Return the number of the argument that points to the deadline; 0 if the call has none. */
static inline unsigned builtin_deadline(unsigned flags)
{
	return flags >> 16 & UINT8_MAX;
}

enum builtin_policy {
	POLICY_UNKNOWN, /* not in builtin.def */
	POLICY_VM,      /* the VM does it */
	POLICY_LIBRARY, /* C code in libc/, which is interpreted */
	POLICY_HOST,    /* the host's function, on checked memory */
	POLICY_NOTHING, /* has no effect that a program could see */
	POLICY_REFUSED,
	POLICIES
};

enum builtin_policy builtin_policy(const char *name);

/* Return why a function is REFUSED. */
const char *builtin_reason(const char *name);

/* Return what a verdict assumes when the program calls this function, or NULL. */
const char *builtin_assumption(const char *name);

/* Return the fault (enum image_injection) that --faults may let happen in a call of this function; IMAGE_INJECTIONS: none. */
unsigned builtin_injection(const char *name);

/* Return the fault that --faults may let happen in a call of a function with these flags. */
unsigned builtin_injection_of(unsigned flags);

/* Return how often a fault may happen if --faults does not say; UINT32_MAX: any number of times. */
unsigned builtin_injection_usual(unsigned injection);

/* May a call of this function change nothing?  A guess: functions that only look, or try, may. */
bool builtin_may_be_quiet(const char *name);

/* Return the flags of a function, a set of enum builtin_flag; 0 if there is no such function. */
unsigned builtin_flags(const char *name);

/* Is the function setjmp() or one of its kin? */
bool builtin_returns_twice(const char *name);

#endif
