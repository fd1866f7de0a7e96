/* SPDX-License-Identifier: MIT
 *
 * Propositions: what a name means, and the table in which equal propositions have one number.  C expressions are equal when
 * they have the same tokens, roughly: blanks and comments do not count, but x>0 and x > 0 are two (which does no harm).
 */
#include "internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum argument { NONE, FUNCTION, LABEL, LVALUE };
enum thread { NO, OPTIONAL, REQUIRED };

static const struct {
	const char *text;
	enum argument argument;
	enum thread thread;
} kinds[] = {
#define PROPOSITION(name, text, argument, thread) { text, argument, thread },
#include "proposition.def"
};

enum { KINDS = sizeof kinds / sizeof *kinds };

bool ltl_is_c(const struct ltl_proposition *p)
{
	return p->kind == LTL_KIND_EXPRESSION || p->kind == LTL_KIND_HELD;
}

const char *ltl_kind_name(enum ltl_kind kind)
{
	return kinds[kind].text ? kinds[kind].text : "expression";
}

/* ---- the nearest name ---------------------------------------------------------------------------------------------- */

struct nearest {
	const char *word, *name;
	size_t length, distance;
};

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;
	return ab < c ? ab : c;
}

/* Compute Levenshtein's distance, one row at a time. */
static size_t edit_distance(const char *a, size_t na, const char *b)
{
	size_t nb = strlen(b), row[nb + 1];
	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t above = row[j];
			bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			row[j] = least(above + 1, row[j - 1] + 1, diagonal + !same);
			diagonal = above;
		}
	}
	assert(row[nb] <= (na > nb ? na : nb));
	return row[nb];
}

static void consider(struct nearest *n, const char *name)
{
	if (!name || strlen(name) > 200)
		return;
	size_t distance = edit_distance(n->word, n->length, name);
	if (distance <= 1 + n->length / 4 && distance < n->length && (!n->name || distance < n->distance)) {
		n->name = name;
		n->distance = distance;
	}
}

static void consider_all(struct nearest *n, const char *const *names, size_t count)
{
	for (size_t i = 0; names && i < count; i++)
		consider(n, names[i]);
}

const char *ltl_nearest(const char *word, const char *const *names, size_t count)
{
	struct nearest n = { .word = word, .length = strlen(word) };
	consider_all(&n, names, count);
	return n.name;
}

static struct nearest nearest_to(const struct ltl_lexer *l, size_t begin, size_t end)
{
	assert(begin <= end);
	size_t length = end - begin < 200 ? end - begin : 200;
	return (struct nearest){ .word = l->text + begin, .length = length };
}

static int unknown(struct ltl_lexer *l, size_t begin, size_t end, const char *what, const struct nearest *n)
{
	char *hint = n->name ? ltl_text("; did you mean '%s'?", n->name) : ltl_text("%s", "");
	ltl_fail(l->error, l->text, begin, "unknown %s '%.*s'%s", what, (int)(end - begin), l->text + begin, hint);
	free(hint);
	return -1;
}

static bool among(const char *const *names, size_t count, const char *word, size_t length)
{
	for (size_t i = 0; names && i < count; i++)
		if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0)
			return true;
	return false;
}

/* ---- the table ----------------------------------------------------------------------------------------------------- */

/* Return a C text without comments and with one blank for many; literals stay. */
static char *squeezed(const char *c)
{
	char *all = ltl_text("%s", c), *to = all, quote = '\0';
	for (const char *from = c; *from; from++) {
		const char *end = NULL;
		if (!quote && from[0] == '/' && from[1] == '*')
			end = strstr(from + 2, "*/");
		else if (!quote && from[0] == '/' && from[1] == '/')
			end = strchr(from, '\n');
		if (end || (!quote && isspace((unsigned char)*from))) {
			if (to > all && to[-1] != ' ')
				*to++ = ' ';
			from = !end ? from : *end == '*' ? end + 1 : end;
			continue;
		}
		if (quote && *from == '\\' && from[1])
			*to++ = *from++;
		else if (quote ? *from == quote : *from == '"' || *from == '\'')
			quote = quote ? '\0' : *from;
		*to++ = *from;
	}
	to -= to > all && to[-1] == ' ';
	*to = '\0';
	return all;
}

static bool equal(const struct ltl_proposition *a, const struct ltl_proposition *b)
{
	if (a->kind != b->kind || a->thread != b->thread || !a->name != !b->name)
		return false;
	if (!a->name || !ltl_is_c(a))
		return !a->name || strcmp(a->name, b->name) == 0;
	char *one = squeezed(a->name), *other = squeezed(b->name);
	bool same = strcmp(one, other) == 0;
	free(one);
	free(other);
	return same;
}

static void proposition_release(struct ltl_proposition *p)
{
	free(p->text);
	free(p->name);
	free(p->source);
}

void ltl_propositions_release(struct ltl_propositions *all)
{
	for (size_t i = 0; i < all->count; i++)
		proposition_release(&all->items[i]);
	free(all->items);
	*all = (struct ltl_propositions){ 0 };
}

/* Find the number of `p`, and add it if it is new.  What `p` points to is taken over or freed. */
static int number_of(struct ltl_propositions *all, struct ltl_proposition *p, struct ltl_lexer *l, size_t begin, unsigned *number)
{
	for (size_t i = 0; i < all->count; i++)
		if (equal(&all->items[i], p)) {
			proposition_release(p);
			*number = (unsigned)i;
			return 0;
		}
	if (all->count == LTL_MAX_PROPOSITIONS) {
		proposition_release(p);
		return ltl_fail(l->error, l->text, begin, "more than %d different propositions", LTL_MAX_PROPOSITIONS);
	}
	assert(p->text && all->count < LTL_MAX_PROPOSITIONS);
	all->items = realloc(all->items, (all->count + 1) * sizeof *all->items);
	all->items[all->count] = *p;
	*number = (unsigned)all->count++;
	return 0;
}

/* ---- built-in propositions ----------------------------------------------------------------------------------------- */

static int read_name(struct ltl_lexer *l, const struct ltl_names *names, enum argument what, struct ltl_proposition *p)
{
	assert(what == FUNCTION || what == LABEL);
	bool quoted = l->token == TOKEN_STRING && what == LABEL;
	if (l->token != TOKEN_WORD && l->token != TOKEN_OPERATOR && !quoted)
		return ltl_fail(l->error, l->text, l->begin, "expected the name of a %s", what == LABEL ? "label" : "function");
	if (l->token == TOKEN_OPERATOR && !ltl_word_length(l->text + l->begin))
		return ltl_fail(l->error, l->text, l->begin, "expected the name of a %s", what == LABEL ? "label" : "function");
	size_t begin = l->begin + quoted, end = l->end - quoted;
	struct nearest n = nearest_to(l, begin, end);
	const char *const *known = what == LABEL ? names->labels : names->functions;
	size_t count = what == LABEL ? names->nlabels : names->nfunctions;
	bool progress = what == LABEL && end - begin == 16 && strncmp(l->text + begin, "bitspin_progress", 16) == 0;
	if (known && !progress && !among(known, count, l->text + begin, end - begin)) {
		consider_all(&n, known, count);
		return unknown(l, begin, end, what == LABEL ? "label" : "function", &n);
	}
	p->name = ltl_slice(l->text, begin, end);
	p->offset = begin;
	return ltl_lexer_next(l);
}

static int read_thread(struct ltl_lexer *l, struct ltl_proposition *p)
{
	assert(p->thread < 0);
	if (l->token != TOKEN_NUMBER)
		return ltl_fail(l->error, l->text, l->begin, "expected the number of a thread; 0 is the one that runs main");
	unsigned long n = strtoul(l->text + l->begin, NULL, 10);
	if (n >= LTL_MAX_THREADS)
		return ltl_fail(l->error, l->text, l->begin, "there are no more than %d threads", LTL_MAX_THREADS);
	p->thread = (int)n;
	return ltl_lexer_next(l);
}

static void take_expression(struct ltl_proposition *p, const char *text, size_t begin, size_t end);

/* Read the C text up to the bracket that closes the one at which the lexer stands. */
static int read_lvalue(struct ltl_lexer *l, struct ltl_proposition *p)
{
	size_t opened = l->begin, end;
	if (ltl_skip_c(l->text, opened + 1, opened, ')', &end, l->error) < 0)
		return -1;
	take_expression(p, l->text, opened + 1, end);
	l->end = end + 1;
	return ltl_lexer_next(l);
}

static int read_arguments(struct ltl_lexer *l, const struct ltl_names *names, struct ltl_proposition *p)
{
	assert((unsigned)p->kind < KINDS && kinds[p->kind].text);
	enum argument argument = kinds[p->kind].argument;
	enum thread thread = kinds[p->kind].thread;
	if (l->token != TOKEN_LEFT)
		return ltl_fail(l->error, l->text, l->begin, "expected '(' after '%s'", kinds[p->kind].text);
	if (argument == LVALUE)
		return read_lvalue(l, p);
	if (ltl_lexer_next(l) < 0)
		return -1;
	if (argument != NONE && read_name(l, names, argument, p) < 0)
		return -1;
	if (thread == OPTIONAL && l->token == TOKEN_COMMA && (ltl_lexer_next(l) < 0 || read_thread(l, p) < 0))
		return -1;
	if (thread == REQUIRED && read_thread(l, p) < 0)
		return -1;
	if (l->token != TOKEN_RIGHT)
		return ltl_fail(l->error, l->text, l->begin, "expected %s",
				argument != NONE && p->thread < 0 ? "',' or ')'" : "')'");
	return ltl_lexer_next(l);
}

static const char *after_blanks(const char *text)
{
	return text + strspn(text, " \t\n\r\f\v");
}

/* Return which kind the word names.  A kind that takes arguments is named only where a bracket follows, so that the user may
 * have the word; and held() is a function of the user's. */
static enum ltl_kind kind_of(const struct ltl_lexer *l)
{
	const char *after = after_blanks(l->text + l->end);
	for (size_t i = 0; i < KINDS; i++) {
		bool bare = kinds[i].argument == NONE && kinds[i].thread == NO;
		bool empty = kinds[i].argument == LVALUE && *after == '(' && *after_blanks(after + 1) == ')';
		if (kinds[i].text && ltl_is_word(l, kinds[i].text) && (bare || (*after == '(' && !empty)))
			return (enum ltl_kind)i;
	}
	return LTL_KIND_EXPRESSION;
}

static int read_built_in(struct ltl_lexer *l, const struct ltl_names *names, struct ltl_proposition *p)
{
	assert(p->kind != LTL_KIND_EXPRESSION);
	size_t begin = l->begin;
	p->offset = begin; /* unless the argument has a place of its own */
	if (p->kind == LTL_KIND_TERMINATED && among(names->predicates, names->npredicates, "terminated", 10))
		return ltl_fail(l->error, l->text, begin,
				"'terminated' is built in, but also a function of the program: write "
				"{terminated()} for the function, or rename it");
	if (ltl_lexer_next(l) < 0)
		return -1;
	if (p->kind != LTL_KIND_TERMINATED && read_arguments(l, names, p) < 0)
		return -1;
	p->text = ltl_slice(l->text, begin, l->previous);
	if (!p->source)
		p->source = ltl_text("%s", l->text);
	return 0;
}

/* ---- names of the user --------------------------------------------------------------------------------------------- */

/* Take the C text between `begin` and `end`, without blanks around it, as the expression of `p`. */
static void take_expression(struct ltl_proposition *p, const char *text, size_t begin, size_t end)
{
	assert(begin <= end && !p->name);
	while (begin < end && isspace((unsigned char)text[begin]))
		begin++;
	size_t last = end;
	while (last > begin && text[last - 1] != '\n' && isspace((unsigned char)text[last - 1])) /* // comments keep their end */
		last--;
	p->name = ltl_slice(text, begin, last);
	p->source = ltl_text("%s", text);
	p->offset = begin;
}

static bool ends_at(const char *text, size_t at)
{
	return !*after_blanks(text + at);
}

/* Read what a definition stands for.  Its text has been checked by ltl_definition_parse(), as C; a built-in proposition in it
 * may still name things that are not there. */
static int read_defined(struct ltl_lexer *l, const struct ltl_names *names, const struct ltl_definition *d,
			struct ltl_proposition *p)
{
	assert(!p->text);
	struct ltl_error ignored = { 0 };
	struct ltl_lexer inner;
	int status = ltl_lexer_start(&inner, d->expression, &ignored);
	if (status == 0 && inner.token == TOKEN_WORD && kind_of(&inner) != LTL_KIND_EXPRESSION) {
		inner.error = l->error;
		p->kind = kind_of(&inner);
		status = read_built_in(&inner, names, p);
		if (status == 0 && inner.token != TOKEN_END)
			status = ltl_fail(l->error, d->expression, inner.begin,
					  "a definition is one proposition; operators go into the "
					  "formula, and C expressions into braces");
		free(p->text);
		p->text = NULL;
	} else if (status == 0 && inner.token == TOKEN_EXPRESSION && ends_at(inner.text, inner.end)) {
		take_expression(p, d->expression, inner.begin + 1, inner.end - 1);
	} else {
		status = 0;
		take_expression(p, d->expression, 0, strlen(d->expression));
	}
	ltl_error_release(&ignored);
	if (status < 0)
		return -1;
	p->text = ltl_text("%s", d->name);
	p->defined = true;
	return 0;
}

/* Read `served` or `served()`: a function of the program. */
static int read_call(struct ltl_lexer *l, const struct ltl_names *names, struct ltl_proposition *p)
{
	size_t begin = l->begin, end = l->end;
	if (names->predicates && !among(names->predicates, names->npredicates, l->text + begin, end - begin)) {
		struct nearest n = nearest_to(l, begin, end);
		consider_all(&n, names->predicates, names->npredicates);
		for (size_t i = 0; i < names->ndefinitions; i++)
			consider(&n, names->definitions[i].name);
		for (size_t i = 0; i < KINDS; i++)
			consider(&n, kinds[i].text);
#define SPELLING(name, text) \
	if (strlen(text) > 1) \
		consider(&n, text);
#include "operator.def"
		if (n.name)
			return unknown(l, begin, end, "name", &n);
		return ltl_fail(l->error, l->text, begin,
				"unknown name '%.*s': not a function 'int %.*s(void)' of the program, nor given "
				"by --prop; C expressions are written in braces: {%.*s}",
				(int)(end - begin), l->text + begin, (int)(end - begin), l->text + begin, (int)(end - begin),
				l->text + begin);
	}
	p->name = ltl_text("%.*s()", (int)(end - begin), l->text + begin);
	p->text = ltl_slice(l->text, begin, end);
	p->source = ltl_text("%s", l->text);
	p->offset = begin;
	if (ltl_lexer_next(l) < 0 || l->token != TOKEN_LEFT)
		return l->error->message ? -1 : 0;
	if (ltl_lexer_next(l) < 0)
		return -1;
	if (l->token != TOKEN_RIGHT)
		return ltl_fail(l->error, l->text, begin, "a call with arguments is written in braces: {%.*s(...)}",
				(int)(end - begin), l->text + begin);
	return ltl_lexer_next(l);
}

static int read_word(struct ltl_lexer *l, const struct ltl_names *names, struct ltl_proposition *p)
{
	for (size_t i = 0; i < names->ndefinitions; i++)
		if (ltl_is_word(l, names->definitions[i].name))
			return read_defined(l, names, &names->definitions[i], p) < 0 ? -1 : ltl_lexer_next(l);
	p->kind = kind_of(l);
	return p->kind == LTL_KIND_EXPRESSION ? read_call(l, names, p) : read_built_in(l, names, p);
}

int ltl_read_proposition(struct ltl_lexer *l, const struct ltl_names *names, struct ltl_propositions *all, unsigned *number)
{
	struct ltl_proposition p = { .kind = LTL_KIND_EXPRESSION, .thread = -1 };
	size_t begin = l->begin;
	int status;
	if (l->token == TOKEN_EXPRESSION) {
		take_expression(&p, l->text, l->begin + 1, l->end - 1);
		p.text = ltl_slice(l->text, l->begin, l->end);
		status = ltl_lexer_next(l);
	} else {
		status = read_word(l, names, &p);
	}
	if (status < 0) {
		proposition_release(&p);
		return -1;
	}
	return number_of(all, &p, l, begin, number);
}

/* ---- definitions --------------------------------------------------------------------------------------------------- */

static bool is_reserved(const char *word, size_t length)
{
	static const char *const more[] = { "X", "next", "true", "false" };
	enum ltl_operator op;
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].text && strlen(kinds[i].text) == length && strncmp(kinds[i].text, word, length) == 0)
			return true;
	return ltl_is_operator(word, length, &op) || among(more, sizeof more / sizeof *more, word, length);
}

/* Does a name that has a meaning in formulas stand here, and is what follows it and its arguments no operator of C? */
static bool begins_formula(struct ltl_lexer *l, const struct ltl_names *names)
{
	bool known = kind_of(l) != LTL_KIND_EXPRESSION;
	for (size_t i = 0; i < names->ndefinitions; i++)
		known = known || ltl_is_word(l, names->definitions[i].name);
	if (!known || ltl_lexer_next(l) < 0)
		return false;
	size_t end;
	if (l->token == TOKEN_LEFT) {
		if (ltl_skip_c(l->text, l->begin + 1, l->begin, ')', &end, l->error) < 0)
			return true; /* the formula will report it */
		l->end = end + 1;
		if (ltl_lexer_next(l) < 0)
			return false;
	}
	return l->token == TOKEN_END || l->token == TOKEN_RIGHT || (l->token == TOKEN_OPERATOR && l->op != LTL_NOT);
}

bool ltl_is_formula(const char *text, const struct ltl_names *names)
{
	struct ltl_error ignored = { 0 };
	struct ltl_lexer l;
	int status = ltl_lexer_start(&l, text, &ignored);
	while (status == 0 && (l.token == TOKEN_LEFT || (l.token == TOKEN_OPERATOR && l.op == LTL_NOT)))
		status = ltl_lexer_next(&l);
	bool is_formula = false;
	if (status == 0 && l.token == TOKEN_EXPRESSION) /* in C, that can only be a statement in brackets */
		is_formula = !memchr(text + l.begin, ';', l.end - l.begin);
	else if (status == 0 && l.token == TOKEN_WORD)
		is_formula = begins_formula(&l, names);
	ltl_error_release(&ignored);
	return is_formula;
}

int ltl_definition_parse(const char *text, struct ltl_definition *d, struct ltl_error *error)
{
	*error = (struct ltl_error){ 0 };
	size_t begin = strspn(text, " \t"), length = ltl_word_length(text + begin), equals = begin + length, end;
	equals += strspn(text + equals, " \t");
	if (!length || text[equals] != '=')
		return ltl_fail(error, text, length ? equals : begin,
				"a definition is NAME=EXPR, with an identifier of C as its name");
	if (is_reserved(text + begin, length))
		return ltl_fail(error, text, begin, "'%.*s' has a meaning in formulas; choose another name", (int)length,
				text + begin);
	size_t first = equals + 1 + strspn(text + equals + 1, " \t\n\r\f\v");
	if (!text[first])
		return ltl_fail(error, text, first, "the expression is missing");
	if (ltl_skip_c(text, first, first, '\0', &end, error) < 0)
		return -1;
	*d = (struct ltl_definition){ ltl_slice(text, begin, begin + length), ltl_text("%s", text + first) };
	return 0;
}

void ltl_definition_release(struct ltl_definition *d)
{
	free(d->name);
	free(d->expression);
	*d = (struct ltl_definition){ 0 };
}
