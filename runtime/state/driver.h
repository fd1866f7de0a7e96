/* SPDX-License-Identifier: MIT
 *
 * The driver: who asks the VM for steps.  That is pan, a search of bitspin-drive, or a test.  Only runtime/search/pan/ knows pan;
 * all else that the VM must know of its driver is here.
 */
#ifndef BITSPIN_DRIVER_H
#define BITSPIN_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

/* Why the driver is asked to end the whole search. */
enum vm_stop {
	STOP_LIMIT,  /* a limit is reached */
	STOP_SIGNAL, /* a signal has asked for it */
};

struct json_t;

/* A driver fills in what differs from zero: the first group before it calls vm_start(), the second before it asks for a step, the
 * functions before vm_start().  A function that is NULL does nothing, but `stop`, without which the process exits with 2. */
struct vm_driver {
	bool depth_first;   /* one process searches, depth first */
	bool has_processes; /* several processes work on one table */
	bool stores_hashes; /* it stores hashes of states, and asks only for states on its path */
	bool asks_threads;  /* it looks at threads one by one, so they keep their slots */
	bool shows_values;  /* it shows states, so they are the program's own, whatever the image says of slicing */
	bool seeks_cycles;  /* it seeks cycles that the VM knows no formula of */
	bool may_be_fair;   /* it may turn out to be fair */
	unsigned schedules; /* enum vm_schedules: the infinite ones that the formula is about */

	bool replays;        /* it repeats a path that has been found: events are wanted */
	bool tries;          /* it tries schedules beside one that was found: limits only cut paths, and are not told */
	bool passes_hangs;   /* it does not ask whether all threads go round for nothing, which may take long */
	bool is_fair;        /* it counts as disabled a thread that is not offered, and looks for fair cycles */
	uint64_t most_steps; /* of a path; 0: any number */

	void (*violated)(char *line);                     /* a violation was reported: this line tells of it */
	void (*stop)(enum vm_stop why);                   /* end the search and the process */
	void (*count)(uint64_t *states, uint64_t *steps); /* states visited so far, steps on the path; 0: not known */
	void (*add_figures)(struct json_t *record);       /* add the driver's own to the statistics */
};

/* Of the process, whichever VM is open. */
extern struct vm_driver vm_driver;

#endif
