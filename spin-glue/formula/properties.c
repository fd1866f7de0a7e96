/* SPDX-License-Identifier: MIT
 *
 * What the VM is to evaluate in every state, in the translator's terms: the invariants, or the propositions of the formula at
 * hand.  An invariant is a C expression, or a formula without temporal operators; then its propositions come first, as its
 * parts, and it is their combination, in postfix order.
 */
#include "formula.h"
#include "../base/base.h"
#include "../../ltl/ltl.h"
#include "../../translator/translator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define PROPERTY_HELD PROPERTY_EXPRESSION /* compile.c writes the expression */

static enum image_property_kind kind_of(enum ltl_kind kind)
{
	switch (kind) {
/* clang-format off */
#define PROPOSITION(name, text, argument, thread) case LTL_KIND_##name: return PROPERTY_##name;
#include "../../ltl/proposition.def"
		/* clang-format on */
	}
	BUG("unknown kind of proposition %d", (int)kind);
}

static struct translator_property *add(struct properties *all)
{
	all->items = realloc(all->items, (all->count + 1) * sizeof *all->items);
	all->codes = realloc(all->codes, (all->count + 1) * sizeof *all->codes);
	if (!all->items || !all->codes)
		BUG("out of memory");
	all->codes[all->count] = NULL;
	all->items[all->count] = (struct translator_property){ .thread = -1 };
	return &all->items[all->count++];
}

/* Return a copy of `name` that lives as long as the properties. */
static const char *keep(struct properties *all, const char *name)
{
	list_add(&all->names, name ? name : "");
	return all->names.items[all->names.count - 1];
}

static void add_propositions(struct properties *all, const struct formulas *formulas, const struct formula *formula, bool parts)
{
	for (size_t i = 0; i < formula->propositions.count; i++) {
		const struct ltl_proposition *p = &formula->propositions.items[i];
		char *function = ltl_is_c(p) ? formula_function(formulas, formula, i) : NULL;
		const char *name = keep(all, function ? function : p->name);
		free(function);
		struct translator_property *property = add(all);
		property->kind = kind_of(p->kind);
		property->function = ltl_is_c(p) || p->kind == LTL_KIND_IN ? name : NULL;
		property->label = p->kind == LTL_KIND_AT ? name : NULL;
		property->text = p->text;
		property->thread = p->thread;
		property->part = parts;
	}
}

/* of a formula, in postfix order */
struct code {
	uint32_t *words;
	size_t count;
	size_t depth, deepest; /* values on the stack */
};

static void put(struct code *code, uint32_t word, int pushed)
{
	assert(pushed >= 0 || code->depth > (size_t)-pushed); /* each operation leaves a value */
	code->words = realloc(code->words, (code->count + 1) * sizeof *code->words);
	if (!code->words)
		BUG("out of memory");
	code->words[code->count++] = word;
	code->depth += (size_t)pushed;
	code->deepest = code->depth > code->deepest ? code->depth : code->deepest;
}

/* Add the code of `node`.  `first` is the number of the property that is proposition 0. */
static void put_formula(struct code *code, const struct ltl_node *node, uint32_t first)
{
	static const uint32_t words[] = {
		[LTL_NOT] = FORMULA_NOT,
		[LTL_AND] = FORMULA_AND,
		[LTL_OR] = FORMULA_OR,
		[LTL_IMPLIES] = FORMULA_IMPLIES,
		[LTL_EQUIVALENT] = FORMULA_EQUIVALENT,
		[LTL_TRUE] = FORMULA_TRUE,
		[LTL_FALSE] = FORMULA_FALSE,
	};
	if (node->left)
		put_formula(code, node->left, first);
	if (node->right)
		put_formula(code, node->right, first);
	assert(node->op == LTL_PROPOSITION || node->op < sizeof words / sizeof *words); /* no temporal operator */
	int operands = !!node->left + !!node->right;
	put(code, node->op == LTL_PROPOSITION ? first + node->proposition : words[node->op], 1 - operands);
}

static void add_invariant(struct properties *all, const struct formulas *formulas, size_t number)
{
	assert(number < formulas->ninvariants);
	const struct formula *invariant = &formulas->invariants[number];
	struct code code = { 0 };
	if (invariant->parsed.root) {
		uint32_t first = (uint32_t)all->count;
		add_propositions(all, formulas, invariant, true);
		put_formula(&code, invariant->parsed.root, first);
		assert(code.depth == 1);
	}
	if (code.deepest > IMAGE_FORMULA_DEPTH)
		fail("the invariant '%s' is nested too deeply", invariant->name);
	char *function = text("__bitspin_invariant_%zu", number);
	struct translator_property *property = add(all);
	property->kind = PROPERTY_INVARIANT;
	property->function = invariant->parsed.root ? NULL : keep(all, function);
	property->text = invariant->name;
	property->formula = all->codes[all->count - 1] = code.words;
	property->nformula = code.count;
	free(function);
}

void properties_make(struct properties *all, const struct formulas *formulas, const struct formula *formula)
{
	*all = (struct properties){ 0 };
	if (formula)
		add_propositions(all, formulas, formula, false);
	for (size_t i = 0; !formula && formulas && i < formulas->ninvariants; i++)
		add_invariant(all, formulas, i);
}

void properties_add_shown(struct properties *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *function = text("__bitspin_shown_%zu", i);
		struct translator_property *property = add(all);
		property->kind = PROPERTY_SHOWN;
		property->function = keep(all, function);
		property->text = "the expression"; /* the VM says it of what goes wrong */
		free(function);
	}
}

void properties_release(struct properties *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->codes[i]);
	free(all->codes);
	free(all->items);
	list_release(&all->names);
	*all = (struct properties){ 0 };
}
