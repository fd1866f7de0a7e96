/* SPDX-License-Identifier: MIT
 *
 * What to do next where a verdict is inconclusive: two or three commands, chosen by what was measured, those first that most likely
 * lead to a verdict.
 */
#include "report.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../options/rows.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../../runtime/state/machine.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3, USUAL_SECONDS = 300, LONGER = 5 /* times the time that did not suffice */ };

struct advice {
	const struct job *job;
	json_t *items; /* array of {"command" or "edit","why"} */
};

static bool is_full(const struct advice *a)
{
	return json_array_size(a->items) >= MOST;
}

static void add(struct advice *a, const char *what, char *words, char *why)
{
	if (!is_full(a))
		json_array_append_new(a->items, json_pack("{s:s, s:s}", what, words, "why", why));
	free(words);
	free(why);
}

/* Advise the same command with other options in the place of `without`. */
static void try_with(struct advice *a, const char *command, const enum option_id *without, char *with, char *why)
{
	add(a, "command", options_again(&a->job->inputs->options, command, without, with), why);
	free(with);
}
/* a checkpoint is of one command: others are refused it */
#define WITHOUT(...) \
	(const enum option_id[]) \
	{ \
		__VA_ARGS__, OPT_CHECKPOINT, OPTIONS \
	}

/* Return the time for a search that takes longer, as an option, malloc'ed; "" where time has ended nothing. */
static char *longer(const struct job *job)
{
	unsigned long seconds = job->inputs->options.max_time ? LONGER * job->inputs->options.max_time : USUAL_SECONDS;
	return job->result.end == PROCESS_TIMED_OUT ? text(" --max-time %lu", seconds) : text("%s", "");
}

static bool met(const struct job *job, enum vm_limit limit)
{
	return (job->result.limits & limit_bit(limit)) != 0;
}

/* ---- what cut paths, or narrowed the search ---------------------------------------------------------------------------- */

/* Return the function that a reason is about, "getaddrinfo is called, ...", malloc'ed; NULL if it is about none. */
static char *called(const char *reason)
{
	size_t length = reason ? strcspn(reason, " ") : 0;
	bool is_call = length > 0 && strncmp(reason + length, " is called", strlen(" is called")) == 0;
	return is_call ? text("%.*s", (int)length, reason) : NULL;
}

static void after_cuts(struct advice *a)
{
	const struct job *job = a->job;
	const struct options *o = &job->inputs->options;
	char *function = met(job, LIMIT_FUNCTION) ? called(job->result.reason) : NULL;
	if (function)
		try_with(a, "check", WITHOUT(OPT_CHECKPOINT), text("--extern %s=choose:0..1", function),
			 text("where it returns 0 or 1, and does nothing else; or say nop, any, pure, native"));
	if (met(job, LIMIT_FUNCTION) || met(job, LIMIT_CODE)) {
		try_with(a, "audit", WITHOUT(OPT_MAX_TIME), text("%s", ""),
			 text("lists what the program calls, and what is not modelled"));
		if (!function)
			add(a, "edit", text("--extern NAME=choose:0..1"),
			    text("says what a function around that does; or nop, pure, native"));
	}
	free(function);
	if (met(job, LIMIT_CLOCK))
		try_with(a, "check", WITHOUT(OPT_CLOCK), text("--clock forward:%lu", 2 * o->clock.moves + 2),
			 text("lets the clock go forward more often"));
	if (met(job, LIMIT_VALUES) && image_inputs_are_whole(o->input_values))
		try_with(a, "check", WITHOUT(OPT_MAX_VALUES), text("--max-values %lu", o->max_values ? 16 * o->max_values : 4096),
			 text("tells more values of an input apart"));
	if (met(job, LIMIT_INPUT_TYPE))
		add(a, "edit", text("bitspin_choose(-8, 8) / 2.0, or &table[bitspin_choose(0, 9)]"),
		    text("makes such an input of an integer, of which each value is tried"));
	if (met(job, LIMIT_SOLVER))
		try_with(a, "check", WITHOUT(OPT_SOLVER_BUDGET),
			 text("--solver-budget %lu", 16 * (o->solver_budget ? o->solver_budget : SOLVER_BUDGET)),
			 text("lets the solver work longer on each question; a smaller range of an input makes questions easier"));
	if (met(job, LIMIT_LOST_POINTERS))
		try_with(a, "check", WITHOUT(OPT_HIDDEN_POINTERS), text("--hidden-pointers"),
			 text("keeps memory to which a pointer in disguise may lead"));
	if (met(job, LIMIT_MIXED_SIZES))
		try_with(a, "check", WITHOUT(OPT_MEMORY), text("--memory sc"),
			 text("the same program under sequential consistency"));
	if (job->result.too_deep)
		try_with(a, "check", WITHOUT(OPT_MAX_DEPTH), text("%s", ""), text("as deep as the program goes"));
}

static void after_narrowing(struct advice *a)
{
	const struct job *job = a->job;
	const struct options *o = &job->inputs->options;
	if (job->program.narrowed && o->sets_fit && o->input_values == INPUTS_FEW)
		try_with(a, "check", WITHOUT(OPT_INPUTS), text("--inputs sets"), text("all values of the input, as sets"));
	if (met(job, LIMIT_STALENESS) && o->staleness)
		try_with(a, "check", WITHOUT(OPT_MEMORY), text("--memory %s", o->memory == MEMORY_TSO ? "tso" : "c11"),
			 text("lets threads read as old values as there are"));
	if (met(job, LIMIT_PREEMPTIONS) && job->search.complete) {
		try_with(a, "check", WITHOUT(OPT_PREEMPTIONS), text("--preemptions %u", o->preemptions + 1),
			 text("the next bound"));
		try_with(a, "check", WITHOUT(OPT_PREEMPTIONS), text("--preemptions iterate"),
			 text("one bound after the other, until all is explored"));
	}
	if (o->search == SEARCH_BITSTATE || o->search == SEARCH_HASH_COMPACT || o->search == SEARCH_RANDOM)
		try_with(a, "check", WITHOUT(OPT_SEARCH, OPT_WALKS, OPT_SEED), text("%s", ""),
			 text("keeps whole states: only such a search verifies"));
}

/* ---- time and memory --------------------------------------------------------------------------------------------------- */

/* Return the first record of the profile with this type. */
static const json_t *profiled(const struct job *job, const char *type)
{
	const json_t *record;
	size_t i;
	json_array_foreach (job->result.profile, i, record)
		if (field_is(record, "type", type))
			return record;
	return NULL;
}

/* Has slicing left a variable of that name out of states? */
static bool is_left_out(const struct job *job, const char *name)
{
	const json_t *one;
	size_t i;
	json_array_foreach (job->program.left_out, i, one)
		if (strncmp(field_text(one, "name"), name, strlen(name)) == 0)
			return true;
	return false;
}

/* Name the global variable that makes most states, if it makes many alone. */
static void advise_variable(struct advice *a)
{
	const struct options *o = &a->job->inputs->options;
	const json_t *part;
	size_t i;
	double states = (double)field_number(profiled(a->job, "profile"), "states");
	json_array_foreach (a->job->result.profile, i, part) {
		bool global = field_is(part, "type", "part") && field_is(part, "kind", "global");
		double without = (double)field_number(part, "without");
		const char *name = field_text(part, "name");
		if (!global || !*name || strpbrk(name, " #") || without > 0.7 * states || o->abstractions.count ||
		    is_left_out(a->job, name))
			continue;
		add(a, "edit", text("fewer values of %s, or --mask %s where no error depends on it", name, name),
		    text("without it, %.0f of %.0f states drawn would be left", without, states));
		return;
	}
}

/* Return the loop in which threads can go on in most states, as the loops of a profile's lines have it; NULL: in none. */
static const json_t *busiest_loop(const struct job *job, double *share)
{
	const json_t *record, *other, *best = NULL;
	double most = 0, all = 0;
	size_t i, k;
	json_array_foreach (job->result.profile, i, record) {
		double states = 0;
		if (!field_is(record, "type", "line"))
			continue;
		const json_t *loop = json_object_get(record, "loop");
		all += (double)field_number(record, "states");
		json_array_foreach (job->result.profile, k, other)
			if (loop && json_equal(loop, json_object_get(other, "loop")))
				states += (double)field_number(other, "states");
		if (states > most) {
			most = states;
			best = loop;
		}
	}
	*share = all > 0 ? most / all : 0;
	return best;
}

static void advise_loop(struct advice *a)
{
	double share;
	const json_t *loop = busiest_loop(a->job, &share);
	if (loop && share > 0.5)
		add(a, "edit",
		    text("fewer rounds of the loop at %s:%lld", from_here(field_text(loop, "file")), field_number(loop, "line")),
		    text("%.0f %% of the steps that threads can take next are in it", 100 * share));
}

/* Advise the bound that comes next, with how long it may take by the growth so far. */
static void advise_bound(struct advice *a)
{
	const struct job *job = a->job;
	const struct options *o = &job->inputs->options;
	const json_t *bounds = job->result.rungs ? json_object_get(job->result.rungs, "bounds") : job->result.bounds;
	size_t count = json_array_size(bounds);
	if (o->masks.count + o->abstractions.count || job->program.formula || o->identity != IDENTITY_STATE || count == 0)
		return;
	double last = json_number_value(json_object_get(json_array_get(bounds, count - 1), "seconds"));
	double before = count > 1 ? json_number_value(json_object_get(json_array_get(bounds, count - 2), "seconds")) : 0;
	double growth = before > 0.01 ? fmax(last / before, 2) : 0;
	char *took = growth > 0 ? text(", some %.0f s by the growth so far", fmax(1, ceil(last * growth))) : text("%s", "");
	try_with(a, "check", WITHOUT(OPT_PREEMPTIONS, OPT_MAX_TIME), text("--preemptions %zu", count),
		 text("the bound that comes next%s", took));
	free(took);
}

static void advise_memory(struct advice *a)
{
	const struct options *o = &a->job->inputs->options;
	unsigned long now = o->max_memory ? o->max_memory : (unsigned long)(a->job->search.memory_limit / MEGABYTE);
	unsigned long most = (unsigned long)((double)image_usual_memory() / MEGABYTE);
	if (now > 0 && now < most)
		try_with(a, "check", WITHOUT(OPT_MAX_MEMORY), text("--max-memory %lu", 8 * now < most ? 8 * now : most),
			 text("this machine has that much"));
}

static void advise_swarm(struct advice *a)
{
	unsigned long seconds = a->job->inputs->options.max_time;
	static const enum option_id chosen[] = { OPT_SEARCH,   OPT_SEED,     OPT_PREEMPTIONS, OPT_CORES, OPT_WALKS,
						 OPT_IDENTITY, OPT_MAX_TIME, OPT_GRAPH,       OPT_PLOT,  OPT_KEEP,
						 OPT_ALL,      OPT_SHORTEST, OPT_CHECKPOINT,  OPTIONS };
	if (a->job->inputs->options.masks.count + a->job->inputs->options.abstractions.count)
		return;
	try_with(a, "swarm", chosen, text("--max-time %lu", seconds > 60 ? seconds : 60),
		 text("many small searches, each with an order of its own: they find, and do not verify"));
}

/* A run that takes so long leaves no time for any other. */
static void advise_run(struct advice *a)
{
	const char *at = strrchr(a->job->result.stopped, '('), *place = at ? at + strlen("(at ") : NULL;
	if (place && strncmp(at, "(at ", strlen("(at ")) == 0)
		add(a, "edit", text("fewer rounds of the loop at %.*s, or less data there", (int)strcspn(place, ")"), place),
		    text("the time went there"));
	char *longer_time = longer(a->job);
	try_with(a, "check", WITHOUT(OPT_MAX_TIME), text("%s", longer_time), text("if the run comes to its end by then"));
	free(longer_time);
}

/* Advise the same command with more time, which goes on from its checkpoint; all of it, if it goes from bound to bound. */
static void advise_checkpoint(struct advice *a)
{
	const struct options *o = &a->job->inputs->options;
	static const enum option_id without[] = { OPT_MAX_TIME, OPTIONS };
	if (!o->checkpoint || !o->bounded)
		return;
	char *longer_time = longer(a->job);
	try_with(a, "check", without, text("%s", longer_time), text("goes on from the checkpoint"));
	free(longer_time);
}

static void after_time(struct advice *a)
{
	const struct job *job = a->job;
	bool late = job->result.end == PROCESS_TIMED_OUT || job->result.end == PROCESS_INTERRUPTED;
	if (!late && !job->search.starved)
		return;
	if (job->result.stopped) {
		advise_run(a);
		return;
	}
	if (late && job->inputs->options.input_values == INPUTS_ENUMERATED && job->program.input)
		try_with(a, "check", WITHOUT(OPT_INPUTS), text("--inputs sets"), text("all values of an input at once, as a set"));
	if (late && job->inputs->options.input_values == INPUTS_SETS)
		try_with(a, "check", WITHOUT(OPT_INPUTS), text("--inputs symbolic"),
			 text("a number that is made of several inputs, as by atoi(), is not told apart"));
	if (job->search.starved)
		advise_memory(a);
	advise_checkpoint(a);
	advise_loop(a);
	advise_variable(a);
	advise_bound(a);
	advise_swarm(a);
	char *longer_time = longer(job);
	try_with(a, "check", WITHOUT(OPT_MAX_TIME, OPT_SEARCH), text("--search random%s", longer_time),
		 text("looks for what shows soon"));
	free(longer_time);
}

/* A swarm gets further with more time. */
static void after_swarm(struct advice *a)
{
	const struct options *o = &a->job->inputs->options;
	unsigned long seconds = o->max_time ? o->max_time : 60;
	try_with(a, "swarm", WITHOUT(OPT_MAX_TIME), text("--max-time %lu", LONGER * seconds),
		 text("more searches, and each of them longer"));
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

json_t *advice_json(const struct job *job)
{
	struct advice a = { .job = job, .items = json_array() };
	if (job->result.verdict == VERDICT_INCONCLUSIVE && job->inputs->options.command == 'C') {
		after_cuts(&a);
		after_narrowing(&a);
		after_time(&a);
	}
	if (job->result.verdict == VERDICT_INCONCLUSIVE && job->inputs->options.command == 'W')
		after_swarm(&a);
	assert(json_array_size(a.items) <= MOST);
	return a.items;
}

void advice_print(const struct job *job, void (*say)(const char *line))
{
	json_t *items = advice_json(job), *item;
	size_t i;
	json_array_foreach (items, i, item) {
		const char *command = field_text(item, "command"), *edit = field_text(item, "edit");
		const char *why = field_text(item, "why");
		char *line = *edit ? text("  # try %s: %s", edit, why) : text("  %s  # %s", command, why);
		if (i == 0)
			say("what may lead to a verdict:");
		say(line);
		free(line);
	}
	json_decref(items);
}
