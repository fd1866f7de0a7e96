/* SPDX-License-Identifier: MIT
 *
 * From a formula's text to its tree, by precedence climbing over operator.def.  There is no next: the reductions (and what
 * counts as one step) preserve only formulas that cannot count steps.
 */
#include "internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { UNARY_PRECEDENCE = 5, DEEPEST = 2000, LONGEST = 30000 };

static const struct {
	int operands, precedence;
	const char *spin;
} operators[] = {
#define OPERATOR(name, operands, precedence, spin) { operands, precedence, spin },
#include "operator.def"
};

struct parser {
	struct ltl_lexer lexer;
	const struct ltl_names *names;
	struct ltl_propositions *propositions;
	char *note;
	unsigned depth;
};

static struct ltl_node *read_level(struct parser *p, int precedence);

static void release(struct ltl_node *node)
{
	if (!node)
		return;
	release(node->left);
	release(node->right);
	free(node);
}

static struct ltl_node *make(enum ltl_operator op, struct ltl_node *left, struct ltl_node *right, size_t begin, size_t end)
{
	struct ltl_node *node = malloc(sizeof *node);
	*node = (struct ltl_node){ .op = op, .left = left, .right = right, .begin = begin, .end = end };
	return node;
}

static struct ltl_node *fail_here(struct parser *p, const char *message)
{
	ltl_fail(p->lexer.error, p->lexer.text, p->lexer.begin, "%s", message);
	return NULL;
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

static struct ltl_node *read_brackets(struct parser *p)
{
	size_t opened = p->lexer.begin;
	if (ltl_lexer_next(&p->lexer) < 0)
		return NULL;
	struct ltl_node *node = read_level(p, 1);
	if (node && p->lexer.token != TOKEN_RIGHT) {
		if (p->lexer.token == TOKEN_END)
			ltl_fail(p->lexer.error, p->lexer.text, opened, "'(' without a matching ')'");
		else
			fail_here(p, "expected an operator or ')'");
	}
	if (node && (p->lexer.token != TOKEN_RIGHT || ltl_lexer_next(&p->lexer) < 0)) {
		release(node);
		return NULL;
	}
	return node;
}

static struct ltl_node *read_constant(struct parser *p, enum ltl_operator op)
{
	size_t begin = p->lexer.begin, end = p->lexer.end;
	return ltl_lexer_next(&p->lexer) < 0 ? NULL : make(op, NULL, NULL, begin, end);
}

/* Is the word FG, GF or the like, which some tools read as several operators? */
static bool is_run_of_operators(const struct ltl_lexer *l)
{
	size_t length = l->end - l->begin;
	return l->token == TOKEN_WORD && length > 1 && strspn(l->text + l->begin, "FG") == length;
}

static struct ltl_node *read_operand(struct parser *p)
{
	struct ltl_lexer *l = &p->lexer;
	size_t begin = l->begin;
	unsigned number;
	if (l->token == TOKEN_LEFT)
		return read_brackets(p);
	if (l->token == TOKEN_OPERATOR && operators[l->op].operands == 2)
		return fail_here(p, "an operand is missing before this operator; functions named like an operator go in braces");
	if (l->token == TOKEN_END)
		return fail_here(p, "the formula ends where an operand is expected");
	if (l->token != TOKEN_WORD && l->token != TOKEN_EXPRESSION)
		return fail_here(p, "expected a proposition; C expressions are written in braces, like {x > 0}");
	if (ltl_is_word(l, "true") || ltl_is_word(l, "false"))
		return read_constant(p, ltl_is_word(l, "true") ? LTL_TRUE : LTL_FALSE);
	if (ltl_is_word(l, "X") || ltl_is_word(l, "next"))
		return fail_here(p,
				 "there is no next operator: a step of the checker is not a step of the program, and reductions "
				 "keep only formulas without next (a function of this name goes in braces)");
	if (is_run_of_operators(l))
		return fail_here(p, "operators are separated by blanks: G F");
	if (ltl_read_proposition(l, p->names, p->propositions, &number) < 0)
		return NULL;
	struct ltl_node *node = make(LTL_PROPOSITION, NULL, NULL, begin, l->previous);
	node->proposition = number;
	return node;
}

static struct ltl_node *read_unary(struct parser *p)
{
	struct ltl_lexer *l = &p->lexer;
	if (l->token != TOKEN_OPERATOR || operators[l->op].operands != 1)
		return read_operand(p);
	enum ltl_operator op = l->op;
	size_t begin = l->begin;
	if (++p->depth > DEEPEST)
		return fail_here(p, "the formula is nested too deeply");
	struct ltl_node *operand = ltl_lexer_next(l) < 0 ? NULL : read_unary(p);
	p->depth--;
	return operand ? make(op, operand, NULL, begin, l->previous) : NULL;
}

/* ---- binary operators ---------------------------------------------------------------------------------------------- */

/* Note how operators of equal precedence are read: a -> b -> c is (a -> b) -> c in SPIN and here, and a -> (b -> c) elsewhere. */
static void take_note(struct parser *p, const struct ltl_node *left, enum ltl_operator second)
{
	enum ltl_operator first = left->op;
	bool bracketed = p->lexer.text[left->end + strspn(p->lexer.text + left->end, " \t\n\r")] == ')';
	if (p->note || bracketed || first > LTL_EQUIVALENT || operators[first].precedence != operators[second].precedence)
		return;
	if ((first == second && (first == LTL_AND || first == LTL_OR)) || second == LTL_EQUIVALENT)
		return; /* it makes no difference */
	const char *one = operators[first].spin, *other = operators[second].spin;
	p->note = ltl_text("operators of equal precedence are left-associative, as in SPIN: a %s b %s c is (a %s b) %s c", one,
			   other, one, other);
}

static struct ltl_node *read_level(struct parser *p, int precedence)
{
	struct ltl_lexer *l = &p->lexer;
	if (++p->depth > DEEPEST)
		return fail_here(p, "the formula is nested too deeply");
	assert(precedence >= 1 && precedence <= UNARY_PRECEDENCE);
	size_t begin = l->begin;
	struct ltl_node *left = precedence == UNARY_PRECEDENCE ? read_unary(p) : read_level(p, precedence + 1);
	while (left && l->token == TOKEN_OPERATOR && operators[l->op].operands == 2 && operators[l->op].precedence == precedence) {
		enum ltl_operator op = l->op;
		take_note(p, left, op);
		struct ltl_node *right = ltl_lexer_next(l) < 0 ? NULL : read_level(p, precedence + 1);
		if (right)
			left = make(op, left, right, begin, l->previous);
		else
			release(left), left = NULL;
	}
	assert(p->depth > 0);
	p->depth--;
	return left;
}

static struct ltl_node *read_formula(struct parser *p, const char *text, struct ltl_error *error)
{
	if (strlen(text) > LONGEST) {
		ltl_fail(error, text, LONGEST, "the formula is longer than %d characters", LONGEST);
		return NULL;
	}
	if (ltl_lexer_start(&p->lexer, text, error) < 0)
		return NULL;
	if (p->lexer.token == TOKEN_END)
		return fail_here(p, "the formula is empty");
	struct ltl_node *root = read_level(p, 1);
	if (!root || p->lexer.token == TOKEN_END)
		return root;
	fail_here(p, p->lexer.token == TOKEN_RIGHT ? "')' without a matching '('" : "expected an operator here");
	release(root);
	return NULL;
}

int ltl_parse(const char *text, const struct ltl_names *names, struct ltl_propositions *propositions, struct ltl_formula *formula,
	      struct ltl_error *error)
{
	struct parser parser = { .names = names, .propositions = propositions };
	*error = (struct ltl_error){ 0 };
	*formula = (struct ltl_formula){ 0 };
	struct ltl_node *root = read_formula(&parser, text, error);
	if (!root) {
		free(parser.note);
		return -1;
	}
	*formula = (struct ltl_formula){ ltl_text("%s", text), root, parser.note };
	return 0;
}

static const struct ltl_node *temporal(const struct ltl_node *node)
{
	if (!node)
		return NULL;
	bool counts = node->op == LTL_ALWAYS || node->op == LTL_EVENTUALLY || node->op == LTL_UNTIL || node->op == LTL_WEAK_UNTIL ||
		node->op == LTL_RELEASE;
	const struct ltl_node *left = counts ? node : temporal(node->left);
	return left ? left : temporal(node->right);
}

int ltl_parse_state(const char *text, const struct ltl_names *names, struct ltl_propositions *propositions,
		    struct ltl_formula *formula, struct ltl_error *error)
{
	if (ltl_parse(text, names, propositions, formula, error) < 0)
		return -1;
	const struct ltl_node *node = temporal(formula->root);
	if (!node)
		return 0;
	ltl_fail(error, text, node->begin, "an invariant is about single states; use --ltl for formulas with this operator");
	ltl_formula_release(formula);
	return -1;
}

void ltl_formula_release(struct ltl_formula *formula)
{
	free(formula->text);
	free(formula->note);
	release(formula->root);
	*formula = (struct ltl_formula){ 0 };
}
