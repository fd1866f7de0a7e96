/* SPDX-License-Identifier: MIT
 *
 * See match.h.
 */
#include "match.h"

#include <assert.h>
#include <string.h>

/* Return the length of the type at the start of a list. */
static size_t type_length(const char *text)
{
	const char *end = strstr(text, ", ");
	return end ? (size_t)(end - text) : strcspn(text, ")");
}

static bool same(const char *a, size_t n, const char *b, size_t m)
{
	return n == m && memcmp(a, b, n) == 0;
}

static bool is(const char *type, size_t length, const char *word)
{
	return same(type, length, word, strlen(word));
}

/* Can the first type, an integer that is not known to be signed or unsigned, be the second? */
static bool alike(const char *unknown, size_t n, const char *type, size_t m)
{
	if (is(unknown, n, "8-bit integer"))
		return is(type, m, "char") || is(type, m, "unsigned char");
	return is(unknown, n, "16-bit integer") && (is(type, m, "short") || is(type, m, "unsigned short"));
}

static bool types_match(const char *a, size_t n, const char *b, size_t m)
{
	return same(a, n, b, m) || alike(a, n, b, m) || alike(b, m, a, n);
}

/* Do the lists of parameters match, both without the opening bracket?  `open`: `call` may end in "...", which then does not
 * count. */
static bool lists_match(const char *call, const char *function, bool open)
{
	for (;;) {
		size_t n = type_length(call), m = type_length(function);
		bool ends = open && is(call, n, "...");
		if (ends && is(function, m, "void"))
			return true; /* no arguments */
		if (!types_match(call, n, function, m))
			return false;
		call += n;
		function += m;
		if (open && strcmp(call, ", ...)") == 0 && *function == ')')
			return true;
		if (*call == ')' || *function == ')')
			return *call == *function;
		assert(*call == ',' && *function == ',');
		call += 2;
		function += 2;
	}
}

bool image_signatures_match(const char *call, const char *function)
{
	assert(call && function);
	bool open = *call == '~';
	call += open;
	if (!*call || !*function || strcmp(call, function) == 0)
		return true;
	const char *call_list = strstr(call, " ("), *function_list = strstr(function, " (");
	if (!call_list || !function_list ||
	    !types_match(call, (size_t)(call_list - call), function, (size_t)(function_list - function)))
		return false;
	return strcmp(function_list, " ()") == 0 || lists_match(call_list + 2, function_list + 2, open);
}
