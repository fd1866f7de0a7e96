/* SPDX-License-Identifier: MIT
 *
 * Which events of a replay are reported.  A path may have millions; people read the beginning and the end, and nobody has the time
 * and the memory for the rest.  So the first events are written at once, and of the others the last are kept until the
 * violation, or the end.  What is left out is counted.  With BITSPIN_STORY=full, all are written at once.
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
	json_t *about; /* what bitspin_vm.h adds to an event; NULL: nothing.  Whoever writes the event releases it */
};

/* Take an event, whose detail is copied: true if it is to be written now. */
bool vm_story_take(const struct story_event *event);

/* Write the events that are still kept, in order, by `write`; before them, if some were left out, it gets an event
 * ACTION_OMITTED. */
void vm_story_end(void (*write)(const struct story_event *event));

#endif
