/* SPDX-License-Identifier: MIT
 *
 * See story.h.
 */
#include "story.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST   10000u /* events that are written at once */
#define LAST    10000u /* ... and that are kept */
#define LONGEST 8u     /* events in a round of a loop */

static VM_OWN struct {
	struct story_event *events; /* a ring of LAST; NULL: none was needed yet */
	uint64_t taken, left_out;
	unsigned begin, count;
} story;

/* Has the user asked for each event? */
static bool wants_all(void)
{
	const char *wanted = getenv("BITSPIN_STORY");
	return wanted && strcmp(wanted, "full") == 0;
}

/* ---- the first and the last ---------------------------------------------------------------------------------------- */

/* Write the event, or keep it. */
static void put(const struct story_event *event, story_write *write)
{
	if (story.taken++ < FIRST || wants_all() || (!story.events && !(story.events = calloc(LAST, sizeof *story.events)))) {
		write(event);
		return;
	}
	assert(story.begin < LAST && story.count <= LAST);
	unsigned at = (story.begin + story.count) % LAST;
	if (story.count == LAST) {
		free(story.events[at].detail);
		json_decref(story.events[at].about);
		story.begin = (story.begin + 1) % LAST;
		story.left_out++;
	} else {
		story.count++;
	}
	story.events[at] = *event;
	story.events[at].detail = malloc(event->length + 1);
	if (story.events[at].detail)
		memcpy(story.events[at].detail, event->detail, event->length);
	else
		story.events[at].length = 0;
}

static void put_kept(story_write *write)
{
	if (!story.events)
		return;
	char text[60];
	int length = snprintf(text, sizeof text, "%llu events are left out", (unsigned long long)story.left_out);
	assert(story.left_out == 0 || story.count == LAST);
	struct story_event omitted = story.events[story.begin];
	omitted.action = ACTION_OMITTED;
	omitted.about = NULL;
	omitted.detail = text;
	omitted.length = (size_t)length;
	if (story.left_out)
		write(&omitted);
	for (unsigned i = 0; i < story.count; i++) {
		struct story_event *event = &story.events[(story.begin + i) % LAST];
		write(event);
		free(event->detail);
		event->detail = NULL;
	}
	story.count = 0;
	story.left_out = 0;
}

/* ---- rounds -------------------------------------------------------------------------------------------------------- */

/* The latest events of the step under way, of which several rounds may be alike. */
static VM_OWN struct {
	struct story_event events[2 * LONGEST]; /* a ring */
	unsigned begin, count;
	unsigned period; /* events in a round of the loop that goes on; 0: there is none */
	unsigned at;     /* events of the round under way */
	uint64_t again;  /* rounds that are not written */
} latest;

static struct story_event *recent(unsigned back)
{
	assert(back > 0 && back <= latest.count);
	return &latest.events[(latest.begin + latest.count - back) % (2 * LONGEST)];
}

static void forget_oldest(void)
{
	struct story_event *oldest = recent(latest.count);
	free(oldest->detail);
	json_decref(oldest->about);
	latest.begin = (latest.begin + 1) % (2 * LONGEST);
	latest.count--;
}

static struct story_event copy_of(const struct story_event *event)
{
	struct story_event copy = *event;
	copy.detail = malloc(event->length + 1);
	copy.length = copy.detail ? event->length : 0;
	if (copy.detail)
		memcpy(copy.detail, event->detail ? event->detail : "", copy.length);
	copy.about = json_incref(event->about);
	return copy;
}

static void remember(const struct story_event *event)
{
	if (latest.count == 2 * LONGEST)
		forget_oldest();
	latest.count++;
	*recent(1) = copy_of(event);
}

/* Do two events of a step tell the same?  What a program prints is told each time. */
static bool is_same(const struct story_event *a, const struct story_event *b)
{
	bool about = a->about && b->about ? json_equal(a->about, b->about) : a->about == b->about;
	return a->action == b->action && a->action != ACTION_OUTPUT && a->location == b->location && a->slot == b->slot &&
		a->step == b->step && a->length == b->length && about && a->detail && b->detail &&
		memcmp(a->detail, b->detail, a->length) == 0;
}

/* Return the length of a round if the latest events are two equal ones, 0 otherwise. */
static unsigned round_of_latest(void)
{
	for (unsigned period = 1; 2 * period <= latest.count; period++) {
		unsigned same = 0;
		while (same < period && is_same(recent(1 + same), recent(1 + same + period)))
			same++;
		if (same == period)
			return period;
	}
	return 0;
}

/* Say how often a loop went round that does not go on as before, and write the events of a round that was not completed. */
static void end_rounds(story_write *write)
{
	unsigned period = latest.period, at = latest.at;
	if (latest.again) {
		char text[80];
		struct story_event event = *recent(1);
		int length = snprintf(text, sizeof text, "%llu times more", (unsigned long long)latest.again);
		event.action = ACTION_AGAIN;
		event.detail = text;
		event.length = (size_t)length;
		event.about = json_pack("{s:i, s:I}", "round", (int)period, "times", (json_int_t)latest.again);
		put(&event, write);
	}
	latest.period = latest.at = 0;
	latest.again = 0;
	for (unsigned i = 0; i < at; i++) {
		struct story_event event = copy_of(recent(period)); /* each is the latest then, and the next is as far back */
		json_incref(event.about);                           /* the writer releases one */
		put(&event, write);
		remember(&event);
		free(event.detail);
		json_decref(event.about);
	}
}

void vm_story_take(const struct story_event *event, story_write *write)
{
	if (wants_all()) {
		put(event, write);
		return;
	}
	if (latest.period && is_same(event, recent(latest.period - latest.at))) {
		json_decref(event->about);
		latest.at++;
		if (latest.at == latest.period) {
			latest.at = 0;
			latest.again++;
		}
		return;
	}
	end_rounds(write);
	while (latest.count && recent(1)->step != event->step)
		forget_oldest();
	remember(event);
	put(event, write);
	latest.period = round_of_latest();
}

uint64_t vm_story_taken(void)
{
	return story.taken;
}

void vm_story_end(story_write *write)
{
	end_rounds(write);
	put_kept(write);
}
