/* SPDX-License-Identifier: MIT
 *
 * See worth.h.  A move without reductions comes from the cache of transitions, in half a microsecond; a state with them costs 10 to
 * 25 microseconds.  So where reductions leave less than nine tenths of the states out, the search without them is done sooner.  How
 * many they leave out is not known before the end, but what they have done so far tells where they hardly do more than skip states
 * in the middle of runs, which others often come to anyway: mutual exclusion by reads and writes, such as Peterson's and Lamport's.
 *
 * Nothing here changes what a search finds: it is ended, or is not.  All that is counted are steps and states and not seconds, so
 * that a program is searched in the same way each time.
 */
#include "worth.h"
#include "../base/limits.h"
#include "../base/plan.h"
#include "../base/report.h"
#include "../../memory/records.h"
#include "../../state/driver.h"
#include "../../state/symmetry.h"

/* Can a search without reductions use all that makes it fast? */
static bool can_do_without(void)
{
	return vm_driver.depth_first && !vm_driver.has_processes && !vm_driver.stores_hashes && !vm_driver.replays &&
		vm_plan_has(CACHE_TRANSITIONS) && vm_plan_has(CACHE_SUMMARIES) && !vm_has_records();
}

/* Do reductions save little in so many states and moves?  Some save much by their nature, where they apply at all: those about
 * locks, bounded waits, and threads that are alike.  A thread that ends in its last step is a state less for each subset of the
 * others, where threads are short; and with many threads, few states less in the runs of each are many in all. */
static bool save_little(uint64_t states, uint64_t moves)
{
	enum { MANY = 4 /* moves from a state */, MOVES = 3, LESS = 2 /* of so many moves or states, one or more is many */ };
	return !vm_saved[REDUCTION_TRANSACTIONS_NUMBER] && !vm_saved[REDUCTION_SECTIONS_NUMBER] &&
		!vm_saved[REDUCTION_SPINS_NUMBER] && !vm_symmetry_is_of_use() && moves < MANY * states &&
		vm_saved[REDUCTION_PERSISTENT_NUMBER] < moves / LESS && vm_saved[REDUCTION_ENDS_NUMBER] < moves / MOVES &&
		vm_saved[REDUCTION_UNREAD_NUMBER] < states / MOVES;
}

void vm_worth_count(void)
{
	static VM_OWN uint64_t states;
	static VM_OWN bool asked;
	uint32_t after = vm_this.image.options->doubt_after;
	states++;
	if (asked || !after || states + vm_saved[REDUCTION_SUPERSTEPS_NUMBER] < after)
		return;
	asked = true;
	if (can_do_without() && save_little(states, vm_this.step))
		vm_limit_end(LIMIT_GAIN, "reductions cost more time than they save", 0);
}

void vm_worth_end_turn(void)
{
	uint32_t most = vm_this.image.options->most_moves;
	if (most && vm_this.step >= most)
		vm_limit_end(LIMIT_MOVES, "the search without reductions has had its turn", 0);
}
