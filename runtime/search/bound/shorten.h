/* SPDX-License-Identifier: MIT
 *
 * A schedule that leads to a violation, made easier to follow: the same violation with fewer preemptions, fewer switches
 * between threads, fewer steps.  And what each preemption that is left is needed for.
 */
#ifndef BITSPIN_SHORTEN_H
#define BITSPIN_SHORTEN_H

#include "../base/schedule.h"

struct shortened {
	struct schedule schedule;
	struct schedule_cost cost, given; /* of this schedule, and of the one that was given */
	bool fewest; /* no schedule leads to the violation with fewer preemptions, and none with as many and fewer switches */
};

/* Shorten a schedule from the state before the program starts, by about `work` steps of work.  Return false if the schedule leads
 * to no violation.  Release the result by schedule_release(&result->schedule). */
bool vm_shorten(const struct schedule *given, uint64_t work, struct shortened *result);

/* A preemption in a schedule: thread `of` could have gone on after step number `step` - 1, and thread `thread` took the next step.
 * The violation is the same wherever the switch is between the operations `after` and `before` of thread `of`, and is not if the
 * switch is before the first or after the second. */
struct preemption {
	uint32_t step; /* from 1 */
	unsigned thread, of;
	uint32_t after, before; /* locations; 0: there is no such operation, or it was not looked for */
};

/* Return the preemptions of a shortened schedule, malloc'ed, and in *count how many there are. */
struct preemption *vm_preemptions(const struct shortened *shortened, uint32_t *count);

#endif
