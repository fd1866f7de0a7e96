/* SPDX-License-Identifier: MIT
 *
 * pan as the driver of the VM: what it is told, and what it tells.
 *
 * Where pan has several processes, a trail has the steps that it has completed, so a violation is told of when pan looks at the
 * state that the step has led to.  pan may know nothing of these processes.
 */
#include "../../bitspin_vm.h"
#include "../step/start.h"
#include "../../state/limit.h"
#include "../../state/nodes.h"
#include "../base/plan.h"
#include "../base/progress.h"
#include "../base/report.h"
#include "../base/search.h"
#include "compact.h"
#include "crew.h"
#include "lookahead.h"
#include "pan.h"
#include "several.h"

#include <assert.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- violations ------------------------------------------------------------------------------------------------------ */

static bool tells_later(void)
{
	return (vm_several() || vm_processes) && !vm_visits;
}

/* Make `line` a message that pan does not misread.  pan takes " cycle" in a message for an error of liveness, and prints the
 * message for others to read by lines. */
static void make_plain(char *line)
{
	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	for (char *p = line; (p = strstr(p, " cycle")); p++)
		*p = '_';
}

static void violated(char *line)
{
	assert(*line);
	make_plain(line);
	if (vm_crew() && !vm_driver.replays)
		vm_several_violated();
	if (!tells_later() || vm_driver.replays)
		uerror(line);
	else if (!vm_several())
		printf("bitspin: %s\n", line);
}

void vm_pan_looks_at(vm_ref state)
{
	static VM_SHARED char message[] = "the program is wrong";
	if (!vm_processes)
		return;
	vm_census_expanded(state);
	if (vm_driver.replays || !tells_later() || !(vm_state_words(state)[0] & STATE_VIOLATED))
		return;
	vm_several_violated();
	uerror(message);
}

/* ---- the end --------------------------------------------------------------------------------------------------------- */

/* Stop the search by a function of pan's, which prints the figures.  If there are several processes, stop it by a function of
 * ours. */
static void stop(enum vm_stop why)
{
	if (vm_several()) {
		vm_report_statistics();
		vm_several_end();
	}
	if (why == STOP_SIGNAL)
		stopped(SIGINT);
	wrapup();
}

/* Leave the search before the VM ends.  In a crew, report that paths were cut: what pan says of that is printed by the first
 * process only. */
static void leave(void)
{
	if (vm_crew() && warned)
		vm_report_inconclusive(LIMIT_DEPTH, "longer paths were cut", 0);
	vm_crew_leave();
}

/* ---- figures --------------------------------------------------------------------------------------------------------- */

static void count(uint64_t *states, uint64_t *steps)
{
	*states = vm_several() ? vm_census_states() : vm_processes ? 0 : (uint64_t)nstates;
	*steps = (uint64_t)depth;
}

static void set(json_t *record, const char *name, uint64_t value)
{
	json_object_set_new(record, name, json_integer((json_int_t)value));
}

static void add_figures(json_t *record)
{
	set(record, "stored", (uint64_t)(nstates - nShadow));
	set(record, "matched", (uint64_t)truncs);
	if (vm_visits) {
		set(record, "skipped", vm_lookahead_skipped());
		if (vm_crew())
			set(record, "taken", vm_lookahead_taken());
		set(record, "bytes", vm_table_peak() + vm_nodes_count() / 8);
	}
	if (vm_compact())
		set(record, "renewed", vm_compact_renewed());
	if (vm_several()) {
		set(record, "states", vm_census_states());
		set(record, "left", vm_census_left());
	}
}

/* ---- the beginning --------------------------------------------------------------------------------------------------- */

/* Make the table before pan's main, and so before pan forks. */
__attribute__((constructor)) static void start(void)
{
	vm_driver = (struct vm_driver){
		.depth_first = vm_depth_first,
		.has_processes = vm_processes,
		.stores_hashes = vm_compacts,
		.seeks_cycles = vm_seeks_cycles,
		.may_be_fair = vm_pan_may_be_fair,
		.schedules = (unsigned)vm_schedules,
		.violated = violated,
		.stop = stop,
		.count = count,
		.add_figures = add_figures,
	};
	vm_start();
	vm_several_open();
	vm_census_reached(vm_this.initial);
	atexit(leave);
	vm_crew_open();
}

void vm_pan_heed_options(void)
{
	static VM_SHARED bool heeded;
	if (heeded)
		return;
	heeded = true;
	vm_driver.replays = readtrail;
	vm_driver.is_fair = fairness;
	vm_driver.most_steps = (uint64_t)maxdepth;
	vm_plan_heed_driver();
}
