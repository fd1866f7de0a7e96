/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is: what a native run needs to know of a replay, in order to repeat it.
 *
 * A place is a line and the name of an operation there: "load", "store", "rmw", "cmpxchg", "block" (memcpy and its kin), "fence",
 * or the name of an external function.  Each thread counts how often it gets to each place; so line, operation and count name a
 * moment of its run, both in the VM and on the processor.  What the C library in C does is not counted.
 */
#ifndef BITSPIN_TURNS_H
#define BITSPIN_TURNS_H

#include "trace.h"

/* Are these records wanted (BITSPIN_TURNS is set), and is this a step of the replay? */
bool vm_turns_wanted(void);

/* Note that the thread gets to an operation, whose `name` outlives the run. */
void vm_turn_arrives(const struct vm_thread *thread, uint32_t location, const char *name);
/* Note that the thread has begun the call that it got to last, and rests in the call. */
void vm_turn_waits(const struct vm_thread *thread);
/* Note that the thread gets to a place before which a native run does not wait: "loop", "library" and others. */
void vm_turn_elsewhere(const struct vm_thread *thread, const char *name);
/* Note that the thread is about to end, or to call its next destructor; `position` says how far it is in that. */
void vm_turn_ends(const struct vm_thread *thread, uint32_t position);
/* Note that the thread takes its turn, or if it is newly `born`, runs in the turn of its creator; that it comes to rest where it
 * got last. */
void vm_turn_begins(const struct vm_thread *thread, bool born);
void vm_turn_rests(const struct vm_thread *thread);
/* Note that the operation under way has chosen a value; that it fails because the environment does. */
void vm_turn_value(int64_t value);
void vm_turn_fails(void);
/* Note that the program is given argument number `argument`; if that is 0, standard input; from IMAGE_GIVEN_VARIABLE on, a variable
 * of the environment. */
void vm_turn_given(unsigned argument, const char *bytes, uint64_t length);

#endif
