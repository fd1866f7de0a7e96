/* SPDX-License-Identifier: MIT
 *
 * Faults of the environment (--faults): malloc may return NULL and so on, a limited number of times on any path.
 *
 * How to let an operation fail: a thread at rest before it has wait WAIT_INJECTION (vm_injection_offer()).  That gives it one more
 * outcome while the budget lasts; other threads may use the budget up.  When the operation runs, call vm_injection_happens() once;
 * it returns true if the operation must fail.  A spurious wake-up is different: it is an outcome of the thread that sleeps, see
 * wait.c and condition.c.  So is a time-out, which happens any number of times unless it is limited.  A row of builtin.def says by
 * its flags (enum builtin_flag) how its call reports a failure.
 */
#ifndef BITSPIN_INJECT_H
#define BITSPIN_INJECT_H

#include "builtin.h"

/* May this fault happen in some state at all? */
bool vm_injection_wanted(enum image_injection injection);

/* ... and only so many times? */
bool vm_injection_limited(enum image_injection injection);

/* How often may it still happen in this state? */
uint32_t vm_injection_budget(enum image_injection injection);

/* Can it still happen?  The step of the running thread depends on it. */
bool vm_injection_is_left(enum image_injection injection);

/* The thread is about to rest before an operation that can fail so. */
void vm_injection_offer(struct vm_thread *thread, enum image_injection injection);

/* The operation runs with the outcome vm_this.choice: does it fail?  Takes one from the budget if so. */
bool vm_injection_happens(enum image_injection injection);

/* The fault happens: take one from the budget.  False: there is none left. */
bool vm_injection_spend(enum image_injection injection);

/* Which fault makes a call of this function fail in place of what it does, if it was asked for; IMAGE_INJECTIONS: none. */
enum image_injection vm_injection_of(const struct builtin *builtin);

/* Make the call fail: its result, and errno. */
void vm_injection_fail(struct vm_call *call, enum image_injection injection);

#endif
