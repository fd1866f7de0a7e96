/* SPDX-License-Identifier: MIT
 *
 * See yaml.h.
 */
#include "yaml.h"

#include <assert.h>

static void write_at(const json_t *value, FILE *out, int indent, bool begun);

/* Write a value behind "key:" or "-", on the same line if the value has no parts. */
static void write_value(const json_t *value, FILE *out, int indent)
{
	bool parts = json_is_object(value) ? json_object_size(value) > 0 : json_array_size(value) > 0;
	if (parts) {
		fputc('\n', out);
		write_at(value, out, indent, false);
	} else {
		fputc(' ', out);
		json_dumpf(value, out, JSON_ENCODE_ANY);
		fputc('\n', out);
	}
}

/* Write a value.  `begun`: the indentation of its first line is written. */
static void write_at(const json_t *value, FILE *out, int indent, bool begun)
{
	assert(json_is_object(value) || json_is_array(value));
	const char *key;
	json_t *part;
	size_t i;
	json_array_foreach (value, i, part) {
		fprintf(out, "%*s-", begun && i == 0 ? 0 : indent, "");
		if (json_is_object(part) && json_object_size(part)) {
			fputc(' ', out);
			write_at(part, out, indent + 2, true);
		} else {
			write_value(part, out, indent + 2);
		}
	}
	json_object_foreach ((json_t *)value, key, part) {
		json_t *name = json_string(key);
		fprintf(out, "%*s", begun ? 0 : indent, "");
		json_dumpf(name, out, JSON_ENCODE_ANY);
		json_decref(name);
		fputc(':', out);
		write_value(part, out, indent + 2);
		begun = false;
	}
}

void yaml_write(const json_t *value, FILE *out)
{
	write_at(value, out, 0, false);
}
