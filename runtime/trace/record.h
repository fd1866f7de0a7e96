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

/* Begin a record of something that happens at a location in a thread (NULL: in none), for the caller to complete and write. */
json_t *vm_record_at(const char *type, uint32_t location, const struct vm_thread *thread);

/* Return bytes as a string of valid UTF-8, with '?' for what is not valid. */
json_t *vm_record_text(const char *bytes, size_t length);
json_t *vm_record_string(const char *string);

/* Return all records so far as they are in the file, malloc'ed; NULL if they cannot be read.  vm_records_write: write such records
 * of another process. */
char *vm_records_so_far(void);
void vm_records_write(const char *lines);

/* Write a record and release it, or only release it while records are mute. */
void vm_record_write(json_t *record);
void vm_record_mute(bool mute);

/* Write the events that are still kept (story.h); close the program's output. */
void vm_story_flush(void);
void vm_output_close(void);

#endif
