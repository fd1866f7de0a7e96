/* SPDX-License-Identifier: MIT
 *
 * Many steps at a time, and whose turn it is.
 */
#include "simulate.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../native/native.h"
#include "../options/options.h"
#include "../pan/job.h"
#include "../pan/outcome.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TURN = 100 }; /* steps of one thread, when others can go on as well */

/* What is known while a walk is under way. */
struct walk {
	struct session *session;
	const char *file; /* until this place is reached; NULL: there is none */
	long long line;
	bool reached;
	bool tell;
	unsigned turn; /* steps of the current thread in a row */
};

static unsigned long most_steps(const struct session *s)
{
	return s->job->inputs->options.max_depth ? s->job->inputs->options.max_depth : 1000000;
}

static bool is_at(const struct walk *walk, const json_t *record)
{
	const char *file = field_text(record, "file"), *slash = strrchr(file, '/');
	return walk->file && field_number(record, "line") == walk->line &&
		(strcmp(file, walk->file) == 0 || strcmp(slash ? slash + 1 : file, walk->file) == 0);
}

static void take(void *context, const json_t *record)
{
	struct walk *walk = context;
	walk->reached = walk->reached || (strcmp(field_text(record, "type"), "event") == 0 && is_at(walk, record));
	if (walk->tell)
		show_event(walk->session, record);
}

/* Take a step.  Return false if the walk is over. */
static bool step(struct walk *walk, unsigned thread, unsigned outcome)
{
	struct session *s = walk->session;
	assert(s && (!walk->file || walk->line >= 0));
	walk->turn = thread == s->thread ? walk->turn + 1 : 1;
	if (!session_step(s, thread, outcome, take, walk))
		return false;
	walk->reached = walk->reached || is_at(walk, session_thread(s, thread));
	return !session_over(s);
}

/* Choose the next step of the schedule, of the current thread, or of the one after it that can go on.  Return false if there is
 * none. */
static bool choose(const struct walk *walk, unsigned *thread, unsigned *outcome)
{
	struct session *s = walk->session;
	unsigned first = s->thread + (walk->turn >= TURN);
	*outcome = 0;
	if (s->at < s->schedule.count) {
		*thread = s->schedule.steps[s->at].thread;
		*outcome = s->schedule.steps[s->at].outcome;
		return true;
	}
	for (unsigned i = 0; i <= LTL_MAX_THREADS; i++) {
		*thread = (first + i) % (LTL_MAX_THREADS + 1);
		if (session_outcomes(s, *thread))
			return true;
	}
	return false;
}

/* Has the walk been stopped from outside? */
static bool stopped(unsigned long taken, const struct session *s)
{
	if (process_interrupted()) {
		printf("stopped after %lu steps by Ctrl-C\n", taken);
		process_forget_interrupt();
		return true;
	}
	if (taken >= most_steps(s)) {
		printf("stopped after %lu steps, as --max-depth has it\n", taken);
		return true;
	}
	return false;
}

/* Say why the step cannot be taken.  A loaded schedule may be that of another program. */
static void refuse(struct session *s, unsigned thread, unsigned outcome)
{
	const json_t *record = session_thread(s, thread);
	if (session_over(s))
		show_error("nothing can follow: the run is over");
	else if (s->limit)
		return; /* it has been said */
	else if (!record)
		show_error("there is no thread %u now", thread);
	else if (json_is_true(json_object_get(record, "ended")))
		show_error("thread %u has ended", thread);
	else if (session_outcomes(s, thread) == 0)
		show_error("thread %u cannot go on: it %s", thread, field_text(record, "waits"));
	else if (session_outcomes(s, thread) == 1)
		show_error("thread %u has only the outcome 0 here", thread);
	else
		show_error("thread %u has the outcomes 0 to %u here, not %u", thread, session_outcomes(s, thread) - 1, outcome);
}

static void one(struct session *s, unsigned thread, unsigned outcome)
{
	struct walk walk = { .session = s, .tell = true };
	size_t at = s->at;
	step(&walk, thread, outcome);
	if (s->at == at)
		refuse(s, thread, outcome);
	else
		show_stop(s);
}

void walk_step(struct session *s)
{
	unsigned thread, outcome;
	struct walk walk = { .session = s };
	if (session_over(s))
		refuse(s, 0, 0);
	else if (choose(&walk, &thread, &outcome))
		one(s, thread, outcome);
	else
		show_error("no thread can go on");
}

void walk_one(struct session *s, unsigned thread, unsigned outcome)
{
	one(s, thread, outcome);
}

void walk_run(struct session *s, unsigned thread)
{
	struct walk walk = { .session = s, .tell = true };
	unsigned long taken = 0;
	if (!session_outcomes(s, thread)) {
		refuse(s, thread, 0);
		return;
	}
	while (session_outcomes(s, thread) && !stopped(taken, s) && step(&walk, thread, 0))
		taken++;
	show_stop(s);
}

/* Walk on.  Of a long walk only the end is told, by the place that it has come to, as a thousand lines help nobody. */
static void walk_on(struct session *s, struct walk *walk, const char *expression)
{
	unsigned long taken = 0;
	unsigned thread, outcome;
	bool truth = false;
	if (session_over(s)) {
		refuse(s, 0, 0);
		return;
	}
	while (!walk->reached && choose(walk, &thread, &outcome) && !stopped(taken, s)) {
		size_t at = s->at;
		bool more = step(walk, thread, outcome);
		taken += s->at > at;
		if (s->at == at)
			refuse(s, thread, outcome);
		if (!more)
			break;
		char *value = expression ? expression_value(s, expression, &truth) : NULL;
		walk->reached = walk->reached || (value && truth);
		bool failed = expression && !value;
		free(value);
		if (failed)
			break;
	}
	printf("%lu step%s\n", taken, taken == 1 ? "" : "s");
	show_stop(s);
}

void walk_continue(struct session *s)
{
	walk_on(s, &(struct walk){ .session = s }, NULL);
}

void walk_until(struct session *s, const char *what)
{
	const char *colon = strrchr(what, ':');
	bool place = colon && colon > what && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
		!strpbrk(what, " ()?");
	bool truth;
	if (place) {
		char *file = text("%.*s", (int)(colon - what), what);
		walk_on(s, &(struct walk){ .session = s, .file = file, .line = atoll(colon + 1) }, NULL);
		free(file);
		return;
	}
	char *value = expression_value(s, what, &truth);
	if (value)
		walk_on(s, &(struct walk){ .session = s }, what);
	free(value);
}

/* Return the next random number (Marsaglia's xorshift). */
static unsigned long next_random(unsigned long *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	return *random ^= *random << 17;
}

void walk_random(struct session *s, unsigned long steps, unsigned long seed)
{
	struct walk walk = { .session = s };
	unsigned long random = seed * 0x9e3779b97f4a7c15ul + 0x1234567ul, taken = 0;
	if (session_over(s)) {
		refuse(s, 0, 0);
		return;
	}
	for (; taken < steps && !stopped(taken, s); taken++) {
		const json_t *thread = NULL;
		size_t i;
		unsigned long all = 0;
		json_array_foreach (session_threads(s), i, thread)
			all += (unsigned long)field_number(thread, "outcomes");
		if (all == 0)
			break;
		unsigned long n = next_random(&random) % all;
		json_array_foreach (session_threads(s), i, thread) {
			unsigned long own = (unsigned long)field_number(thread, "outcomes");
			if (n < own)
				break;
			n -= own;
		}
		assert(thread); /* as n was less than all of them have together */
		if (!step(&walk, (unsigned)field_number(thread, "thread"), (unsigned)n)) {
			taken++;
			break;
		}
	}
	printf("%lu step%s with seed %lu\n", taken, taken == 1 ? "" : "s", seed);
	show_stop(s);
}
