/* SPDX-License-Identifier: MIT
 *
 * Random walks: runs of the program from its beginning, each under a schedule drawn at random.  They find what many schedules
 * show, at once and however large the state space is; that they find nothing says little.
 */
#ifndef BITSPIN_RANDOM_WALKS_H
#define BITSPIN_RANDOM_WALKS_H

#include "../base/schedule.h"
#include "../reduce/search_step.h"

struct walks_plan {
	uint64_t seed;  /* walk number i of a seed is the same each time, as long as the program is */
	uint64_t walks; /* how many at most; 0: no limit */
	double seconds; /* how long at most; 0: no limit */
};

struct walks_figures {
	uint64_t walks, steps;
	uint64_t unfinished; /* walks that were cut, because they were too long or met a limit of the VM */
	double seconds;
};

/* Walk until a violation, or until the plan has ended.  Return whether there was a violation; then *found tells it, and *schedule,
 * which was empty, leads to it.  The memory needed does not grow with the number of walks.  Records are written now and then and at
 * the end (drive_main.c). */
bool vm_walks(const struct walks_plan *plan, struct schedule *schedule, struct vm_found *found, struct walks_figures *figures);

#endif
