/* SPDX-License-Identifier: MIT
 *
 * Records for the glue: lines of JSON, see bitspin_vm.h.
 */
#ifndef BITSPIN_RECORD_H
#define BITSPIN_RECORD_H

#include "trace.h"

#include <jansson.h>

/* Open the files that the environment names, once. */
void vm_record_open(void);

/* Does anybody read records? */
bool vm_record_wanted(void);

/* A record of something that happens at a place in a thread (NULL: none), to be completed, and written. */
json_t *vm_record_at(const char *type, uint32_t location, const struct vm_thread *thread);

/* Any bytes as valid UTF-8: what is not is shown as '?'. */
json_t *vm_record_text(const char *bytes, size_t length);
json_t *vm_record_string(const char *string);

/* All records so far, as they are in the file, malloc'ed; NULL: they cannot be read.  Write such, that another process has left. */
char *vm_records_so_far(void);
void vm_records_write(const char *lines);

/* Write a record and release it; only release it, while it is mute. */
void vm_record_write(json_t *record);
void vm_record_mute(bool mute);

/* Write the events that are still kept (story.h); close the program's output. */
void vm_story_flush(void);
void vm_output_close(void);

#endif
