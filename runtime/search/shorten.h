/* SPDX-License-Identifier: MIT
 *
 * A schedule that leads to a violation, made easier to follow: the same violation with fewer preemptions, fewer switches
 * between threads, fewer steps.  And what each preemption that is left is needed for.
 */
#ifndef BITSPIN_SHORTEN_H
#define BITSPIN_SHORTEN_H

#include "schedule.h"

struct shortened {
	struct schedule schedule;
	struct schedule_cost cost, given; /* its own, and that of the schedule that was given */
	bool fewest; /* no schedule leads to the violation with fewer preemptions, and none with as many and fewer switches */
};

/* Shorten a schedule from the state before the program starts, with about so many steps of work.  false: it leads to no
 * violation within its steps.  To be released by schedule_release(&result->schedule). */
bool vm_shorten(const struct schedule *given, uint64_t work, struct shortened *result);

/* A preemption in a schedule: thread `of` could have gone on after step number `step` - 1, and `thread` took the next.  The
 * violation is the same wherever the switch is between these two operations of `of`, and is not if it is before the first or
 * after the second. */
struct preemption {
	uint32_t step; /* from 1 */
	unsigned thread, of;
	uint32_t after, before; /* locations; 0: there is no such operation, or it was not looked for */
};

/* The preemptions of a shortened schedule; malloc'ed, `*count` of them. */
struct preemption *vm_preemptions(const struct shortened *shortened, uint32_t *count);

#endif
