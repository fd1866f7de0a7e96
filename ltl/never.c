/* SPDX-License-Identifier: MIT
 *
 * Never claims written by the user.  What stands where Promela has an expression is read as in formulas: names, built-in
 * propositions, {C expressions}; each becomes p0, p1, ...  Labels, gotos and statements stay.  A claim that does anything but
 * look at propositions (variables, assignments, the preprocessor) is refused, as its words would be taken for propositions.
 */
#include "internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct never {
	const struct ltl_names *names;
	struct ltl_propositions *propositions;
	struct ltl_error *error;
	const char *text;
	size_t at, copied; /* up to where it is read, and copied to `file` */
	FILE *file;
	unsigned braces, brackets; /* that are open */
	size_t opened;             /* the place of the outermost brace */
	bool is_operand;           /* the token before was ! or && or || */
	bool is_label;             /* ... goto */
};

static int fail(struct never *n, size_t at, const char *message)
{
	return ltl_fail(n->error, n->text, at, "%s", message);
}

static bool is_statement(const char *word, size_t length)
{
	static const char *const words[] = {
		"never", "do", "od", "if", "fi", "goto", "skip", "true", "false", "break", "else", "atomic", "d_step", "assert",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && strncmp(words[i], word, length) == 0)
			return true;
	return false;
}

/* Refuse a label that is called as the macros p0, p1, ... are. */
static int check_label(struct never *n, size_t at, size_t length)
{
	const char *label = n->text + at;
	if (label[0] == 'p' && length > 1 && strspn(label + 1, "0123456789") == length - 1)
		return fail(n, at, "labels may not have the names of propositions: p0, p1, ...");
	return 0;
}

/* Read the proposition at n->at, and replace it by its number. */
static int read_proposition(struct never *n, size_t end, enum ltl_token token)
{
	struct ltl_lexer lexer = {
		.text = n->text,
		.error = n->error,
		.in_claim = true,
		.token = token,
		.begin = n->at,
		.end = end,
		.previous = n->at,
	};
	unsigned number;
	if (ltl_read_proposition(&lexer, n->names, n->propositions, &number) < 0)
		return -1;
	assert(n->copied <= n->at && lexer.previous > n->at);
	fprintf(n->file, "%.*sp%u", (int)(n->at - n->copied), n->text + n->copied, number);
	n->at = n->copied = lexer.previous;
	return 0;
}

static int read_word(struct never *n, size_t length)
{
	const char *word = n->text + n->at, *after = word + length + strspn(word + length, " \t\n\r");
	bool label = n->is_label || (after[0] == ':' && after[1] != ':');
	n->is_label = length == 4 && strncmp(word, "goto", 4) == 0;
	if (label && check_label(n, n->at, length) < 0)
		return -1;
	if (label || is_statement(word, length)) {
		n->at += length;
		return 0;
	}
	return read_proposition(n, n->at + length, TOKEN_WORD);
}

static int read_brace(struct never *n, bool operand)
{
	size_t end;
	if (!n->brackets && !operand) {
		n->opened = n->braces++ ? n->opened : n->at;
		n->at++;
		return 0;
	}
	if (ltl_skip_c(n->text, n->at + 1, n->at, '}', &end, n->error) < 0)
		return -1;
	if (n->text[n->at + 1 + strspn(n->text + n->at + 1, " \t\n\r")] == '}')
		return fail(n, n->at, "a C expression is missing between the braces");
	return read_proposition(n, end + 1, TOKEN_EXPRESSION);
}

static int read_symbol(struct never *n)
{
	static const char *const symbols[] = { "::", ":", "->", "&&", "||", "!", "(", ")", ";", ",", "}", "0", "1" };
	const char *at = n->text + n->at;
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		size_t length = strlen(symbols[i]);
		if (strncmp(at, symbols[i], length) != 0)
			continue;
		n->is_operand = strchr("!&|", *at) != NULL;
		n->brackets += *at == '(';
		if (*at == ')' && !n->brackets--)
			return fail(n, n->at, "')' without a matching '('");
		if (*at == '}' && n->brackets)
			return fail(n, n->at, "'}' where ')' is expected");
		assert(*at != '}' || n->braces > 0);
		n->braces -= *at == '}';
		n->at += length;
		return 0;
	}
	if (*at == '#')
		return fail(n, n->at, "no preprocessor in claims; propositions are defined by --prop");
	return fail(n, n->at,
		    "unexpected character; a claim may only look at propositions, with C expressions in braces within "
		    "brackets: ({x > 0})");
}

static int read_token(struct never *n)
{
	const char *at = n->text + n->at;
	size_t length = ltl_word_length(at);
	bool operand = n->is_operand;
	n->is_operand = false;
	if (length)
		return read_word(n, length);
	if (n->is_label)
		return fail(n, n->at, "expected a label after goto");
	return *at == '{' ? read_brace(n, operand) : read_symbol(n);
}

static int skip_comments(struct never *n)
{
	for (;;) {
		n->at += strspn(n->text + n->at, " \t\n\r\f\v");
		const char *at = n->text + n->at, *end;
		if (strncmp(at, "//", 2) == 0)
			end = at + strcspn(at, "\n");
		else if (strncmp(at, "/*", 2) != 0)
			return 0;
		else if (!(end = strstr(at + 2, "*/")))
			return fail(n, n->at, "this comment does not end");
		else
			end += 2;
		n->at = (size_t)(end - n->text);
	}
}

static int read_claim(struct never *n)
{
	if (skip_comments(n) < 0)
		return -1;
	if (ltl_word_length(n->text + n->at) != 5 || strncmp(n->text + n->at, "never", 5) != 0)
		return fail(n, n->at, "expected 'never { ... }'");
	n->at += 5;
	if (skip_comments(n) < 0)
		return -1;
	if (n->text[n->at] != '{')
		return fail(n, n->at, "expected '{'");
	do {
		if (skip_comments(n) < 0)
			return -1;
		if (!n->text[n->at])
			return ltl_fail(n->error, n->text, n->opened, "'{' without a matching '}'");
		if (read_token(n) < 0)
			return -1;
	} while (n->braces);
	size_t end = n->at;
	if (skip_comments(n) < 0)
		return -1;
	if (n->text[n->at])
		return fail(n, n->at, "expected nothing after the claim");
	fprintf(n->file, "%.*s\n", (int)(end - n->copied), n->text + n->copied);
	return 0;
}

char *ltl_never(const char *text, const struct ltl_names *names, struct ltl_propositions *propositions, struct ltl_error *error)
{
	char *claim;
	size_t size;
	struct never never = { .names = names, .propositions = propositions, .error = error, .text = text };
	*error = (struct ltl_error){ 0 };
	if (!(never.file = open_memstream(&claim, &size)))
		abort();
	int status = read_claim(&never);
	fclose(never.file);
	if (status == 0)
		return claim;
	free(claim);
	return NULL;
}
