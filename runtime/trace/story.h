/* SPDX-License-Identifier: MIT
 *
 * Which events of a replay are reported.  A path may have millions; people read the beginning and the end, and nobody has the time
 * and the memory for the rest.  So the first events are written at once, and of the others the last are kept until the
 * violation, or the end.  What is left out is counted.  With BITSPIN_STORY=full, all are written at once.
 *
 * A thread that waits in a loop does the same thousands of times in a step.  Two rounds of such a loop are events; an event
 * ACTION_AGAIN says how many more there are.
 */
#ifndef BITSPIN_STORY_H
#define BITSPIN_STORY_H

#include "trace.h"

#include <jansson.h>

struct story_event {
	enum vm_action action;
	uint32_t location;
	unsigned slot, step;
	const char *function; /* in the image */
	char *detail;         /* NULL: there was no memory for it */
	size_t length;
	json_t *about; /* fields that bitspin_vm.h adds to an event, or NULL; the writer of the event releases them */
};

typedef void story_write(const struct story_event *event);

/* Take an event, and what it has about an object; copy its detail.  Call `write` for what is to be written now. */
void vm_story_take(const struct story_event *event, story_write *write);

/* Return how many events have been taken that are told one by one: the place of the next in the trace, if none is left out. */
uint64_t vm_story_taken(void);

/* Call `write` for the events that are still kept, in order, after an event ACTION_OMITTED if some were left out. */
void vm_story_end(story_write *write);

#endif
