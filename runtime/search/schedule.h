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

/* What a reader has to keep in mind, the worse first.  A switch: another thread moves than in the step before; a preemption: a
 * switch from a thread that could go on (bound.h). */
struct schedule_cost {
	uint32_t preemptions, switches, steps;
};
bool schedule_is_better(const struct schedule_cost *a, const struct schedule_cost *b);

/* Take a step that is possible in `*state`, after one of `*last` (-1: none), and add up what it costs; false if it is not
 * possible, then nothing has changed.  A violation is told in `found`. */
bool schedule_step(struct schedule_step step, int *state, int *last, struct schedule_cost *cost, struct vm_found *found);

/* Read a file.  false: it is no schedule; `error` says why, with the line. */
bool schedule_read(struct schedule *schedule, const char *path, char *error, size_t size);

/* Write one to a file; false if that fails. */
bool schedule_write(const struct schedule *schedule, const char *path);

/* In a replay: write the steps that are taken to this file (NULL or "": to none); a step is about to be taken; that was all. */
void vm_schedule_open(const char *path);
void vm_schedule_note(unsigned slot, unsigned choice);
void vm_schedule_close(void);

#endif
