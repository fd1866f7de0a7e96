/* SPDX-License-Identifier: MIT
 *
 * Formulas as text: over p0, p1, ... in SPIN's syntax, for tests, and over what the user wrote for people.  `spin -f` has two
 * levels of precedence (&& and || are equal), so every binary operand gets parentheses; and it has no weak until: p W q is
 * q V (p || q).
 */
#include "internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
	int operands;
	const char *spin;
} operators[] = {
#define OPERATOR(name, operands, precedence, spin) { operands, spin },
#include "operator.def"
};

struct printer {
	FILE *file;
	const struct ltl_propositions *propositions; /* NULL: p0, p1, ... in SPIN's syntax */
};

static void print_node(const struct printer *p, const struct ltl_node *node);

static bool is_binary(const struct ltl_node *node)
{
	return node->op < LTL_TRUE && operators[node->op].operands == 2;
}

static void print_operand(const struct printer *p, const struct ltl_node *node)
{
	if (is_binary(node))
		putc('(', p->file);
	print_node(p, node);
	if (is_binary(node))
		putc(')', p->file);
}

static void print_node(const struct printer *p, const struct ltl_node *node)
{
	struct ltl_node either = { .op = LTL_OR, .left = node->left, .right = node->right };
	if (node->op == LTL_TRUE || node->op == LTL_FALSE) {
		fputs(node->op == LTL_TRUE ? "true" : "false", p->file);
	} else if (node->op == LTL_PROPOSITION) {
		assert(!p->propositions || node->proposition < p->propositions->count);
		if (p->propositions)
			fputs(p->propositions->items[node->proposition].text, p->file);
		else
			fprintf(p->file, "p%u", node->proposition);
	} else if (!is_binary(node)) {
		assert(node->left && !node->right);
		fprintf(p->file, "%s ", operators[node->op].spin);
		print_operand(p, node->left);
	} else if (node->op == LTL_WEAK_UNTIL && !p->propositions) {
		print_operand(p, node->right);
		fputs(" V ", p->file);
		print_operand(p, &either);
	} else {
		print_operand(p, node->left);
		fprintf(p->file, " %s ", operators[node->op].spin);
		print_operand(p, node->right);
	}
}

static char *print(const struct ltl_node *root, const struct ltl_propositions *propositions, const char *before, const char *after)
{
	char *text;
	size_t size;
	struct printer printer = { open_memstream(&text, &size), propositions };
	if (!printer.file)
		abort();
	fputs(before, printer.file);
	print_node(&printer, root);
	fputs(after, printer.file);
	fclose(printer.file);
	return text;
}

char *ltl_spin(const struct ltl_formula *formula, bool negated)
{
	return print(formula->root, NULL, negated ? "!(" : "", negated ? ")" : "");
}

char *ltl_print(const struct ltl_formula *formula, const struct ltl_propositions *propositions)
{
	return print(formula->root, propositions, "", "");
}

static uint64_t used(const struct ltl_node *node)
{
	if (!node)
		return 0;
	return node->op == LTL_PROPOSITION ? UINT64_C(1) << node->proposition : used(node->left) | used(node->right);
}

uint64_t ltl_uses(const struct ltl_formula *formula)
{
	return used(formula->root);
}
