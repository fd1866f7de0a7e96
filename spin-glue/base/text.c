/* SPDX-License-Identifier: MIT
 *
 * Strings and lists of strings.
 */
#include "base.h"

#include <stdarg.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

char *text_of(const char *format, va_list arguments)
{
	char *result;
	if (vasprintf(&result, format, arguments) < 0)
		BUG("out of memory");
	return result;
}

char *text(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *result = text_of(format, arguments);
	va_end(arguments);
	return result;
}

void list_add(struct list *list, const char *item)
{
	assert(item && (list->count == 0 || !list->items[list->count]));
	char **items = realloc(list->items, (list->count + 2) * sizeof *items);
	if (!items)
		BUG("out of memory");
	list->items = items;
	items[list->count++] = text("%s", item);
	items[list->count] = NULL;
}

void list_addf(struct list *list, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *item = text_of(format, arguments);
	va_end(arguments);
	list_add(list, item);
	free(item);
}

void list_add_words(struct list *list, const char *words)
{
	char *copy = text("%s", words), *rest = copy, *word;
	while ((word = strsep(&rest, " \t")))
		if (*word)
			list_add(list, word);
	free(copy);
}

/* Put into *to the letters of a part of a word in quotes, from `at` behind the opening `quote` on.  Return where the part ends. */
static const char *read_quoted(const char *at, char quote, bool literal, char **to)
{
	while (*at && *at != quote) {
		if (*at == '\\' && at[1] && !(literal && quote == '\''))
			at++;
		*(*to)++ = *at++;
	}
	return *at ? at + 1 : at;
}

void list_add_quoted(struct list *list, const char *words, bool literal)
{
	char *word = text("%s", words);
	for (const char *at = words + strspn(words, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
		char *to = word;
		while (*at && !strchr(" \t\r\n", *at)) {
			if (*at == '\'' || *at == '"') {
				at = read_quoted(at + 1, *at, literal, &to);
				continue;
			}
			if (*at == '\\' && at[1])
				at++;
			*to++ = *at++;
		}
		assert((size_t)(to - word) <= strlen(words)); /* each letter of it is one of the words */
		*to = '\0';
		list_add(list, word);
	}
	free(word);
}

void list_release(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct list){ 0 };
}

char *text_without(const char *whole, const char *part)
{
	const char *at = strstr(whole, part);
	return at ? text("%.*s%s", (int)(at - whole), whole, at + strlen(part)) : text("%s", whole);
}

const char *plural(double number)
{
	return number == 1 ? "" : "s";
}

char *text_number(long long number)
{
	enum { DIGITS = 3 };
	char digits[32], grouped[48], *to = grouped;
	int length = snprintf(digits, sizeof digits, "%lld", number);
	assert(number >= 0 && length > 0);
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % DIGITS == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	assert(to < grouped + sizeof grouped);
	return text("%s", grouped);
}

char *text_counted(const char *format, double number)
{
	assert(number >= 0);
	char *whole = text(format, number), *to = whole;
	for (const char *at = whole; *at; at++)
		if (*at != '~')
			*to++ = *at;
		else if (number == 1)
			at += strcspn(at, " ") - 1;
	*to = '\0';
	return whole;
}

char *text_add(char *all, const char *separator, const char *word)
{
	char *more = text("%s%s%s", all, *all ? separator : "", word);
	free(all);
	return more;
}

char *text_quoted(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-";
	if (*word && strspn(word, plain) == strlen(word))
		return text("%s", word);
	char *whole = text("'");
	for (; *word; word++) {
		char *more = *word == '\'' ? text("%s'\\''", whole) : text("%s%c", whole, *word);
		free(whole);
		whole = more;
	}
	char *closed = text("%s'", whole);
	free(whole);
	return closed;
}

char *text_words(const struct list *words)
{
	char *line = text("%s", "");
	for (size_t i = 0; i < words->count; i++) {
		char *word = text_quoted(words->items[i]);
		line = text_add(line, " ", word);
		free(word);
	}
	return line;
}
