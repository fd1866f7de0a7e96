/* SPDX-License-Identifier: MIT
 *
 * bitspin-drive: the VM without pan.  The command starts it, as it starts pan.
 *
 *     usage: bitspin-drive shorten SCHEDULE WORK
 *            bitspin-drive graph STATES
 *            bitspin-drive walk SEED SECONDS WALKS SCHEDULE
 *            bitspin-drive profile STATES SECONDS
 *            bitspin-drive tests STATES ENDS SCRATCH
 *            bitspin-drive traces PAIRS
 *            bitspin-drive simulate
 *
 * The program is that of the environment variable BITSPIN_IMAGE; records go to the file named by BITSPIN_RESULT (bitspin_vm.h).
 *
 * shorten: a schedule with the violation that SCHEDULE leads to, which is easier to follow, found with about WORK steps.  It is
 * replayed as pan would replay a trail, with all events and the violation; before these come the records
 *
 *     {"type":"schedule","steps","switches","preemptions","fewest","given":{"steps","switches","preemptions"}}
 *                "fewest": no schedule has fewer preemptions, and none with as many has fewer switches
 *     {"type":"switch","step","thread","of","after":{"file","line"},"before":{"file","line"}}      of each preemption that is
 * left
 *                "after" and "before": operations of thread "of", absent where there is none (shorten.h)
 *
 * It exits with 3 if the schedule leads to no violation.
 *
 * graph: the state space, its first STATES states, breadth first, under the image's reductions:
 *
 *     {"type":"node","node","final","threads":[{"thread","file","line","function","waits"}]}
 *                node 0 is the first; "final": "violation", "end" or "cut", where the program does not go on
 *     {"type":"edge","from","to","thread","file","line","function"}
 *                then the events of the step, the violation, and the node that it leads to if it is the first to lead there
 *     {"type":"graph","states","steps","left_out"}
 *                at the end; "left_out": steps to states that are not in the graph
 *
 * walk: random walks (search/bound/random_walks.h) for SECONDS, and at most WALKS; 0: no limit.  It exits with 0 if one has come to
 * a violation; its schedule is in SCHEDULE then.  Otherwise it exits with 3.  A record now and then, and at the end:
 *
 *     {"type":"walks","seed","walks","steps","unfinished","seconds","violates"}
 *                "unfinished": walks that were cut, as they were too long or met a limit
 *
 * and of a violation its record, as pan's search writes it.
 *
 * profile: of STATES states at most, in random order, which variables tell them apart and where threads are in them; in so many
 * SECONDS (0: no limit):
 *
 *     {"type":"profile","states","steps","complete","late","crowded"}  "complete": there are no more states; "late": the time was
 *                up; "crowded": more variables
 *     {"type":"line","file","line","function","thread","states","loop"}
 *                the thread can go on there in so many states; "loop": where the outermost loop begins that it is in
 *     {"type":"thread","thread","going","waiting"}                     states in which it can go on, and cannot
 *     {"type":"part","kind","name","thread","values","without"}        of the variables that matter most: how many values it
 * has, and
 *                how many states would be left without it.  "kind": "global", "stack" or "heap", which have a name; "thread":
 * where
 *                the thread is, with variables in registers; "accesses": what is known of earlier ones, to find races.
 * "thread":
 *                whose it is
 *
 * tests: of each of the first ENDS ends of paths, in STATES states at most, a record
 *
 *     {"type":"test","blocked"}   "blocked": it is a state in which no thread can go on
 *
 * and then the events of the path and the violation; at the end
 *
 *     {"type":"tests","states","states_left_out","ends_left_out","cut"}
 *                "cut": paths that end at an assumption that does not hold, or at a limit
 *
 * traces: the number of Mazurkiewicz traces (search/bound/traces.h), from PAIRS pairs of states and sleep sets at most
 *
 *     {"type":"traces","traces","why","pairs"}   "traces": a number, in digits; or else "why" there is none
 *
 * simulate: see drive/simulate.c.
 */
#include "bitspin_vm.h"
#include "search/reduce/search_step.h"
#include "search/step/start.h"
#include "drive/drive.h"
#include "interpreter/proposition.h"
#include "search/base/plan.h"
#include "search/bound/profile.h"
#include "search/base/report.h"
#include "search/bound/shorten.h"
#include "search/bound/space.h"
#include "search/bound/tests.h"
#include "search/bound/traces.h"
#include "search/bound/random_walks.h"
#include "trace/record.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* End the process: a limit or a signal has ended the work. */
static void stop(enum vm_stop why)
{
	exit(why == STOP_SIGNAL ? 128 + SIGINT : 4);
}

/* ---- shorten ------------------------------------------------------------------------------------------------------- */

static json_t *place(uint32_t location)
{
	const struct image *image = &vm_this.image;
	if (location == 0)
		return NULL;
	return json_pack("{s:s, s:i}", "file", image_file(image, location), "line", (int)image_line(image, location));
}

static json_t *cost_json(const struct schedule_cost *cost)
{
	return json_pack("{s:I, s:I, s:I}", "steps", (json_int_t)cost->steps, "switches", (json_int_t)cost->switches, "preemptions",
			 (json_int_t)cost->preemptions);
}

static void write_schedule(const struct shortened *shortened)
{
	json_t *record = cost_json(&shortened->cost);
	json_object_set_new(record, "type", json_string("schedule"));
	json_object_set_new(record, "fewest", json_boolean(shortened->fewest));
	json_object_set_new(record, "given", cost_json(&shortened->given));
	vm_record_write(record);
	uint32_t count;
	struct preemption *all = vm_preemptions(shortened, &count);
	for (uint32_t i = 0; i < count; i++)
		vm_record_write(json_pack("{s:s, s:I, s:i, s:i, s:o*, s:o*}", "type", "switch", "step", (json_int_t)all[i].step,
					  "thread", (int)all[i].thread, "of", (int)all[i].of, "after", place(all[i].after),
					  "before", place(all[i].before)));
	free(all);
}

/* Tell the steps of a schedule, as pan replays a trail. */
static void tell(const struct schedule *schedule)
{
	int state = 0;
	vm_plan_replay();
	vm_this.step = 0;
	for (uint32_t i = 0; i < schedule->count; i++)
		state = vm_step(state, schedule->steps[i].slot, schedule->steps[i].choice);
}

static int shorten(const char *path, const char *work)
{
	char error[4400];
	struct schedule given = { 0 };
	struct shortened shortened;
	if (!schedule_read(&given, path, error, sizeof error)) {
		fprintf(stderr, "bitspin-drive: %s\n", error);
		return 2;
	}
	vm_driver.tries = true;
	bool good = vm_shorten(&given, strtoull(work, NULL, 10), &shortened);
	if (good) {
		vm_this.preemptions = shortened.cost.preemptions;
		write_schedule(&shortened);
		vm_driver.tries = false;
		tell(&shortened.schedule);
	}
	schedule_release(&given);
	schedule_release(&shortened.schedule);
	return good ? 0 : 3;
}

/* ---- walk ---------------------------------------------------------------------------------------------------------- */

static int walk(char **argv)
{
	struct walks_plan plan = {
		.seed = strtoull(argv[0], NULL, 10),
		.seconds = strtod(argv[1], NULL),
		.walks = strtoull(argv[2], NULL, 10),
	};
	struct walks_figures figures;
	struct schedule schedule = { 0 };
	struct vm_found found;
	bool violates = vm_walks(&plan, &schedule, &found, &figures);
	if (violates)
		vm_report_violation(found.kind, found.message, found.location, NULL, NULL);
	if (violates && !schedule_write(&schedule, argv[3])) {
		fprintf(stderr, "bitspin-drive: cannot write '%s'\n", argv[3]);
		return 2;
	}
	schedule_release(&schedule);
	return violates ? 0 : 3;
}

int main(int argc, char **argv)
{
	vm_driver = (struct vm_driver){ .asks_threads = true, .shows_values = true, .stop = stop };
	vm_start();
	if (argc == 3 && strcmp(argv[1], "graph") == 0) {
		vm_space_write((uint32_t)strtoul(argv[2], NULL, 10));
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "tests") == 0) {
		vm_tests_write((uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10), argv[4]);
		return 0;
	}
	if (argc == 4 && strcmp(argv[1], "profile") == 0) {
		vm_profile_write((uint32_t)strtoul(argv[2], NULL, 10), strtod(argv[3], NULL));
		return 0;
	}
	vm_plan_single_steps(); /* steps one by one */
	if (argc == 3 && strcmp(argv[1], "traces") == 0) {
		vm_traces_write(strtoul(argv[2], NULL, 10));
		return 0;
	}
	if (argc == 4 && strcmp(argv[1], "shorten") == 0)
		return shorten(argv[2], argv[3]);
	if (argc == 6 && strcmp(argv[1], "walk") == 0)
		return walk(argv + 2);
	if (argc == 2 && strcmp(argv[1], "simulate") == 0)
		return drive_simulate();
	fprintf(stderr,
		"usage: bitspin-drive shorten SCHEDULE WORK | graph STATES | walk SEED SECONDS WALKS SCHEDULE | profile STATES SECONDS | "
		"tests STATES ENDS SCRATCH | traces PAIRS | simulate\n");
	return 2;
}
