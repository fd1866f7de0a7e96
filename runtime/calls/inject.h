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

/* Is the number of times that this fault may happen limited? */
bool vm_injection_limited(enum image_injection injection);

/* Return how often this fault may still happen in this state. */
uint32_t vm_injection_budget(enum image_injection injection);

/* Can this fault still happen?  The step of the running thread depends on the answer. */
bool vm_injection_is_left(enum image_injection injection);

/* Let the thread rest before an operation that can fail by this fault. */
void vm_injection_offer(struct vm_thread *thread, enum image_injection injection);

/* Does the operation that runs with the outcome vm_this.choice fail?  Then take one from the budget. */
bool vm_injection_happens(enum image_injection injection);

/* Take one from the budget, because the fault happens.  Return false if none is left. */
bool vm_injection_spend(enum image_injection injection);

/* Return the fault, if the user allows it, by which a call of this function fails instead of doing what it does; else
 * IMAGE_INJECTIONS. */
enum image_injection vm_injection_of(const struct builtin *builtin);

/* Make the call fail: set its result and errno. */
void vm_injection_fail(struct vm_call *call, enum image_injection injection);

#endif
