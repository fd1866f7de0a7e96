/* SPDX-License-Identifier: MIT
 *
 * A schedule: the steps of a path one by one, each a thread and the outcome of its operation, with no super-steps.  It needs
 * no pan, and does not depend on the reductions under which it was found.
 *
 * As a file it has a line for each run of equal steps, "THREAD OUTCOME TIMES"; lines that begin with '#' are comments.
 */
#ifndef BITSPIN_SCHEDULE_H
#define BITSPIN_SCHEDULE_H

#include "search.h"

struct schedule_step {
	unsigned char slot, choice;
};

struct schedule {
	struct schedule_step *steps;
	uint32_t count, capacity;
};

void schedule_add(struct schedule *schedule, unsigned slot, unsigned choice);
void schedule_release(struct schedule *schedule);

/* What a reader of a schedule has to keep in mind, the worst first.  At a switch, another thread moves than in the step before; a
 * preemption is a switch away from a thread that could go on (preemption.h). */
struct schedule_cost {
	uint32_t preemptions, switches, steps;
};
bool schedule_is_better(const struct schedule_cost *a, const struct schedule_cost *b);

/* Read a schedule from a file.  Return false if the file has none; `error` says why, with the line. */
bool schedule_read(struct schedule *schedule, const char *path, char *error, size_t size);

/* Write a schedule to a file.  Return false if that fails. */
bool schedule_write(const struct schedule *schedule, const char *path);

/* Write the steps that a replay takes to a file: open the file (NULL or "": write nothing), note a step before it is taken,
 * close. */
void vm_schedule_open(const char *path);
void vm_schedule_note(unsigned slot, unsigned choice);
void vm_schedule_close(void);

#endif
