/* SPDX-License-Identifier: MIT
 *
 * The options in force, as JSON.
 */
#include "options.h"
#include "rows.h"
#include "../base/base.h"

json_t *strings_json(const struct list *list)
{
	json_t *array = json_array();
	for (size_t i = 0; i < list->count; i++)
		json_array_append_new(array, json_string(list->items[i]));
	return array;
}

/* Return the value of `option` for the record; NULL if the option has no value, and so no record. */
static json_t *value_of(const struct options *o, enum option_id option)
{
	const void *field = option_field(o, option);
	switch (option_rows[option].kind) {
	case KIND_FLAG: return json_boolean(*(const bool *)field);
	case KIND_LIST: return strings_json(field);
	case KIND_SECONDS:
	case KIND_NUMBER: return *(const unsigned long *)field ? json_integer((json_int_t) * (const unsigned long *)field) : NULL;
	default: return o->value[option] ? json_string(o->value[option]) : NULL;
	}
}

json_t *options_json(const struct options *o)
{
	json_t *all = json_pack("{s:o, s:o, s:o}", "files", strings_json(&o->files), "arguments", strings_json(&o->arguments),
				"clang", strings_json(&o->flags.clang));
	for (int i = 0; i < OPTIONS; i++) {
		json_t *value = option_rows[i].json ? value_of(o, (enum option_id)i) : NULL;
		if (value)
			json_object_set_new(all, option_rows[i].json, value);
	}
	/* These have another form than on the command line. */
	json_object_set_new(all, "deadlock", json_boolean(!o->no_deadlock));
	json_object_set_new(all, "circular_waits", json_boolean(!o->no_deadlock && !o->total_deadlocks));
	json_object_set_new(all, "identity", json_string(identity_name(o->identity)));
	json_object_set_new(all, "local_cycles", json_boolean(o->local_cycles));
	return all;
}
