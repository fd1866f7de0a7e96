/* SPDX-License-Identifier: MIT
 *
 * Which events of a trace the failure depends on: a backwards slice (Agrawal and Horgan, "Dynamic program slicing", PLDI 1990),
 * by the memory that events are about.  What a thread computes between reading and writing is not in a trace, so a write
 * counts as depending on what its thread has read since it wrote before.  So the slice may have more than is needed, or less;
 * and what only decides which way a thread goes is not looked for.  It is there to guide the eye: what orders threads is told
 * in any case.
 */
#include "pan.h"
#include "../base/fields.h"

#include <string.h>

static bool is_action(const json_t *event, const char *action)
{
	return strcmp(field_text(event, "action"), action) == 0;
}

/* of memory, not of locks and the like */
static bool is_access(const json_t *event)
{
	return json_object_get(event, "address") &&
		(is_action(event, "read") || is_action(event, "write") || is_action(event, "atomic"));
}

static bool writes(const json_t *event)
{
	return is_access(event) && json_is_true(json_object_get(event, "write"));
}

/* An atomic exchange does both. */
static bool reads(const json_t *event)
{
	return is_access(event) && !is_action(event, "write");
}

/* "OBJECT:OFFSET" of both, and as many bytes from there on. */
static bool overlap(const json_t *a, const json_t *b)
{
	long long object[2], offset[2];
	if (sscanf(field_text(a, "address"), "%lld:%lld", &object[0], &offset[0]) != 2 ||
	    sscanf(field_text(b, "address"), "%lld:%lld", &object[1], &offset[1]) != 2)
		return false;
	return object[0] == object[1] && offset[0] < offset[1] + field_number(b, "bytes") &&
		offset[1] < offset[0] + field_number(a, "bytes");
}

static bool is_relevant(const json_t *event)
{
	return json_is_true(json_object_get(event, "relevant"));
}

static void mark(json_t *event)
{
	json_object_set_new(event, "relevant", json_true());
}

/* Has nobody changed what is read here since there was more than one thread?  Then it is no news; of a program with one
 * thread, all is. */
static bool is_settled(const json_t *trace, const json_t *event)
{
	bool several = false;
	const json_t *other;
	size_t i;
	json_array_foreach (trace, i, other) {
		several = several || is_action(other, "create");
		if (several && writes(other) && overlap(other, event))
			return false;
	}
	return several;
}

/* What a thread has read before event number `at`, up to what it wrote before; at least one. */
static void mark_inputs(json_t *trace, size_t at)
{
	json_int_t thread = field_number(json_array_get(trace, at), "thread");
	for (bool any = false; at-- > 0;) {
		json_t *before = json_array_get(trace, at);
		if (field_number(before, "thread") != thread)
			continue;
		bool counts = reads(before) && !is_settled(trace, before);
		if (counts)
			mark(before);
		any = any || counts;
		if (any && writes(before))
			return;
	}
}

/* The writes of what event number `at` has read. */
static void mark_source(json_t *trace, size_t at)
{
	const json_t *event = json_array_get(trace, at);
	json_int_t left = field_number(event, "bytes");
	while (at-- > 0 && left > 0) {
		json_t *before = json_array_get(trace, at);
		if (!writes(before) || !overlap(before, event))
			continue;
		mark(before);
		left -= field_number(before, "bytes");
	}
}

/* The lock that a thread of a deadlock holds was taken here. */
static bool takes(const json_t *event, const json_t *violation)
{
	const json_t *thread, *held;
	size_t i, j;
	if (!is_action(event, "lock"))
		return false;
	json_array_foreach (json_object_get(violation, "threads"), i, thread)
		json_array_foreach (json_object_get(thread, "holds"), j, held)
			if (field_number(thread, "thread") == field_number(event, "thread") &&
			    field_number(held, "line") == field_number(event, "line") &&
			    strcmp(field_text(held, "object"), field_text(event, "object")) == 0)
				return true;
	return false;
}

static bool is_at(const json_t *event, const json_t *place)
{
	return field_number(event, "thread") == field_number(place, "thread") &&
		field_number(event, "line") == field_number(place, "line") &&
		strcmp(field_text(event, "file"), field_text(place, "file")) == 0;
}

/* Where the slice begins: the last event of a trace is the failure. */
static void mark_failure(const json_t *violation, json_t *trace)
{
	size_t last = json_array_size(trace), i;
	json_t *failure = last ? json_array_get(trace, last - 1) : NULL, *event;
	const json_t *other = json_object_get(violation, "other");
	if (!failure)
		return;
	mark(failure);
	mark_inputs(trace, last - 1);
	json_array_foreach (trace, i, event)
		if (is_action(event, "blocked") || takes(event, violation) || (is_access(event) && is_at(event, failure)) ||
		    (other && is_access(event) && is_at(event, other)))
			mark(event);
}

/* Each event may be compared with all before it: nobody would see the marks of a trace that is longer than this. */
enum { MOST_EVENTS = 25000 };

void mark_relevant(json_t *violation)
{
	json_t *trace = json_object_get(violation, "trace");
	if (json_array_size(trace) > MOST_EVENTS)
		return;
	mark_failure(violation, trace);
	for (size_t i = json_array_size(trace); i-- > 0;) {
		json_t *event = json_array_get(trace, i);
		if (!is_relevant(event))
			continue;
		if (reads(event))
			mark_source(trace, i);
		if (writes(event))
			mark_inputs(trace, i);
	}
}
