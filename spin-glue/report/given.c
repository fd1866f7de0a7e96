/* SPDX-License-Identifier: MIT
 *
 * The inputs of the path to a violation: what each was, and where it came from.  The name is that of the variable to which the
 * source assigns it, or else of the function that returns it.
 */
#include "report.h"
#include "source.h"
#include "story.h"
#include "../base/base.h"
#include "../base/fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Return the name for what is returned at a column of a line: "n" in `int n = rand();`, or "rand()". */
static char *name_at(const char *line, size_t length, size_t column)
{
	size_t at = column > 0 && column <= length ? column - 1 : 0, end = at;
	while (end < length && is_letter(line[end]))
		end++;
	char *call = text("%.*s()", (int)(end - at), line + at);
	while (at > 0 && isspace((unsigned char)line[at - 1]))
		at--;
	if (at > 0 && line[at - 1] == ')') { /* a cast */
		for (at--; at > 0 && (is_letter(line[at - 1]) || line[at - 1] == ' ');)
			at--;
		at -= at > 0 && line[at - 1] == '(';
		while (at > 0 && isspace((unsigned char)line[at - 1]))
			at--;
	}
	if (at < 2 || line[at - 1] != '=' || strchr("=!<>+-*/%&|^", line[at - 2]))
		return call;
	for (at--; at > 0 && isspace((unsigned char)line[at - 1]);)
		at--;
	size_t last = at;
	while (at > 0 && is_letter(line[at - 1]))
		at--;
	if (at == last || (at > 0 && strchr(".>]", line[at - 1]))) /* a member, or none */
		return call;
	free(call);
	return text("%.*s", (int)(last - at), line + at);
}

/* Return the value of the event if it is a number, else NULL. */
static const char *number_of(const json_t *event)
{
	static const char words[] = " returns ";
	const char *detail = field_text(event, "detail"), *number = strstr(detail, words);
	number = number ? number + sizeof words - 1 : detail;
	const char *digits = number + (*number == '-');
	return isdigit((unsigned char)*digits) || strcmp(digits, "nan") == 0 || strcmp(digits, "inf") == 0 ? number : NULL;
}

json_t *inputs_of(const json_t *violation)
{
	json_t *inputs = json_array();
	const json_t *event;
	size_t i, length;
	json_array_foreach (json_object_get(violation, "trace"), i, event) {
		if (!json_is_true(json_object_get(event, "input")))
			continue;
		const char *file = field_text(event, "file"), *number = number_of(event);
		long long line = field_number(event, "line"), column = field_number(event, "column");
		const char *bytes = number ? source_line_of(file, line, &length) : NULL;
		char *name = bytes ? name_at(bytes, length, (size_t)column) : text("%s", "");
		json_t *input = json_pack("{s:s, s:s, s:I, s:I}", "value", number ? number : field_text(event, "detail"), "file",
					  file, "line", (json_int_t)line, "thread", (json_int_t)field_number(event, "thread"));
		if (*name && json_object_set_new(input, "name", json_string(name)) < 0)
			json_object_del(input, "name"); /* it is not UTF-8 */
		json_array_append_new(inputs, input);
		free(name);
	}
	return inputs;
}

char *input_words(const json_t *input)
{
	const char *name = field_text(input, "name"), *file = field_text(input, "file"), *slash = strrchr(file, '/');
	if (!json_object_get(input, "name"))
		return text("%s", field_text(input, "value"));
	return text("%s = %s (input at %s:%lld)", name, field_text(input, "value"), slash ? slash + 1 : file,
		    field_number(input, "line"));
}
