/* SPDX-License-Identifier: MIT
 *
 * Strings, and errors with a caret under their place.
 */
#include "internal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format_text(const char *format, va_list arguments)
{
	char *text;
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	return text;
}

char *ltl_text(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = format_text(format, arguments);
	va_end(arguments);
	return text;
}

char *ltl_slice(const char *text, size_t begin, size_t end)
{
	return ltl_text("%.*s", (int)(end - begin), text + begin);
}

int ltl_fail(struct ltl_error *error, const char *source, size_t offset, const char *format, ...)
{
	if (error->message)
		return -1;
	va_list arguments;
	va_start(arguments, format);
	*error = (struct ltl_error){ format_text(format, arguments), ltl_text("%s", source), offset };
	va_end(arguments);
	return -1;
}

void ltl_error_release(struct ltl_error *error)
{
	free(error->message);
	free(error->source);
	*error = (struct ltl_error){ 0 };
}

static bool is_continuation(char c) /* of a character of several bytes in UTF-8 */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

unsigned ltl_error_line(const struct ltl_error *error)
{
	unsigned line = 1;
	for (size_t i = 0; i < error->offset; i++)
		line += error->source[i] == '\n';
	return line;
}

char *ltl_error_text(const struct ltl_error *error)
{
	size_t begin = error->offset, end = error->offset, size;
	while (begin > 0 && error->source[begin - 1] != '\n')
		begin--;
	end += strcspn(error->source + end, "\n");
	char *text;
	FILE *file = open_memstream(&text, &size);
	if (!file)
		abort();
	fprintf(file, "%s\n    %.*s\n    ", error->message, (int)(end - begin), error->source + begin);
	for (size_t i = begin; i < error->offset; i++)
		if (!is_continuation(error->source[i]))
			putc(error->source[i] == '\t' ? '\t' : ' ', file);
	fputs("^\n", file);
	fclose(file);
	return text;
}

static bool begins_formula(const char *line)
{
	return *line && *line != '#' && !isspace((unsigned char)*line);
}

static void add_conjuncts(const struct ltl_formula *formula, const struct ltl_node *node, char ***conjuncts, size_t *count)
{
	if (node->op == LTL_AND) {
		add_conjuncts(formula, node->left, conjuncts, count);
		add_conjuncts(formula, node->right, conjuncts, count);
		return;
	}
	*conjuncts = realloc(*conjuncts, (*count + 1) * sizeof **conjuncts);
	if (!*conjuncts)
		abort();
	(*conjuncts)[(*count)++] = ltl_slice(formula->text, node->begin, node->end);
}

char **ltl_conjuncts(const struct ltl_formula *formula, size_t *count)
{
	char **conjuncts = NULL;
	*count = 0;
	add_conjuncts(formula, formula->root, &conjuncts, count);
	return conjuncts;
}

char **ltl_split(const char *text, size_t *count)
{
	char **formulas = NULL;
	*count = 0;
	for (const char *line = text, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		char *all = NULL, *this = ltl_slice(line, 0, (size_t)(next - line));
		next += *next == '\n';
		this[strcspn(this, "\r")] = '\0';
		bool is_empty = strchr("#", this[strspn(this, " \t\f\v")]) != NULL; /* strchr finds '\0' too */
		if (!is_empty && !begins_formula(this) && *count) {
			all = ltl_text("%s\n%s", formulas[*count - 1], this);
			free(formulas[*count - 1]);
			formulas[*count - 1] = all;
		} else if (!is_empty) {
			formulas = realloc(formulas, (*count + 1) * sizeof *formulas);
			formulas[(*count)++] = ltl_text("%s", this);
		}
		free(this);
	}
	return formulas;
}
