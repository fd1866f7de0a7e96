/* SPDX-License-Identifier: MIT
 *
 * See worth.h.  A single step comes from the cache of transitions, in half a microsecond; a state with reductions costs 10 to 25
 * microseconds.  So where reductions leave less than four fifths of the states out, the search without them is done sooner.  How
 * many they leave out is not known before the end, but what they have done in the last states tells where they hardly do more than
 * skip states in the middle of short runs, which others often come to anyway: mutual exclusion by reads and writes, such as
 * Peterson's and Lamport's.  (Of what is in the middle of long runs, single steps would make all combinations.)  Then they rest
 * for a number of steps, and are tried again: longer each time, so that what rests too long, or not long enough, costs a part of
 * the whole.
 *
 * Why nothing is lost: each state offers what its note says (offer.h), runs as ever, or one step of each thread that can go
 * on.  The arguments of superstep.c and persistent.c are about one state: each execution from it is equivalent to one that
 * begins with a move that it offers.  That holds of all single steps, too, and the rest of the execution is shorter.  The
 * cycle proviso asks for a state in each cycle that offers all threads: one that offers all their single steps does.
 *
 * States in which a thread has several outcomes are left to reductions, as the option of a single step is one bit.  Where threads
 * may be symmetric, and none have been alike, the search begins again without that: to sort threads costs more than a step.
 *
 * All that is counted are steps and states and not seconds, so that a program is searched in the same way each time.
 */
#include "worth.h"
#include "../base/limits.h"
#include "../base/plan.h"
#include "../base/report.h"
#include "unread.h"
#include "../../interpreter/proposition.h"
#include "../../memory/records.h"
#include "../../state/driver.h"
#include "../../state/symmetry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What reductions have done since they were tried the last time; and for how long. */
enum { FIRST_WINDOW = 2048, FIRST_REST = 1000000, LONGER = 4, LONGEST = 1u << 30 }; /* states; steps; times; steps or states */

static VM_OWN struct {
	uint64_t states;            /* in this window */
	uint64_t moves;             /* of the search when it began */
	uint64_t saved[REDUCTIONS]; /* by each, until it began */
	uint64_t window, rest;      /* how long the next ones are; 0: this is the first */
	uint64_t until;             /* as many moves, they rest; 0: they do not */
	bool forced;                /* for tests: they rest after each window */
} worth;

bool vm_reductions_may_rest(void)
{
	return vm_this.image.options->rests && vm_driver.depth_first && !vm_driver.has_processes && !vm_driver.stores_hashes &&
		!vm_driver.replays && vm_plan_has(CACHE_TRANSITIONS) && vm_plan_has(CACHE_SUMMARIES) && !vm_has_records() &&
		!vm_is_temporal();
}

static uint64_t saved(unsigned reduction)
{
	assert(vm_saved[reduction] >= worth.saved[reduction]);
	return vm_saved[reduction] - worth.saved[reduction];
}

/* Have reductions saved little in so many states and moves?  Some save much by their nature, where they apply at all: those about
 * locks, bounded waits, and threads that are alike.  A thread that ends in its last step is a state less for each subset of the
 * others; and with many threads, few states less in the runs of each are many in all.  Not so where two threads are left in most
 * states of a long window. */
static bool save_little(uint64_t states, uint64_t moves)
{
	enum { MANY = 4, FEW = 2 /* moves from a state */, PART = 8, PART_OF_FEW = 3 /* of so many, one is much */ };
	enum { LONG = 3 /* states that a run skips */ };
	bool few = worth.window > FIRST_WINDOW && moves < FEW * states;
	unsigned part = few ? PART_OF_FEW : PART;
	return !saved(REDUCTION_TRANSACTIONS_NUMBER) && !saved(REDUCTION_SECTIONS_NUMBER) && !saved(REDUCTION_SPINS_NUMBER) &&
		!vm_symmetry_is_of_use() && moves < MANY * states && saved(REDUCTION_SUPERSTEPS_NUMBER) < LONG * moves &&
		saved(REDUCTION_PERSISTENT_NUMBER) < moves && saved(REDUCTION_ENDS_NUMBER) < moves / part &&
		saved(REDUCTION_UNREAD_NUMBER) < states / part;
}

static void begin_window(void)
{
	worth.states = 0;
	worth.moves = vm_this.step;
	worth.until = 0;
	memcpy(worth.saved, vm_saved, sizeof worth.saved);
}

static void begin(void)
{
	const char *forced = getenv("BITSPIN_REST_AFTER"); /* for tests: so many states */
	worth.forced = forced;
	worth.window = forced ? strtoul(forced, NULL, 10) : FIRST_WINDOW;
	worth.rest = forced ? LONGER * worth.window : FIRST_REST;
	begin_window();
}

static void lengthen(uint64_t *length)
{
	if (!worth.forced && *length < LONGEST)
		*length *= LONGER;
}

static void come_to_rest(void)
{
	if (vm_is_symmetric())
		vm_limit_end(LIMIT_SYMMETRY, "no two threads were alike", 0);
	worth.until = vm_this.step + worth.rest;
	lengthen(&worth.rest);
	vm_unread_end();
}

void vm_worth_count(void)
{
	if (!vm_reductions_may_rest())
		return;
	if (worth.rest == 0)
		begin();
	worth.states++;
	if (worth.until || worth.states + saved(REDUCTION_SUPERSTEPS_NUMBER) < worth.window)
		return;
	if (worth.forced || save_little(worth.states, vm_this.step - worth.moves))
		come_to_rest();
	else
		begin_window();
	lengthen(&worth.window);
}

bool vm_reductions_rest(void)
{
	if (worth.until && vm_this.step >= worth.until)
		begin_window();
	return worth.until;
}
