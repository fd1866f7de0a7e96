/* SPDX-License-Identifier: MIT
 *
 * Which events of a trace the failure depends on: a backwards slice (Agrawal and Horgan, "Dynamic program slicing", PLDI 1990),
 * by the memory that events are about.  What a thread computes between reading and writing is not in a trace, so a write
 * counts as depending on what its thread has read since it wrote before.  So the slice may have more than is needed, or less;
 * and what only decides which way a thread goes is not looked for.  It is there to guide the eye: what orders threads is told
 * in any case.
 */
#include "pan.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* An event of the trace, with what is asked again and again. */
struct item {
	json_t *event;
	long long thread, object, offset, bytes; /* object: -1 if it is no access to memory, as of locks */
	bool reads, writes;                      /* of an access; an atomic exchange does both */
	bool relevant;
	int distance; /* of what is relevant: how many dependences lie between it and the failure */
};

struct trace {
	struct item *items;
	size_t count, several; /* the first event when there is more than one thread; `count` if there never is */
};

static bool is_action(const json_t *event, const char *action)
{
	return strcmp(field_text(event, "action"), action) == 0;
}

static struct item item_of(json_t *event)
{
	struct item item = { .event = event, .thread = field_number(event, "thread"), .object = -1 };
	bool access = is_action(event, "read") || is_action(event, "write") || is_action(event, "atomic");
	if (!access || sscanf(field_text(event, "address"), "%lld:%lld", &item.object, &item.offset) != 2) {
		item.object = -1;
		return item;
	}
	item.bytes = field_number(event, "bytes");
	item.writes = json_is_true(json_object_get(event, "write"));
	item.reads = !is_action(event, "write");
	return item;
}

static struct trace trace_read(const json_t *events)
{
	struct trace trace = { .count = json_array_size(events), .several = json_array_size(events) };
	trace.items = calloc(trace.count + 1, sizeof *trace.items);
	if (!trace.items)
		BUG("out of memory");
	for (size_t i = 0; i < trace.count; i++) {
		json_t *event = json_array_get(events, i);
		trace.items[i] = item_of(event);
		trace.items[i].relevant = json_is_true(json_object_get(event, "relevant")); /* already */
		if (trace.several == trace.count && is_action(event, "create"))
			trace.several = i;
	}
	assert(trace.several <= trace.count);
	return trace;
}

static bool overlap(const struct item *a, const struct item *b)
{
	return a->object == b->object && a->object >= 0 && a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static void mark(struct item *item, int distance)
{
	if (item->relevant && item->distance <= distance)
		return;
	item->distance = distance;
	item->relevant = true;
	json_object_set_new(item->event, "relevant", json_true());
	json_object_set_new(item->event, "distance", json_integer(distance));
}

/* Has nobody changed what `item` reads since there was more than one thread?  Then that is no news; in a program with one thread,
 * everything is. */
static bool is_settled(const struct trace *trace, const struct item *item)
{
	for (size_t i = trace->several; i < trace->count; i++)
		if (trace->items[i].writes && overlap(&trace->items[i], item))
			return false;
	return trace->several < trace->count;
}

/* Mark what the thread has read before event number `at`, back to what it wrote before, and at least one read. */
static void mark_inputs(const struct trace *trace, size_t at)
{
	assert(at < trace->count);
	long long thread = trace->items[at].thread;
	int distance = trace->items[at].distance + 1;
	for (bool any = false; at-- > 0;) {
		struct item *before = &trace->items[at];
		if (before->thread != thread)
			continue;
		bool counts = before->reads && (before->relevant || !is_settled(trace, before));
		if (counts)
			mark(before, distance);
		any = any || counts;
		if (any && before->writes)
			return;
	}
}

/* Mark the writes of what event number `at` has read. */
static void mark_source(const struct trace *trace, size_t at)
{
	assert(at < trace->count && trace->items[at].reads);
	const struct item *item = &trace->items[at];
	long long left = item->bytes;
	while (at-- > 0 && left > 0) {
		struct item *before = &trace->items[at];
		if (!before->writes || !overlap(before, item))
			continue;
		mark(before, item->distance + 1);
		left -= before->bytes;
	}
}

/* Does the event take the lock that a thread of the deadlock holds? */
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

/* Mark where the slice begins: the last event of a trace is the failure. */
static void mark_failure(const json_t *violation, const struct trace *trace)
{
	const json_t *other = json_object_get(violation, "other");
	if (!trace->count)
		return;
	const json_t *failure = trace->items[trace->count - 1].event;
	mark(&trace->items[trace->count - 1], 0);
	mark_inputs(trace, trace->count - 1);
	for (size_t i = 0; i < trace->count; i++) {
		struct item *item = &trace->items[i];
		bool there = item->object >= 0 && (is_at(item->event, failure) || (other && is_at(item->event, other)));
		if (is_action(item->event, "blocked") || takes(item->event, violation) || there)
			mark(item, there ? 1 : 0);
		else if (is_action(item->event, "wait") && strstr(field_text(item->event, "detail"), " times out"))
			mark(item, 3); /* the schedule has chosen that */
	}
}

/* Each event may be compared with all before it: nobody would see the marks of a trace that is longer than this. */
enum { MOST_EVENTS = 25000 };

/* Mark what the relevant events of a trace depend on, and so on; then forget the trace. */
static void mark_rest(struct trace *trace)
{
	for (size_t i = trace->count; i-- > 0;) {
		const struct item *item = &trace->items[i];
		if (item->relevant && item->reads)
			mark_source(trace, i);
		if (item->relevant && item->writes)
			mark_inputs(trace, i);
	}
	free(trace->items);
}

void mark_loop(json_t *violation)
{
	const json_t *events = json_object_get(violation, "trace"), *thread;
	long long from = field_number(violation, "loop");
	if (json_array_size(events) > MOST_EVENTS || from == 0)
		return;
	struct trace trace = trace_read(events);
	for (size_t i = 0; i < trace.count; i++)
		if (trace.items[i].reads && field_number(trace.items[i].event, "step") >= from)
			mark(&trace.items[i], 1);
	size_t k;
	json_array_foreach (json_object_get(violation, "starving"), k, thread) {
		size_t i = trace.count;
		while (i-- > 0 && trace.items[i].thread != field_number(thread, "thread"))
			;
		if (i < trace.count) /* the last that it has done */
			mark(&trace.items[i], 0);
	}
	mark_rest(&trace);
}

/* Is place `at` of the trace where events of the step may be? */
static bool is_between(const json_t *events, size_t at, long long step)
{
	return (at == 0 || field_number(json_array_get(events, at - 1), "step") <= step) &&
		field_number(json_array_get(events, at), "step") >= step;
}

/* Add an event to the trace at `place`: an object of the report with a thread and a step, and "at" where the VM knows it. */
static void add_event(json_t *violation, const json_t *place, const char *action, char *detail, const char *note)
{
	json_t *events = json_object_get(violation, "trace"), *event = json_object();
	static const char *const fields[] = { "file", "line", "column", "thread", "step" };
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		json_object_set(event, fields[i], json_object_get(place, fields[i]));
	const json_t *frame = json_array_get(json_object_get(place, "stack"), 0);
	json_object_set_new(event, "function", json_string(field_text(frame ? frame : place, "function")));
	json_object_set_new(event, "action", json_string(action));
	json_object_set_new(event, "detail", json_string(detail));
	json_object_set_new(event, "relevant", json_true());
	json_object_set_new(event, "distance", json_integer(0));
	if (note)
		json_object_set_new(event, "note", json_string(note));
	size_t last = json_array_size(events) - 1, at = (size_t)field_number(place, "at"); /* the failure comes last */
	if (at > last || !is_between(events, at, field_number(place, "step")))
		for (at = last; at > 0 && field_number(json_array_get(events, at - 1), "step") > field_number(place, "step");)
			at--;
	json_array_insert_new(events, at, event);
	free(detail);
}

/* Tell where a variable ended that is used later. */
static void add_end(json_t *violation, const json_t *left)
{
	json_t *event;
	size_t i;
	if (strstr(field_text(violation, "message"), "gone out of scope")) {
		add_event(violation, left, "exit", text("the block of %s ends", field_text(left, "object")), NULL);
	} else if (*field_text(left, "function")) {
		add_event(violation, left, "exit", text("%s returns", field_text(left, "function")), "its variables are gone");
	} else { /* the end of a thread is told */
		json_array_foreach (json_object_get(violation, "trace"), i, event) {
			if (!is_action(event, "exit") || field_number(event, "thread") != field_number(left, "thread"))
				continue;
			json_object_set_new(event, "relevant", json_true());
			json_object_set_new(event, "distance", json_integer(0));
			json_object_set_new(event, "note", json_string("its variables are gone"));
		}
	}
}

/* Tell of what the failure depends on and no event is about: the first access of a race in a call of the C library; the return of a
 * function whose variable is used later. */
static void add_unseen(json_t *violation)
{
	json_t *events = json_object_get(violation, "trace"), *other = json_object_get(violation, "other"), *event;
	const json_t *left = json_object_get(violation, "left");
	size_t i;
	bool told = false;
	if (!json_array_size(events))
		return;
	json_array_foreach (events, i, event)
		told = told || (other && i + 1 < json_array_size(events) && is_at(event, other) && item_of(event).object >= 0);
	if (left && field_number(left, "step") > 0)
		add_end(violation, left);
	if (!other || told || field_number(other, "step") == 0)
		return;
	/* "read of x by thread 1 and write by thread 2 at ..." */
	const char *message = field_text(violation, "message"), *from = strstr(message, " of "), *by = strstr(message, " by ");
	const char *its = by ? strstr(by, " and ") : NULL;
	if (from && from < by && its)
		add_event(violation, other, "read",
			  text("%.*s of %.*s", (int)strcspn(its + 5, " "), its + 5, (int)(by - from - 4), from + 4), NULL);
}

void mark_relevant(json_t *violation)
{
	const json_t *events = json_object_get(violation, "trace");
	if (json_array_size(events) > MOST_EVENTS)
		return;
	add_unseen(violation);
	explain_wakeups(violation);
	struct trace trace = trace_read(events);
	mark_failure(violation, &trace);
	mark_rest(&trace);
}
