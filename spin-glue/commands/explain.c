/* SPDX-License-Identifier: MIT
 *
 * bitspin explain: a page for each kind of violation.  The kinds and what they mean are rows of violation.def; the rest of a page
 * is a file of report/kinds/, which is installed.  In its program, a line begins with four blanks, a mark and a blank: `-` is for
 * lines that are wrong, `+` for those that repair it.  tests/explain.sh runs the command at the end of each page.
 */
#include "commands.h"
#include "../base/base.h"
#include "../report/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void explain_each(void (*does)(const char *name, const char *meaning, void *context), void *context)
{
	for (size_t i = 0; i < kind_count; i++)
		does(kind_rows[i].name, kind_rows[i].meaning, context);
}

static void print_row(const char *name, const char *meaning, void *unused)
{
	(void)unused;
	printf("%-18s  %s\n", name, meaning);
}

static void add_name(const char *name, const char *meaning, void *names)
{
	(void)meaning;
	char **all = names, *more = *all ? text("%s, %s", *all, name) : text("%s", name);
	free(*all);
	*all = more;
}

static void offer_name(const char *name, const char *meaning, void *guess)
{
	(void)meaning;
	guess_offer(guess, name);
}

static const struct kind_row *find_kind(const char *name)
{
	for (size_t i = 0; i < kind_count; i++)
		if (strcmp(kind_rows[i].name, name) == 0)
			return &kind_rows[i];
	char *names = NULL;
	struct guess guess = { .word = name };
	explain_each(add_name, &names);
	explain_each(offer_name, &guess);
	fail("there is no kind of violation '%s'%s%s known are %s", name, guess_question(&guess, ""), guess.name ? "" : ";", names);
}

/* Print the lines of the program of a page, but not those with this mark. */
static void print_program(const char *page, char left_out)
{
	static const char indent[] = "    ";
	for (const char *line = page, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			BUG("a page does not end with a line");
		size_t before = sizeof indent + 1; /* with the mark and a blank */
		if (strncmp(line, indent, strlen(indent)) == 0 && (size_t)(end - line) >= before &&
		    line[strlen(indent)] != left_out)
			printf("%.*s\n", (int)((size_t)(end - line) - before), line + before);
	}
}

int command_explain(int argc, char **argv)
{
	if (argc < 2) {
		explain_each(print_row, NULL);
		return 0;
	}
	const struct kind_row *kind = find_kind(argv[1]);
	char left_out = '\0';
	if (argc == 3 && strcmp(argv[2], "program") == 0)
		left_out = '+';
	else if (argc == 3 && strcmp(argv[2], "repaired") == 0)
		left_out = '-';
	else if (argc > 2)
		fail("after the kind may stand 'program' or 'repaired': bitspin explain %s program", kind->name);
	char *name = text("kinds/%s.txt", kind->name), *path = data_file(name), *page = read_file(path, NULL);
	if (!page)
		fail("cannot read '%s'", path);
	if (left_out)
		print_program(page, left_out);
	else
		printf("%s: %s\n\n%s", kind->name, kind->meaning, page);
	free(page);
	free(path);
	free(name);
	return 0;
}
