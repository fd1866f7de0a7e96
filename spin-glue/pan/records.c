/* SPDX-License-Identifier: MIT
 *
 * Reading the file of results, in which the VM writes a record for each thing that it finds (runtime/bitspin_vm.h).
 */
#include "outcome.h"
#include "job.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../../runtime/state/end.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void outcome_release(struct outcome *o)
{
	list_release(&o->cuts);
	free(o->stopped);
	free(o->unknown);
}

/* Add what reductions have saved.  Each process of a search has a record of its own. */
static void add_saved(struct statistics *statistics, const json_t *saved)
{
	for (int i = 0; i < REDUCTIONS; i++) {
		json_t *number = json_object_get(saved, reductions[i].name);
		if (!number)
			continue;
		statistics->saved[i] += (double)json_integer_value(number);
		statistics->reductions |= 1u << i;
	}
}

static void read_limit(struct job *job, const json_t *record, struct outcome *o)
{
	enum vm_limit limit = limit_named(json_string_value(json_object_get(record, "limit")));
	assert(json_object_get(record, "reason"));
	const char *file = json_string_value(json_object_get(record, "file"));
	long long line = json_integer_value(json_object_get(record, "line"));
	char *place = line ? text(" (at %s:%lld)", from_here(file), line) : text("%s", "");
	char *reason = text("%s%s", json_string_value(json_object_get(record, "reason")), place);
	restart_note(job, limit, record);
	o->too_deep = o->too_deep || limit == LIMIT_DEPTH;
	if (limit_cuts(limit))
		list_add(&o->cuts, reason);
	if (limit < VM_LIMITS)
		o->met |= limit_bit(limit);
	if (limit == LIMIT_STOPPED) {
		free(o->stopped);
		o->stopped = reason;
		reason = NULL;
	}
	free(reason);
	free(place);
}

/* Take the figures of states.  Each of several processes records what all have done until then: the record with most states is
 * the last, or of these, that with the fewest left. */
static void take_census(struct statistics *s, const json_t *record, struct outcome *o)
{
	double states = (double)json_integer_value(json_object_get(record, "states"));
	double left = (double)json_integer_value(json_object_get(record, "left"));
	assert(states >= 0 && left >= 0);
	if (states < o->counted || (states == o->counted && left >= o->left))
		return;
	s->states = o->counted = states;
	o->left = left;
}

static void read_statistics(struct job *job, const json_t *record, struct outcome *o)
{
	struct statistics *s = &job->result.statistics;
	double resident = (double)json_integer_value(json_object_get(record, "resident"));
	double bytes = (double)json_integer_value(json_object_get(record, "bytes"));
	double whole = (double)json_integer_value(json_object_get(record, "whole"));
	s->resident = resident > s->resident ? resident : s->resident;
	s->whole = whole > s->whole ? whole : s->whole;
	o->taken += (double)json_integer_value(json_object_get(record, "taken"));
	o->skipped += (double)json_integer_value(json_object_get(record, "skipped"));
	o->several = json_object_get(record, "left") != NULL;
	o->own_search = !o->several && json_object_get(record, "states");
	s->bytes = o->several ? (bytes > s->bytes ? bytes : s->bytes) : s->bytes + bytes; /* their table is one */
	if (o->several)
		take_census(s, record, o);
	if (o->own_search) {
		s->states = (double)json_integer_value(json_object_get(record, "states"));
		s->transitions = (double)json_integer_value(json_object_get(record, "transitions"));
		s->depth = (double)json_integer_value(json_object_get(record, "depth"));
	}
	add_saved(s, json_object_get(record, "saved"));
	json_decref(job->result.off);
	job->result.off = json_incref(json_object_get(record, "off"));
	s->rested += (double)json_integer_value(json_object_get(record, "rested"));
	s->runs += (double)json_integer_value(json_object_get(record, "ends"));
	valuations_add(job, json_object_get(record, "valuations"));
	unsigned threads = (unsigned)json_integer_value(json_object_get(record, "threads"));
	job->search.threads_used = threads > job->search.threads_used ? threads : job->search.threads_used;
	met_add(job, json_object_get(record, "met"));
	o->stored = (double)json_integer_value(json_object_get(record, "stored"));
	o->matched = (double)json_integer_value(json_object_get(record, "matched"));
	o->paths += (double)json_integer_value(json_object_get(record, "cut"));
	o->reasons += (double)json_integer_value(json_object_get(record, "reasons"));
	if (interrupts_found(job, record))
		o->met |= limit_bit(LIMIT_INTERRUPTS);
	o->finished = true;
}

static void take_bound(struct job *job, json_t *record)
{
	json_object_del(record, "type");
	assert(json_object_size(record) > 0);
	json_array_append(job->result.bounds, record);
}

/* Note as an assumption that the search went on from states that another search had left. */
static void assume_restored(struct job *job)
{
	char *assumption = text("what is in '%s' is as an earlier run of this search has left it (--checkpoint)",
				job->search.snapshot ? from_here(job->search.snapshot) : "");
	assume_at(&job->program, assumption, NULL, 0);
	free(assumption);
}

static void read_record(struct job *job, json_t *record, struct outcome *o)
{
	const char *type = json_string_value(json_object_get(record, "type"));
	if (!type)
		fail("internal error: a result without a type; this is a bug in bitspin, please report it");
	if (strcmp(type, "violation") == 0)
		json_array_append(job->result.violations, record);
	else if (strcmp(type, "inconclusive") == 0)
		read_limit(job, record, o);
	else if (strcmp(type, "assumption") == 0)
		assume_at(&job->program, json_string_value(json_object_get(record, "assumption")),
			  json_string_value(json_object_get(record, "file")),
			  (unsigned)json_integer_value(json_object_get(record, "line")));
	else if (strcmp(type, "suppressed") == 0)
		rules_note(job->result.suppressed, record);
	else if (strcmp(type, "bound") == 0)
		take_bound(job, record);
	else if (strcmp(type, "restored") == 0)
		assume_restored(job);
	else if (strcmp(type, "statistics") == 0)
		read_statistics(job, record, o);
}

void read_records(struct job *job, struct outcome *o)
{
	char *lines = read_file(job->search.records, NULL), *rest = lines, *line;
	while (rest && (line = strsep(&rest, "\n"))) {
		json_error_t error;
		json_t *record = *line ? json_loads(line, 0, &error) : NULL;
		if (*line && !record && rest) /* the last line may be cut short, where pan was killed */
			fail("internal error: a result that is no JSON: %s; this is a bug in bitspin, please report it", line);
		if (record)
			read_record(job, record, o);
		json_decref(record);
	}
	free(lines);
}
