/* SPDX-License-Identifier: MIT
 *
 * Why a thread still waits for a signal when nothing can go on: which signals there were on its condition or futex, whom they
 * woke, and what the thread had read before it began to wait.  Of a semaphore: who took what was posted.  All is read off the
 * trace, so each sentence is about this schedule only.
 */
#include "pan.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, CAUSES = 6 };

struct wakeups {
	json_t *violation;
	const json_t *trace;
	json_t *causes;
	json_t *left;       /* object: number of a signal that woke another thread, and the threads that it left waiting */
	const char *signal; /* what wakes the thread that is explained, as people call it */
};

static const json_t *event_at(const struct wakeups *w, long at)
{
	assert(at >= 0 && at < (long)json_array_size(w->trace));
	return json_array_get(w->trace, (size_t)at);
}

static bool is(const json_t *event, const char *action)
{
	return field_is(event, "action", action);
}

static bool is_about(const json_t *event, const char *address)
{
	return strcmp(field_text(event, "address"), address) == 0;
}

static bool is_by(const json_t *event, long long thread)
{
	return field_number(event, "thread") == thread;
}

/* Does the signal wake the thread? */
static bool wakes(const json_t *signal, long long thread)
{
	const json_t *slot, *to = json_object_get(signal, "to");
	size_t i;
	if (to && json_integer_value(to) == thread)
		return true;
	json_array_foreach (json_object_get(signal, "woken"), i, slot)
		if (json_integer_value(slot) == thread)
			return true;
	return false;
}

static bool wakes_nobody(const json_t *signal)
{
	return !json_object_get(signal, "to") && !json_object_get(signal, "woken");
}

static void mark(const struct wakeups *w, long at, const char *note)
{
	assert(at >= 0 && at < (long)json_array_size(w->trace));
	json_t *event = json_array_get(w->trace, (size_t)at);
	json_object_set_new(event, "relevant", json_true());
	json_object_set_new(event, "distance", json_integer(0));
	if (note && !json_object_get(event, "note"))
		json_object_set_new(event, "note", json_string(note));
}

/* Return where an event is, as "step 15 (wakeup.c:25)", malloc'ed. */
static char *place_of(const json_t *event)
{
	return text("step %lld (%s:%lld)", field_number(event, "step"), base_name(field_text(event, "file")),
		    field_number(event, "line"));
}

/* Tell a cause at the place of an event.  Takes `words`. */
static void tell(struct wakeups *w, const json_t *event, char *words)
{
	if (json_array_size(w->causes) < CAUSES)
		json_array_append_new(w->causes,
				      json_pack("{s:s, s:s, s:I, s:I}", "text", words, "file", field_text(event, "file"), "line",
						(json_int_t)field_number(event, "line"), "column",
						(json_int_t)field_number(event, "column")));
	free(words);
}

/* ---- what the thread had read -------------------------------------------------------------------------------------- */

/* Return the number of the event with which the thread took the mutex that it gave back in its wait `at`; NONE if none is known. */
static long taken_before(const struct wakeups *w, long at, long long thread)
{
	const char *mutex = field_text(event_at(w, at), "releases");
	for (long i = at; *mutex && i-- > 0;)
		if (is(event_at(w, i), "lock") && is_by(event_at(w, i), thread) && is_about(event_at(w, i), mutex))
			return i;
	return NONE;
}

/* Mark what others write to what the thread has read, from event `from` on. */
static void mark_writes(const struct wakeups *w, const char *address, long long thread, long from)
{
	for (long i = from; i < (long)json_array_size(w->trace); i++) {
		const json_t *event = event_at(w, i);
		if (!is_by(event, thread) && is_about(event, address) && json_is_true(json_object_get(event, "write")) &&
		    (is(event, "write") || is(event, "atomic")))
			mark(w, i, NULL);
	}
}

/* Mark what the thread has read of the futex on which it waits: the word decides whether the wait begins.  Return as
 * mark_condition() does. */
static long mark_word(const struct wakeups *w, long at, long long thread)
{
	const char *futex = field_text(event_at(w, at), "address");
	for (long i = at; i-- > 0;) {
		const json_t *event = event_at(w, i);
		if (!is_by(event, thread) || !is_about(event, futex) || !(is(event, "read") || is(event, "atomic")))
			continue;
		mark(w, i, NULL);
		mark_writes(w, futex, thread, at);
		return i;
	}
	return NONE;
}

/* Mark the condition of the wait: what the thread has read with the mutex in hand, and who writes it later.  Return the last of
 * these reads; NONE if there is none. */
static long mark_condition(const struct wakeups *w, long at, long long thread)
{
	assert(is(event_at(w, at), "wait") && is_by(event_at(w, at), thread));
	long from = taken_before(w, at, thread), last = NONE;
	for (long i = from; from != NONE && i < at; i++) {
		const json_t *event = event_at(w, i);
		if (!is_by(event, thread))
			continue;
		if (is(event, "write")) /* what was read before that may have been for it */
			last = NONE;
		if (is(event, "read") || is(event, "atomic"))
			last = i;
	}
	if (last == NONE)
		return NONE;
	mark(w, last, NULL);
	mark_writes(w, field_text(event_at(w, last), "address"), thread, at);
	return last;
}

/* ---- signals ------------------------------------------------------------------------------------------------------- */

/* Mark the last write by others to what `thread` reads at `read`, if it comes after the signal. */
static void mark_change(const struct wakeups *w, long signal, long read, long long thread)
{
	const char *address = field_text(event_at(w, read), "address");
	for (long i = read; --i > signal;) {
		const json_t *event = event_at(w, i);
		if (is_by(event, thread) || !is_about(event, address) || !json_is_true(json_object_get(event, "write")))
			continue;
		char *note = text("before thread %lld has looked", thread);
		mark(w, i, note);
		free(note);
		return;
	}
}

/* Tell of the last signal before the wait `at`: it woke nobody, or it woke this thread, which waits again. */
static void tell_earlier(struct wakeups *w, long at, long read, long long thread)
{
	assert(read == NONE || read < at); /* what it waits for was read before */
	const char *condition = field_text(event_at(w, at), "address");
	long i = at;
	while (i-- > 0 && !(is(event_at(w, i), "signal") && is_about(event_at(w, i), condition) && !is_by(event_at(w, i), thread)))
		;
	if (i < 0)
		return;
	const json_t *signal = event_at(w, i);
	char *where = place_of(signal), *wait = place_of(event_at(w, at));
	if (wakes_nobody(signal)) {
		char *note = text("before thread %lld waits", thread);
		mark(w, i, note);
		free(note);
		tell(w, signal,
		     text("the %s at %s woke nobody: thread %lld began to wait after it, at %s", w->signal, where, thread, wait));
	} else if (wakes(signal, thread)) {
		const char *found = read == NONE ? "" : field_text(event_at(w, read), "detail");
		mark(w, i, NULL);
		if (read != NONE)
			mark_change(w, i, read, thread);
		tell(w, signal,
		     text("the %s at %s woke thread %lld, which waits again at %s%s%s", w->signal, where, thread, wait,
			  *found ? ": " : "", found));
	}
	free(where);
	free(wait);
}

/* Note that the signal `at` woke another thread than this one, which waited too. */
static void note_left(struct wakeups *w, long at, long long thread)
{
	char *key = text("%ld", at);
	if (!json_object_get(w->left, key))
		json_object_set_new(w->left, key, json_array());
	json_array_append_new(json_object_get(w->left, key), json_integer(thread));
	free(key);
}

/* Tell of the signals that left threads waiting: each once, whoever waited. */
static void tell_left(struct wakeups *w)
{
	const char *key;
	json_t *threads, *thread;
	size_t i;
	json_object_foreach (w->left, key, threads) {
		size_t count = json_array_size(threads);
		const json_t *signal = event_at(w, strtol(key, NULL, 10));
		char *who = text("thread%s", count == 1 ? "" : "s"), *where = place_of(signal);
		json_array_foreach (threads, i, thread) {
			char *more = text("%s%s %lld", who,
					  i == 0                 ? "" :
						  i + 1 == count ? " and" :
								   ",",
					  json_integer_value(thread));
			free(who);
			who = more;
		}
		char *note = text("%s %s too", who, count == 1 ? "waits" : "wait");
		mark(w, strtol(key, NULL, 10), note);
		tell(w, signal,
		     text("the %s at %s woke thread %lld; %s waited too",
			  strncmp(field_text(signal, "detail"), "futex ", 6) == 0 ? "wake-up" : "signal", where,
			  field_number(signal, "to"), who));
		free(note);
		free(where);
		free(who);
	}
}

/* Note the signals after the wait `at`, which woke others.  Return how many there are. */
static size_t note_later(struct wakeups *w, long at, long long thread)
{
	const char *condition = field_text(event_at(w, at), "address");
	size_t count = 0;
	for (long i = at + 1; i < (long)json_array_size(w->trace); i++) {
		const json_t *signal = event_at(w, i), *to = json_object_get(signal, "to");
		if (!is(signal, "signal") || !is_about(signal, condition))
			continue;
		count++;
		if (!to || wakes(signal, thread))
			continue;
		note_left(w, i, thread);
	}
	return count;
}

/* ---- semaphores ---------------------------------------------------------------------------------------------------- */

/* Tell why a thread waits for a semaphore for ever: who took the last that was posted, or that nothing was. */
static void explain_semaphore(struct wakeups *w, const json_t *blocked)
{
	long long thread = field_number(blocked, "thread");
	const char *semaphore = field_text(blocked, "address");
	long posts = 0, taken = NONE;
	for (long i = 0; i < (long)json_array_size(w->trace); i++) {
		const json_t *event = event_at(w, i);
		if (!is_about(event, semaphore))
			continue;
		posts += is(event, "signal");
		if (is(event, "signal"))
			mark(w, i, NULL);
		if (is(event, "wait") && json_is_true(json_object_get(event, "write")))
			taken = i;
	}
	const json_t *taker = taken == NONE ? blocked : event_at(w, taken);
	char *where = place_of(taker), *note = text("thread %lld finds %s 0", thread, field_text(blocked, "object"));
	if (taken != NONE)
		mark(w, taken, note);
	if (posts == 0)
		tell(w, taker, text("no thread posts %s", field_text(blocked, "object")));
	else if (taken != NONE)
		tell(w, taker,
		     text("%ld post%s of %s: thread %lld took the last one, at %s, and left none for thread %lld", posts,
			  posts == 1 ? "" : "s", field_text(blocked, "object"), field_number(taker, "thread"), where, thread));
	free(where);
	free(note);
}

/* ---- barriers, pipes, signals of the system ------------------------------------------------------------------------ */

/* Has the thread waited at the barrier? */
static bool comes(const struct wakeups *w, const char *barrier, long long thread)
{
	for (long i = 0; i < (long)json_array_size(w->trace); i++)
		if (is(event_at(w, i), "wait") && is_by(event_at(w, i), thread) && is_about(event_at(w, i), barrier))
			return true;
	return false;
}

/* Tell which threads have ended and never came to the barrier. */
static void explain_barrier(struct wakeups *w, const json_t *blocked)
{
	for (long i = 0; i < (long)json_array_size(w->trace); i++) {
		const json_t *event = event_at(w, i);
		long long thread = field_number(event, "thread");
		if (!is(event, "exit") || thread == 0 || json_object_get(event, "note") ||
		    comes(w, field_text(blocked, "address"), thread))
			continue;
		char *note = text("never came to %s", field_text(blocked, "object"));
		mark(w, i, note);
		tell(w, event,
		     text("thread %lld ended at step %lld and never came to %s", thread, field_number(event, "step"),
			  field_text(blocked, "object")));
		free(note);
	}
}

/* Tell that the other end of a pipe is open, which a thread reads. */
static void explain_pipe(struct wakeups *w, const json_t *blocked)
{
	long long end;
	if (sscanf(field_text(blocked, "detail"), "waits for descriptor %lld (the reading end of a pipe)", &end) != 1)
		return;
	char *head = text("make descriptor %lld (the reading end of a pipe); its other end is descriptor ", end), *close = NULL;
	long made = NONE, closed = NONE;
	for (long i = 0; i < (long)json_array_size(w->trace); i++) {
		const char *detail = field_text(event_at(w, i), "detail");
		if (strncmp(detail, head, strlen(head)) == 0) {
			free(close);
			close = text("close descriptor %ld", strtol(detail + strlen(head), NULL, 10));
			made = i, closed = NONE;
		} else if (close && strncmp(detail, close, strlen(close)) == 0 &&
			   !(detail[strlen(close)] >= '0' && detail[strlen(close)] <= '9')) {
			closed = i;
		}
	}
	if (made != NONE && closed == NONE) {
		mark(w, made, NULL);
		tell(w, blocked,
		     text("%s, the other end of the pipe, is open: who reads from descriptor %lld waits for more",
			  close + strlen("close "), end));
	}
	free(close);
	free(head);
}

/* Tell of the signal that came before the thread began to wait for one. */
static void explain_pause(struct wakeups *w, const json_t *blocked)
{
	static const char by[] = "interrupted by ";
	long long thread = field_number(blocked, "thread");
	for (long i = (long)json_array_size(w->trace); i-- > 0;) {
		const json_t *event = event_at(w, i);
		if (!is_by(event, thread) || strncmp(field_text(event, "detail"), by, strlen(by)) != 0)
			continue;
		char *note = text("before thread %lld waits", thread), *where = place_of(event);
		mark(w, i, note);
		tell(w, event,
		     text("%s came at %s, before thread %lld began to wait", field_text(event, "detail") + strlen(by), where,
			  thread));
		free(note);
		free(where);
		return;
	}
}

/* Tell of signals that were sent and have interrupted no thread: who sends one may think that its handler has run. */
static void tell_pending(struct wakeups *w)
{
	static const char sends[] = "sends ", by[] = "interrupted by ";
	for (long i = 0; i < (long)json_array_size(w->trace); i++) {
		const char *detail = field_text(event_at(w, i), "detail"), *name = detail + strlen(sends);
		if (strncmp(detail, sends, strlen(sends)) != 0)
			continue;
		long k = i;
		size_t length = strcspn(name, " ");
		while (++k < (long)json_array_size(w->trace)) {
			const char *other = field_text(event_at(w, k), "detail");
			if (strncmp(other, by, strlen(by)) == 0 && strncmp(other + strlen(by), name, length) == 0)
				break;
		}
		if (k < (long)json_array_size(w->trace))
			continue;
		char *where = place_of(event_at(w, i));
		mark(w, i, NULL);
		tell(w, event_at(w, i), text("%.*s, sent at %s, has interrupted no thread by then", (int)length, name, where));
		free(where);
	}
}

/* Is the event one with which a thread begins to wait for a signal on what it is about? */
static bool begins_to_wait(const json_t *event, bool futex)
{
	return is(event, "wait") && (futex || *field_text(event, "releases"));
}

/* Tell why a thread waits for ever, which is blocked as `blocked` says. */
static void explain_one(struct wakeups *w, const json_t *blocked)
{
	long long thread = field_number(blocked, "thread");
	const char *condition = field_text(blocked, "address");
	bool futex = strstr(field_text(blocked, "detail"), " on futex ") != NULL;
	long at = (long)json_array_size(w->trace);
	while (at-- > 0 &&
	       !(is_by(event_at(w, at), thread) && *condition && is_about(event_at(w, at), condition) &&
		 begins_to_wait(event_at(w, at), futex)))
		;
	if (at < 0)
		return;
	w->signal = futex ? "wake-up" : "signal";
	mark(w, at, NULL);
	long read = futex ? mark_word(w, at, thread) : mark_condition(w, at, thread);
	size_t told = json_array_size(w->causes);
	size_t later = note_later(w, at, thread);
	if (!later)
		tell_earlier(w, at, read, thread);
	if (!later && json_array_size(w->causes) == told) {
		char *where = place_of(event_at(w, at));
		tell(w, event_at(w, at),
		     text("no thread %s %s after thread %lld began to wait, at %s", futex ? "wakes futex" : "signals",
			  field_text(event_at(w, at), "object"), thread, where));
		free(where);
	}
}

void explain_wakeups(json_t *violation)
{
	struct wakeups w = { violation, json_object_get(violation, "trace"), json_array(), json_object(), NULL };
	const json_t *event;
	size_t i;
	bool whole = true;
	json_array_foreach (w.trace, i, event)
		whole = whole && !is(event, "omitted"); /* else there may be signals that nobody sees */
	json_array_foreach (w.trace, i, event)
		if (whole && is(event, "blocked") && strstr(field_text(event, "detail"), "waits for semaphore "))
			explain_semaphore(&w, event);
		else if (whole && is(event, "blocked") && strstr(field_text(event, "detail"), "waits at "))
			explain_barrier(&w, event);
		else if (whole && is(event, "blocked") && strstr(field_text(event, "detail"), "waits for descriptor "))
			explain_pipe(&w, event);
		else if (whole && is(event, "blocked") && strstr(field_text(event, "detail"), "waits for a signal to come"))
			explain_pause(&w, event);
		else if (whole && is(event, "blocked"))
			explain_one(&w, event);
	tell_left(&w);
	if (whole && strcmp(field_text(violation, "kind"), "data-race") != 0)
		tell_pending(&w);
	if (json_array_size(w.causes))
		json_object_set(violation, "causes", w.causes);
	json_decref(w.causes);
	json_decref(w.left);
}
