/* SPDX-License-Identifier: MIT
 *
 * Formulas as tokens.  A C expression in braces is one token; where it ends is found as a C compiler would: braces in strings,
 * characters and comments do not count.
 */
#include "internal.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const struct {
	const char *text;
	enum ltl_operator op;
} spellings[] = {
#define SPELLING(name, text) { text, LTL_##name },
#include "operator.def"
};

size_t ltl_word_length(const char *text)
{
	size_t n = 0;
	while (isalpha((unsigned char)text[n]) || text[n] == '_' || (n > 0 && isdigit((unsigned char)text[n])))
		n++;
	return n;
}

bool ltl_is_operator(const char *word, size_t length, enum ltl_operator *op)
{
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
		if (strlen(spellings[i].text) == length && strncmp(spellings[i].text, word, length) == 0) {
			*op = spellings[i].op;
			return true;
		}
	return false;
}

bool ltl_is_word(const struct ltl_lexer *lexer, const char *word)
{
	return lexer->token == TOKEN_WORD && strlen(word) == lexer->end - lexer->begin &&
		strncmp(lexer->text + lexer->begin, word, strlen(word)) == 0;
}

/* ---- C ------------------------------------------------------------------------------------------------------------- */

/* Return the place behind a string or character literal at `at`; 0 where it does not end. */
static size_t skip_literal(const char *text, size_t at)
{
	char quote = text[at++];
	while (text[at] && text[at] != quote && text[at] != '\n')
		at += text[at] == '\\' && text[at + 1] ? 2 : 1;
	return text[at] == quote ? at + 1 : 0;
}

static size_t skip_comment(const char *text, size_t at)
{
	const char *end = text[at + 1] == '/' ? strchr(text + at, '\n') : strstr(text + at + 2, "*/");
	return !end ? 0 : (size_t)(end - text) + (text[at + 1] == '/' ? 1 : 2);
}

static char closing_of(char opening)
{
	return opening == '(' ? ')' : opening == '[' ? ']' : '}';
}

int ltl_skip_c(const char *text, size_t begin, size_t opened, char closing, size_t *end, struct ltl_error *error)
{
	size_t stack[200] = { opened }, depth = 1, at = begin;
	char expected[200] = { closing };
	while (depth) {
		char c = text[at];
		assert(depth <= sizeof stack / sizeof *stack);
		bool comment = c == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
		if (c == '"' || c == '\'' || comment) {
			size_t after = comment ? skip_comment(text, at) : skip_literal(text, at);
			if (!after)
				return ltl_fail(error, text, at, "this %s does not end", comment ? "comment" : "literal");
			at = after;
			continue;
		}
		if (c == expected[depth - 1]) {
			depth--;
		} else if (!c) {
			return ltl_fail(error, text, stack[depth - 1], "'%c' without a matching '%c'", text[stack[depth - 1]],
					expected[depth - 1]);
		} else if (strchr(")]}", c)) {
			return expected[depth - 1] ?
				ltl_fail(error, text, at, "'%c' where '%c' is expected", c, expected[depth - 1]) :
				ltl_fail(error, text, at, "'%c' without a matching opening bracket", c);
		} else if (strchr("([{", c)) {
			if (depth == sizeof stack / sizeof *stack)
				return ltl_fail(error, text, at, "brackets nested too deeply");
			stack[depth] = at;
			expected[depth++] = closing_of(c);
		}
		at += depth > 0;
	}
	*end = at;
	return 0;
}

/* ---- tokens -------------------------------------------------------------------------------------------------------- */

static int read_expression(struct ltl_lexer *l)
{
	size_t close;
	if (ltl_skip_c(l->text, l->begin + 1, l->begin, '}', &close, l->error) < 0)
		return -1;
	size_t first = l->begin + 1 + strspn(l->text + l->begin + 1, " \t\n\r\f\v");
	if (first == close)
		return ltl_fail(l->error, l->text, l->begin, "a C expression is missing between the braces");
	l->token = TOKEN_EXPRESSION;
	l->end = close + 1;
	return 0;
}

static int read_string(struct ltl_lexer *l)
{
	l->token = TOKEN_STRING;
	l->end = skip_literal(l->text, l->begin);
	return l->end ? 0 : ltl_fail(l->error, l->text, l->begin, "this string does not end");
}

/* Read an operator of special characters, the longest that fits. */
static bool read_symbols(struct ltl_lexer *l)
{
	for (size_t length = 3; length > 0; length--)
		if (strnlen(l->text + l->begin, length) == length && ltl_is_operator(l->text + l->begin, length, &l->op)) {
			l->token = TOKEN_OPERATOR;
			l->end = l->begin + length;
			return true;
		}
	return false;
}

static int unexpected_character(const struct ltl_lexer *l)
{
	char c = l->text[l->begin];
	if (c == '&' || c == '|')
		return ltl_fail(l->error, l->text, l->begin,
				"unexpected '%c'; the operator is '%c%c', and C expressions are written "
				"in braces: {x %c y}",
				c, c, c, c);
	if (strchr("<>=+-*/%~^.?:[", c) || isdigit((unsigned char)c))
		return ltl_fail(l->error, l->text, l->begin, "unexpected '%c'; C expressions are written in braces, like {x > 0}",
				c);
	if (c == '}' || c == ']')
		return ltl_fail(l->error, l->text, l->begin, "'%c' without a matching opening bracket", c);
	if (isprint((unsigned char)c))
		return ltl_fail(l->error, l->text, l->begin, "unexpected '%c'", c);
	return ltl_fail(l->error, l->text, l->begin, "unexpected byte %#04x", (unsigned char)c);
}

int ltl_lexer_next(struct ltl_lexer *l)
{
	l->previous = l->end;
	l->begin = l->end + strspn(l->text + l->end, " \t\n\r\f\v");
	const char *at = l->text + l->begin;
	size_t length = ltl_word_length(at);
	l->end = l->begin + (length ? length : *at != '\0');
	if (length) {
		l->token = ltl_is_operator(at, length, &l->op) ? TOKEN_OPERATOR : TOKEN_WORD;
		return 0;
	}
	if (isdigit((unsigned char)*at)) {
		l->token = TOKEN_NUMBER;
		l->end = l->begin + strspn(at, "0123456789");
		return ltl_word_length(l->text + l->end) ? unexpected_character(l) : 0;
	}
	switch (*at) {
	case '\0': l->token = TOKEN_END; return 0;
	case '(': l->token = TOKEN_LEFT; return 0;
	case ')': l->token = TOKEN_RIGHT; return 0;
	case ',': l->token = TOKEN_COMMA; return 0;
	case '{': return read_expression(l);
	case '"': return read_string(l);
	default: l->token = TOKEN_END; return read_symbols(l) || l->in_claim ? 0 : unexpected_character(l);
	}
}

int ltl_lexer_start(struct ltl_lexer *l, const char *text, struct ltl_error *error)
{
	*l = (struct ltl_lexer){ .text = text, .error = error };
	return ltl_lexer_next(l);
}
