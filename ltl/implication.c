/* SPDX-License-Identifier: MIT
 *
 * Implications between terms that are plain from their form.  Each rule asks for implications between smaller terms; answers are
 * kept.  What no rule shows is "no", which costs nothing but a simplification.
 */
#include "terms.h"

#include <assert.h>
#include <stdlib.h>

enum { KNOWN = 1 << 14, MOST_COMPARED = 1 << 20 };

struct implication {
	unsigned a, b;
	bool holds;
};

static bool all_imply(struct ltl_terms *t, const struct ltl_term *a, unsigned b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!ltl_term_implies(t, a->operands[i], b))
			return false;
	return true;
}

static bool implies_all(struct ltl_terms *t, unsigned a, const struct ltl_term *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (!ltl_term_implies(t, a, b->operands[i]))
			return false;
	return true;
}

static bool any_implies(struct ltl_terms *t, const struct ltl_term *a, unsigned b)
{
	for (size_t i = 0; i < a->count; i++)
		if (ltl_term_implies(t, a->operands[i], b))
			return true;
	return false;
}

static bool implies_any(struct ltl_terms *t, unsigned a, const struct ltl_term *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (ltl_term_implies(t, a, b->operands[i]))
			return true;
	return false;
}

/* Does the term `number` follow from a = c U d, where now c or d holds, or from a = c R d, where now d holds? */
static bool from_temporal(struct ltl_terms *t, const struct ltl_term *a, unsigned number)
{
	const struct ltl_term *b = &t->items[number];
	if (a->kind == b->kind && ltl_term_implies(t, a->operands[0], b->operands[0]) &&
	    ltl_term_implies(t, a->operands[1], b->operands[1]))
		return true;
	if (!ltl_term_implies(t, a->operands[1], number))
		return false;
	return a->kind == TERM_RELEASE || b->eventual || ltl_term_implies(t, a->operands[0], number);
}

/* Does b follow from the term `number`?  b = x U y follows from y; b = x R y from x and y, or from y that stays. */
static bool to_temporal(struct ltl_terms *t, unsigned number, const struct ltl_term *b)
{
	const struct ltl_term *a = &t->items[number];
	if (!ltl_term_implies(t, number, b->operands[1]))
		return false;
	return b->kind == TERM_UNTIL || a->universal || ltl_term_implies(t, number, b->operands[0]);
}

static bool is_temporal(const struct ltl_term *term)
{
	return term->kind == TERM_UNTIL || term->kind == TERM_RELEASE;
}

static bool shown(struct ltl_terms *t, unsigned a, unsigned b)
{
	const struct ltl_term *one = &t->items[a], *other = &t->items[b];
	if (one->kind == TERM_OR)
		return all_imply(t, one, b);
	if (other->kind == TERM_AND)
		return implies_all(t, a, other);
	return (one->kind == TERM_AND && any_implies(t, one, b)) || (other->kind == TERM_OR && implies_any(t, a, other)) ||
		(is_temporal(one) && from_temporal(t, one, b)) || (is_temporal(other) && to_temporal(t, a, other));
}

bool ltl_term_implies(struct ltl_terms *t, unsigned a, unsigned b)
{
	assert(a < t->count && b < t->count);
	if (a == b || a == TERM_FALSE || b == TERM_TRUE)
		return true;
	if (t->items[a].kind == TERM_STATE && t->items[b].kind == TERM_STATE)
		return ltl_guard_implies(t->guards, t->items[a].guard, t->items[b].guard);
	if (!t->known && !(t->known = calloc(KNOWN, sizeof *t->known)))
		abort();
	struct implication *known = &t->known[(a * 2654435761u ^ b * 40503u) % KNOWN];
	if (known->a == a && known->b == b)
		return known->holds;
	if (++t->compared > MOST_COMPARED)
		return false;
	bool holds = shown(t, a, b);
	*known = (struct implication){ a, b, holds };
	return holds;
}
