/* SPDX-License-Identifier: MIT
 *
 * A violation that depends on a value that is not the newest: a schedule alone does not make a processor read it.  So the schedule
 * ends before the store that is not visible, and from there on the thread that stores and the one that reads go on at once, as in
 * a litmus test (runtime/native/repeat.c).
 *
 * x86 has nothing but buffers of stores, first in first out: what a thread stores after a store that is not visible is not
 * visible either.  So the value cannot be read there if what happens before the read depends on such a later store.  That is found
 * from the stores that the events name; what they do not tell is tried.
 */
#include "native.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the store that is not visible, and the event that meets an older value */
struct meeting {
	const json_t *trace;
	size_t store, met;
};

static bool is(const json_t *event, const char *action)
{
	return strcmp(field_text(event, "action"), action) == 0;
}

static bool writes(const json_t *event)
{
	return json_is_true(json_object_get(event, "write"));
}

/* Return the number of the event in which `step` has written to the address of `event`; SIZE_MAX: there is none. */
static size_t write_of(const json_t *trace, long long step, const json_t *event)
{
	size_t i, found = SIZE_MAX;
	const json_t *other;
	json_array_foreach (trace, i, other)
		if (field_number(other, "step") == step && writes(other) &&
		    strcmp(field_text(other, "address"), field_text(event, "address")) == 0)
			found = i;
	return found;
}

/* Return the last store before event `i` that waits in a buffer of another thread, under tso, and is what it would read; SIZE_MAX:
 * there is none. */
static size_t waiting_store(const json_t *trace, size_t i)
{
	const json_t *event = json_array_get(trace, i);
	size_t found = SIZE_MAX;
	for (size_t k = 0; k < i; k++) {
		const json_t *other = json_array_get(trace, k);
		if (json_is_true(json_object_get(other, "stale")) && writes(other) &&
		    field_number(other, "thread") != field_number(event, "thread") &&
		    strcmp(field_text(other, "address"), field_text(event, "address")) == 0)
			found = k;
	}
	return found;
}

/* Find the first meeting. */
static bool find_meeting(const json_t *violation, struct meeting *m)
{
	size_t i;
	const json_t *event;
	m->trace = json_object_get(violation, "trace");
	json_array_foreach (m->trace, i, event) {
		if (!json_is_true(json_object_get(event, "stale")))
			continue;
		const json_t *newer = json_array_get(json_object_get(event, "newer"), 0);
		m->met = i;
		m->store = newer ? write_of(m->trace, json_integer_value(newer), event) : waiting_store(m->trace, i);
		if (newer || (!writes(event) && m->store != SIZE_MAX))
			return m->store != SIZE_MAX;
	}
	return false;
}

/* Up to which event each thread must have read, and up to which its stores must be visible, so that the older value is met. */
struct needed {
	size_t read[NATIVE_THREADS], seen[NATIVE_THREADS];
};

static bool raise_to(size_t *bound, size_t to)
{
	bool more = *bound < to;
	*bound = more ? to : *bound;
	return more;
}

/* Follow an event to the store that it has met.  Return whether more is needed than before. */
static bool follow(const struct meeting *m, size_t i, struct needed *needed)
{
	const json_t *event = json_array_get(m->trace, i);
	size_t thread = (size_t)field_number(event, "thread") % NATIVE_THREADS;
	bool modifies = is(event, "atomic") && writes(event), more = false;
	bool done = writes(event) && !modifies ? i + 1 <= needed->seen[thread] :
						 i + 1 <= needed->read[thread] || i + 1 <= needed->seen[thread];
	if (!done)
		return false;
	if (modifies) /* it empties the buffer first */
		more |= raise_to(&needed->seen[thread], i + 1);
	long long step = field_number(event, "store");
	size_t store = step ? write_of(m->trace, step, event) : SIZE_MAX;
	size_t other = store == SIZE_MAX ? thread :
					   (size_t)field_number(json_array_get(m->trace, store), "thread") % NATIVE_THREADS;
	if (other != thread) /* its own it reads from its buffer */
		more |= raise_to(&needed->seen[other], store + 1);
	return more;
}

/* Can x86 do it, as far as the events tell? */
static bool may_happen(const struct meeting *m)
{
	struct needed *needed = calloc(1, sizeof *needed);
	if (!needed)
		BUG("out of memory");
	const json_t *met = json_array_get(m->trace, m->met), *store = json_array_get(m->trace, m->store);
	size_t reader = (size_t)field_number(met, "thread") % NATIVE_THREADS,
	       writer = (size_t)field_number(store, "thread") % NATIVE_THREADS;
	bool puts_behind = writes(met);
	*(puts_behind ? &needed->seen[reader] : &needed->read[reader]) = m->met + 1;
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < json_array_size(m->trace); i++)
			more |= follow(m, i, needed);
	}
	bool may = needed->seen[writer] <= m->store;
	free(needed);
	return may;
}

/* Return how many turns come before that of the store; 0 if there is no such turn. */
static size_t turns_before(const struct schedule *s, const json_t *store)
{
	size_t end = s->nturns;
	while (end && s->steps[end - 1] > field_number(store, "step"))
		end--;
	return end && s->turns[end - 1].thread == (int)field_number(store, "thread") ? end - 1 : 0;
}

/* Return how many turns there are until both threads are made, if they have no turn before; else 0. */
static size_t turns_to_start(const struct schedule *s)
{
	size_t end = 0;
	int born = 0;
	for (size_t i = 0; i < s->nturns && born < 2; i++) {
		if (s->turns[i].thread == s->racers[0] || s->turns[i].thread == s->racers[1])
			return 0;
		born += s->turns[i].born == s->racers[0] || s->turns[i].born == s->racers[1];
		end = i + 1;
	}
	return born == 2 ? end : 0;
}

/* Let the schedule end before the store, and the threads rest where they are then.  A thread may make a store that waits in its
 * buffer before it has a turn; both threads rest at their starts then.  Return false if there is no such place. */
static bool cut(struct schedule *s, const struct meeting *m)
{
	const json_t *store = json_array_get(m->trace, m->store);
	s->racers[0] = (int)field_number(store, "thread");
	s->racers[1] = (int)field_number(json_array_get(m->trace, m->met), "thread");
	size_t end = turns_before(s, store);
	if (!end) {
		end = turns_to_start(s);
		s->from_start = 1;
	}
	for (size_t i = s->nturns; i-- > end;) {
		const struct native_turn *t = &s->turns[i];
		s->rests[t->thread] = (struct native_rest){ t->key, t->count, t->begun };
	}
	for (unsigned i = 0; i < 2 && s->from_start; i++)
		s->rests[s->racers[i]].count = 0;
	for (size_t i = 0; i < end; i++)
		s->turns[i].next = s->turns[i].next >= (int)end ? -1 : s->turns[i].next;
	for (int t = 0; t < s->nthreads; t++)
		s->first[t] = s->first[t] >= (int)end ? -1 : s->first[t];
	s->nturns = end;
	return end > 0;
}

static bool not_confirmable(const struct native *n, const char *why)
{
	printf("not confirmable: step %lld meets an older value, which %s\n", n->schedule->stale, why);
	return false;
}

static bool repeat(const struct native *n, const struct meeting *m, unsigned long times)
{
	struct schedule loose = *n->schedule;
	struct native other = *n;
	loose.turns = malloc(loose.nturns * sizeof *loose.turns);
	if (!loose.turns)
		BUG("out of memory");
	memcpy(loose.turns, n->schedule->turns, loose.nturns * sizeof *loose.turns);
	loose.repeat = (int)times;
	other.schedule = &loose;
	bool fits = cut(&loose, m), good = false;
	char *path = text("%s/program", n->job->program.work),
	     *error = fits ? native_build(&other, SANITIZER_NONE, "", path) : NULL;
	if (!fits) {
		not_confirmable(n, "a native run cannot be made to do: the schedule cannot be cut before it");
	} else if (error) {
		char *why = text("a native run cannot show: of the native program, %s", error);
		not_confirmable(n, why);
		free(why);
	} else {
		struct native_run run;
		native_start(&other, SANITIZER_NONE, path, &run);
		good = native_died_there(&other, &run);
		char *runs = text_number(run.report.runs), *why = text("none of %s native runs has done", runs);
		const char *file = field_text(n->violation, "file");
		if (good)
			native_confirmed("it dies of SIGABRT at %s:%lld, in run %s, which met an older value", from_here(file),
					 field_number(n->violation, "line"), runs);
		else
			not_confirmable(n, why);
		free(runs);
		free(why);
		native_run_release(&run);
	}
	free(loose.turns);
	free(path);
	free(error);
	return good;
}

bool native_confirm_stale(const struct native *n)
{
	struct meeting m;
	unsigned long times = n->job->inputs->options.repeat;
	if (!find_meeting(n->violation, &m) || !may_happen(&m) || !native_dies(n))
		return not_confirmable(n, "a native run cannot be made to do");
	if (!times)
		return not_confirmable(n, "a native run cannot be made to do; --repeat N tries whether the processor does it");
	return repeat(n, &m, times);
}
