/* SPDX-License-Identifier: MIT
 *
 * Reading the report: its records are those of bitspin_vm.h, with a story.  A field that is not there is "" or 0.
 */
#ifndef BITSPIN_FIELDS_H
#define BITSPIN_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

static inline const char *field_text(const json_t *record, const char *key)
{
	const char *value = json_string_value(json_object_get(record, key));
	return value ? value : "";
}

static inline long long field_number(const json_t *record, const char *key)
{
	return json_integer_value(json_object_get(record, key));
}

static inline bool field_is(const json_t *record, const char *key, const char *value)
{
	return strcmp(field_text(record, key), value) == 0;
}

#endif
