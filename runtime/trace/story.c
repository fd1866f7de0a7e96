/* SPDX-License-Identifier: MIT
 *
 * See story.h.
 */
#include "story.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST 10000u /* events that are written at once */
#define LAST  10000u /* ... and that are kept */

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

bool vm_story_take(const struct story_event *event)
{
	if (story.taken++ < FIRST || wants_all())
		return true;
	if (!story.events && !(story.events = calloc(LAST, sizeof *story.events)))
		return true;
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
	return false;
}

void vm_story_end(void (*write)(const struct story_event *event))
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
