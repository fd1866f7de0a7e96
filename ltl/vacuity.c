/* SPDX-License-Identifier: MIT
 *
 * Vacuity: [] (A -> <> B) holds vacuously if its premise A never occurs.  Only implications in positive positions count
 * (under an even number of negations and left sides of implications): there, a false A makes the formula easier to satisfy.
 * This is the antecedent failure of Beatty and Bryant; a general vacuity check would search again.
 */
#include "internal.h"

#include <assert.h>

static bool is_boolean(const struct ltl_node *node)
{
	switch (node->op) {
	case LTL_TRUE:
	case LTL_FALSE:
	case LTL_PROPOSITION: return true;
	case LTL_NOT: return is_boolean(node->left);
	/* clang-format off */
	case LTL_AND: case LTL_OR: case LTL_IMPLIES: case LTL_EQUIVALENT: return is_boolean(node->left) && is_boolean(node->right);
	/* clang-format on */
	default: return false;
	}
}

static bool is_true(const struct ltl_node *node, uint64_t valuation)
{
	assert(node->op != LTL_PROPOSITION || node->proposition < LTL_MAX_PROPOSITIONS);
	switch (node->op) {
	case LTL_TRUE: return true;
	case LTL_PROPOSITION: return valuation >> node->proposition & 1;
	case LTL_NOT: return !is_true(node->left, valuation);
	case LTL_AND: return is_true(node->left, valuation) && is_true(node->right, valuation);
	case LTL_OR: return is_true(node->left, valuation) || is_true(node->right, valuation);
	case LTL_IMPLIES: return !is_true(node->left, valuation) || is_true(node->right, valuation);
	case LTL_EQUIVALENT: return is_true(node->left, valuation) == is_true(node->right, valuation);
	default: return false;
	}
}

static bool occurs(const struct ltl_node *node, const uint64_t *valuations, size_t count)
{
	assert(is_boolean(node));
	for (size_t i = 0; i < count; i++)
		if (is_true(node, valuations[i]))
			return true;
	return false;
}

/* Return the antecedent that never occurs; NULL if there is none.  Below an equivalence, positions are both positive and
 * negative. */
static const struct ltl_node *find(const struct ltl_node *node, bool positive, const uint64_t *valuations, size_t count)
{
	if (!node || node->op == LTL_EQUIVALENT)
		return NULL;
	bool implies = node->op == LTL_IMPLIES;
	if (implies && positive && is_boolean(node->left) && !occurs(node->left, valuations, count))
		return node->left;
	const struct ltl_node *found = find(node->left, positive != (implies || node->op == LTL_NOT), valuations, count);
	return found ? found : find(node->right, positive, valuations, count);
}

char *ltl_vacuous(const struct ltl_formula *formula, const uint64_t *valuations, size_t count)
{
	const struct ltl_node *antecedent = find(formula->root, true, valuations, count);
	return antecedent ? ltl_slice(formula->text, antecedent->begin, antecedent->end) : NULL;
}

/* [] f is violated wherever f is, however late. */
static bool sees_all(const struct ltl_node *node)
{
	return node->op == LTL_ALWAYS || (node->op == LTL_AND && (sees_all(node->left) || sees_all(node->right)));
}

bool ltl_sees_all(const struct ltl_formula *formula)
{
	return formula->root && sees_all(formula->root);
}

/* ---- ready-made properties ----------------------------------------------------------------------------------------- */

char *ltl_termination(void)
{
	return ltl_text("<> terminated");
}

char *ltl_progress(void)
{
	return ltl_text("[] <> (at(bitspin_progress) || terminated)");
}

char *ltl_starvation(unsigned thread)
{
	return ltl_text("[] (locking(%u) -> <> ! locking(%u))", thread, thread);
}
