/* SPDX-License-Identifier: MIT
 *
 * Strings and lists of strings.
 */
#include "base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *text(const char *format, ...)
{
	char *result;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&result, format, arguments) < 0)
		BUG("out of memory");
	va_end(arguments);
	return result;
}

void list_add(struct list *list, const char *item)
{
	char **items = realloc(list->items, (list->count + 2) * sizeof *items);
	if (!items)
		BUG("out of memory");
	list->items = items;
	items[list->count++] = text("%s", item);
	items[list->count] = NULL;
}

void list_addf(struct list *list, const char *format, ...)
{
	char *item;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&item, format, arguments) < 0)
		BUG("out of memory");
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

void list_release(struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct list){ 0 };
}
