/* SPDX-License-Identifier: MIT
 *
 * See fair.h.  pan counts, beside each state, the processes that have moved since an accepting state or could not (Choueka's
 * copies).
 *
 * It takes a thread that is not offered for one that is disabled.  So no thread that is enabled may be left out, and one that
 * waits for another's section must be seen to wait: no persistent sets, no transactions.  Super-steps keep fair executions, see
 * superstep.c.  The model's `provided` clause is off (VM_IS_FAIR): pan forgets to count a process that it holds back.
 *
 * Where no process can move, only the claim does.  On the way through such states pan does not begin to count in an accepting state
 * of the claim, so it misses a loop of the claim that leaves the accepting state and comes back.  So thread 0 takes a step there
 * that changes nothing.  Trails do not have it.  With -DNP it is left out: to stay where nobody can go on is no cycle.
 */
#include "fair.h"
#include "../../bitspin_vm.h"

#include "../base/plan.h"
#include "pan.h"

#include <limits.h>

static VM_OWN long idle_from = LONG_MAX; /* depth on pan's path from which on all steps change nothing */

bool vm_fair_may_idle(void)
{
	return fairness && !vm_driver.seeks_cycles && !vm_is_bounded();
}

bool vm_fair_idles(int state, int thread)
{
	if (!fairness)
		return false;
	bool offered = vm_enabled(state, thread, 0);
	/* where a step was idle, no other thread can move: pan has gone back before it takes another in a place as deep */
	if (offered && depth <= idle_from)
		idle_from = LONG_MAX;
	if (!offered && depth < idle_from)
		idle_from = depth;
	return !offered;
}

bool vm_fair_has_idled(unsigned depth_of_step)
{
	return (long)depth_of_step > idle_from;
}
