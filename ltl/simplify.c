/* SPDX-License-Identifier: MIT
 *
 * Terms made simpler while they are built.  The rules are those for `and` and `until`; `or` and `release` are the negations of
 * them.  A term that is both eventual and universal says the same all along the run (GF x, FG x): here it is called suspended.
 */
#include "terms.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 64 };

struct operands {
	unsigned *items;
	size_t count;
};

static void push(struct operands *list, unsigned term)
{
	list->items = realloc(list->items, (list->count + 1) * sizeof *list->items);
	if (!list->items)
		abort();
	list->items[list->count++] = term;
}

static void drop(struct operands *list, size_t i)
{
	assert(i < list->count);
	memmove(&list->items[i], &list->items[i + 1], (--list->count - i) * sizeof *list->items);
}

/* Push the operands of a term of the kind, or, if it is of another kind, the term itself. */
static void push_parts(const struct ltl_terms *t, struct operands *list, unsigned term, enum ltl_term_kind kind)
{
	if (!ltl_term_is(t, term, kind)) {
		push(list, term);
		return;
	}
	assert(t->items[term].count > 1);
	for (size_t i = 0; i < t->items[term].count; i++)
		push(list, t->items[term].operands[i]);
}

static unsigned and2(struct ltl_terms *t, unsigned a, unsigned b)
{
	return ltl_term_and(t, (const unsigned[]){ a, b }, 2);
}

static unsigned or2(struct ltl_terms *t, unsigned a, unsigned b)
{
	return ltl_term_or(t, (const unsigned[]){ a, b }, 2);
}

static bool is_suspended(const struct ltl_terms *t, unsigned term)
{
	return t->items[term].eventual && t->items[term].universal;
}

/* Return x if the term is F x; 0, which no x is, if not.  globally() does the same for G x. */
static unsigned finally(const struct ltl_terms *t, unsigned term)
{
	const struct ltl_term *it = &t->items[term];
	return it->kind == TERM_UNTIL && it->operands[0] == TERM_TRUE ? it->operands[1] : TERM_FALSE;
}

static unsigned globally(const struct ltl_terms *t, unsigned term)
{
	const struct ltl_term *it = &t->items[term];
	return it->kind == TERM_RELEASE && it->operands[0] == TERM_FALSE ? it->operands[1] : TERM_FALSE;
}

/* ---- and ----------------------------------------------------------------------------------------------------------- */

/* Return the conjuncts, and those of conjuncts, in order; all that is about one state is one of them. */
static struct operands flat(struct ltl_terms *t, const unsigned *operands, size_t count)
{
	struct operands parts = { 0 }, list = { 0 };
	unsigned guard = GUARD_TRUE;
	for (size_t i = 0; i < count; i++)
		push_parts(t, &parts, operands[i], TERM_AND);
	for (size_t i = 0; i < parts.count; i++)
		if (ltl_term_is(t, parts.items[i], TERM_STATE))
			guard = ltl_guard_and(t->guards, guard, t->items[parts.items[i]].guard);
		else
			push(&list, parts.items[i]);
	push(&list, ltl_term_state(t, guard));
	free(parts.items);
	ltl_terms_sort(list.items, list.count);
	return list;
}

/* Drop conjuncts that another one implies.  Return false if two contradict each other. */
static bool prune(struct ltl_terms *t, struct operands *list)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t k = 0; k < list->count;) {
			unsigned one = list->items[i], other = list->items[k];
			if (k != i && ltl_term_implies(t, one, ltl_term_not(t, other)))
				return false;
			if (k != i && ltl_term_implies(t, one, other)) {
				drop(list, k);
				i -= k < i;
			} else {
				k++;
			}
		}
	return true;
}

/* Return one term that is the conjunction of two; TERM_FALSE if none is known. */
static unsigned merged(struct ltl_terms *t, unsigned one, unsigned other)
{
	const struct ltl_term a = t->items[one], b = t->items[other];
	if (a.kind != b.kind || (a.kind != TERM_UNTIL && a.kind != TERM_RELEASE))
		return TERM_FALSE;
	unsigned always = globally(t, finally(t, one)), too = globally(t, finally(t, other));
	if (always && too) /* FG x and FG y */
		return ltl_term_until(t, TERM_TRUE, ltl_term_release(t, TERM_FALSE, and2(t, always, too)));
	if (a.kind == TERM_UNTIL && a.operands[1] == b.operands[1])
		return ltl_term_until(t, and2(t, a.operands[0], b.operands[0]), a.operands[1]);
	bool again = t->items[a.operands[1]].eventual || t->items[b.operands[1]].eventual; /* GF x stays alone */
	if (a.kind == TERM_RELEASE && a.operands[0] == b.operands[0] && !again)
		return ltl_term_release(t, a.operands[0], and2(t, a.operands[1], b.operands[1]));
	return TERM_FALSE;
}

static bool merge(struct ltl_terms *t, struct operands *list)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t k = i + 1; k < list->count; k++) {
			unsigned both = merged(t, list->items[i], list->items[k]);
			if (!both)
				continue;
			list->items[i] = both;
			drop(list, k);
			return true;
		}
	return false;
}

/* Return in how many ways a disjunct of each suspended conjunct can be chosen; 1 if there is at most one such conjunct. */
static size_t choices(const struct ltl_terms *t, const struct operands *list)
{
	size_t all = 1, suspended = 0;
	for (size_t i = 0; i < list->count && all <= MOST_CHOICES; i++) {
		unsigned term = list->items[i];
		suspended += is_suspended(t, term);
		if (is_suspended(t, term) && ltl_term_is(t, term, TERM_OR))
			all *= t->items[term].count;
	}
	return suspended > 1 ? all : 1;
}

/* Return a conjunction such as (GF a || FG b) && FG c as a disjunction, so that what is to hold from some time on becomes one
 * term in each disjunct.  That time is chosen once then, and not for each term. */
static unsigned distributed(struct ltl_terms *t, const struct operands *list, size_t ways)
{
	struct operands sum = { 0 };
	for (size_t way = 0; way < ways; way++) {
		struct operands product = { 0 };
		size_t left = way;
		for (size_t i = 0; i < list->count; i++) {
			const struct ltl_term *term = &t->items[list->items[i]];
			if (!is_suspended(t, list->items[i]))
				continue;
			bool is_choice = term->kind == TERM_OR;
			push(&product, is_choice ? term->operands[left % term->count] : list->items[i]);
			left /= is_choice ? term->count : 1;
		}
		assert(product.count > 1 && left == 0);
		push(&sum, ltl_term_and(t, product.items, product.count));
		free(product.items);
	}
	unsigned result = ltl_term_or(t, sum.items, sum.count);
	free(sum.items);
	return result;
}

static unsigned distribute(struct ltl_terms *t, struct operands *list, size_t ways)
{
	struct operands rest = { 0 };
	push(&rest, distributed(t, list, ways));
	for (size_t i = 0; i < list->count; i++)
		if (!is_suspended(t, list->items[i]))
			push(&rest, list->items[i]);
	unsigned result = ltl_term_and(t, rest.items, rest.count);
	free(rest.items);
	return result;
}

/* Return the conjunction of the operands; if `choosing`, it may become a disjunction. */
static unsigned conjunction(struct ltl_terms *t, const unsigned *operands, size_t count, bool choosing)
{
	struct operands list = flat(t, operands, count);
	unsigned result;
	size_t ways;
	assert(list.count > 0);
	if (!prune(t, &list))
		result = TERM_FALSE;
	else if (merge(t, &list))
		result = conjunction(t, list.items, list.count, choosing);
	else if (choosing && (ways = choices(t, &list)) > 1 && ways <= MOST_CHOICES)
		result = distribute(t, &list, ways);
	else
		result = list.count == 1 ? list.items[0] : ltl_term_intern(t, TERM_AND, list.items, list.count);
	free(list.items);
	return result;
}

unsigned ltl_term_and(struct ltl_terms *t, const unsigned *operands, size_t count)
{
	return conjunction(t, operands, count, true);
}

unsigned ltl_term_or(struct ltl_terms *t, const unsigned *operands, size_t count)
{
	struct operands negated = { 0 };
	for (size_t i = 0; i < count; i++)
		push(&negated, ltl_term_not(t, operands[i]));
	unsigned result = ltl_term_not(t, conjunction(t, negated.items, negated.count, false));
	free(negated.items);
	return result;
}

/* ---- until --------------------------------------------------------------------------------------------------------- */

/* Select the operands of an AND or OR, or the term itself, that are of the class, or are not.  Return how many there are. */
static size_t select_parts(const struct ltl_terms *t, struct operands *list, unsigned term, enum ltl_term_kind kind, bool wanted,
			   bool (*is_of_class)(const struct ltl_terms *, unsigned))
{
	struct operands parts = { 0 };
	*list = (struct operands){ 0 };
	push_parts(t, &parts, term, kind);
	for (size_t i = 0; i < parts.count; i++)
		if (is_of_class(t, parts.items[i]) == wanted)
			push(list, parts.items[i]);
	free(parts.items);
	return list->count;
}

static bool is_eventual(const struct ltl_terms *t, unsigned term)
{
	return t->items[term].eventual;
}

static bool is_universal(const struct ltl_terms *t, unsigned term)
{
	return t->items[term].universal;
}

/* Take the operands of a class out of an AND or OR: `rest` is what is left of it, `taken` what was taken. */
static bool take_out(struct ltl_terms *t, unsigned term, enum ltl_term_kind kind, unsigned *rest, unsigned *taken,
		     bool (*is_of_class)(const struct ltl_terms *, unsigned))
{
	struct operands in, out;
	if (!ltl_term_is(t, term, kind))
		return false;
	bool any = select_parts(t, &in, term, kind, true, is_of_class) > 0;
	select_parts(t, &out, term, kind, false, is_of_class);
	if (any) {
		unsigned (*make)(struct ltl_terms *, const unsigned *, size_t) = kind == TERM_AND ? ltl_term_and : ltl_term_or;
		*taken = make(t, in.items, in.count);
		*rest = make(t, out.items, out.count);
	}
	free(in.items);
	free(out.items);
	return any;
}

/* Return the disjunct that is about one state; TERM_FALSE if there is none. */
static unsigned state_of(const struct ltl_terms *t, unsigned term)
{
	const struct ltl_term *it = &t->items[term];
	for (size_t i = 0; it->kind == TERM_OR && i < it->count; i++)
		if (ltl_term_is(t, it->operands[i], TERM_STATE))
			return it->operands[i];
	return it->kind == TERM_STATE ? term : TERM_FALSE;
}

/* Return what can stand for a in a U b.  Where b holds, a need not; conjuncts that hold wherever b does not hold say nothing. */
static unsigned left_of_until(struct ltl_terms *t, unsigned a, unsigned b)
{
	struct operands parts = { 0 }, kept = { 0 };
	unsigned now = state_of(t, b), not_b = ltl_term_not(t, b);
	push_parts(t, &parts, a, TERM_AND);
	for (size_t i = 0; i < parts.count; i++)
		if (ltl_term_is(t, parts.items[i], TERM_STATE))
			push(&kept, or2(t, parts.items[i], now));
		else if (!ltl_term_implies(t, not_b, parts.items[i]))
			push(&kept, parts.items[i]);
	unsigned result = ltl_term_and(t, kept.items, kept.count);
	free(parts.items);
	free(kept.items);
	return result;
}

/* Return F b. */
static unsigned eventually(struct ltl_terms *t, unsigned b)
{
	unsigned rest, taken, always = globally(t, b);
	if (ltl_term_is(t, b, TERM_UNTIL)) /* F (c U d) */
		return ltl_term_until(t, TERM_TRUE, t->items[b].operands[1]);
	if (always && take_out(t, always, TERM_OR, &rest, &taken, is_universal)) /* FG (x || y), where y stays */
		return or2(t, ltl_term_until(t, TERM_TRUE, ltl_term_release(t, TERM_FALSE, rest)),
			   ltl_term_until(t, TERM_TRUE, taken));
	return ltl_term_intern(t, TERM_UNTIL, (const unsigned[]){ TERM_TRUE, b }, 2);
}

unsigned ltl_term_until(struct ltl_terms *t, unsigned a, unsigned b)
{
	unsigned rest, taken;
	if (t->items[b].eventual || ltl_term_implies(t, a, b))
		return b;
	if (take_out(t, b, TERM_OR, &rest, &taken, is_eventual))
		return or2(t, ltl_term_until(t, a, rest), taken);
	if (take_out(t, b, TERM_AND, &rest, &taken, is_suspended))
		return and2(t, ltl_term_until(t, a, rest), taken);
	if (ltl_term_is(t, b, TERM_UNTIL) && ltl_term_implies(t, a, t->items[b].operands[0])) /* a U (c U d), a => c */
		return b;
	unsigned left = left_of_until(t, a, b);
	if (left != a)
		return ltl_term_until(t, left, b);
	return a == TERM_TRUE ? eventually(t, b) : ltl_term_intern(t, TERM_UNTIL, (const unsigned[]){ a, b }, 2);
}

unsigned ltl_term_release(struct ltl_terms *t, unsigned a, unsigned b)
{
	return ltl_term_not(t, ltl_term_until(t, ltl_term_not(t, a), ltl_term_not(t, b)));
}

/* ---- from formulas ------------------------------------------------------------------------------------------------- */

static unsigned binary(struct ltl_terms *t, const struct ltl_node *node, bool negated)
{
	unsigned a = ltl_term_of(t, node->left, negated != (node->op == LTL_IMPLIES)), b = ltl_term_of(t, node->right, negated);
	switch (node->op) {
	case LTL_AND: return negated ? or2(t, a, b) : and2(t, a, b);
	case LTL_OR:
	case LTL_IMPLIES: return negated ? and2(t, a, b) : or2(t, a, b);
	case LTL_UNTIL: return negated ? ltl_term_release(t, a, b) : ltl_term_until(t, a, b);
	case LTL_RELEASE: return negated ? ltl_term_until(t, a, b) : ltl_term_release(t, a, b);
	case LTL_WEAK_UNTIL: /* a W b is b R (a || b) */
		return negated ? ltl_term_until(t, b, and2(t, a, b)) : ltl_term_release(t, b, or2(t, a, b));
	default: assert(false); abort();
	}
}

/* Return a <-> b, in which each side is negated once, so that nested ones do not grow exponentially. */
static unsigned equivalence(struct ltl_terms *t, const struct ltl_node *node, bool negated)
{
	unsigned a = ltl_term_of(t, node->left, negated), b = ltl_term_of(t, node->right, false);
	return or2(t, and2(t, a, b), and2(t, ltl_term_not(t, a), ltl_term_not(t, b)));
}

unsigned ltl_term_of(struct ltl_terms *t, const struct ltl_node *node, bool negated)
{
	switch (node->op) {
	case LTL_TRUE: return negated ? TERM_FALSE : TERM_TRUE;
	case LTL_FALSE: return negated ? TERM_TRUE : TERM_FALSE;
	case LTL_PROPOSITION: return ltl_term_state(t, ltl_guard_literal(t->guards, node->proposition, negated));
	case LTL_NOT: return ltl_term_of(t, node->left, !negated);
	case LTL_EQUIVALENT: return equivalence(t, node, negated);
	case LTL_ALWAYS:
	case LTL_EVENTUALLY: {
		unsigned x = ltl_term_of(t, node->left, negated);
		return (node->op == LTL_ALWAYS) == negated ? ltl_term_until(t, TERM_TRUE, x) : ltl_term_release(t, TERM_FALSE, x);
	}
	default: return binary(t, node, negated);
	}
}

unsigned ltl_term_joined(struct ltl_terms *t, unsigned term)
{
	struct operands parts = { 0 }, inner = { 0 }, outer = { 0 };
	push_parts(t, &parts, term, TERM_OR);
	for (size_t i = 0; i < parts.count; i++)
		if (finally(t, parts.items[i]))
			push(&inner, finally(t, parts.items[i]));
		else
			push(&outer, parts.items[i]);
	if (inner.count > 1) {
		unsigned any = ltl_term_or(t, inner.items, inner.count);
		push(&outer, ltl_term_intern(t, TERM_UNTIL, (const unsigned[]){ TERM_TRUE, any }, 2));
		ltl_terms_sort(outer.items, outer.count);
		term = outer.count == 1 ? outer.items[0] : ltl_term_intern(t, TERM_OR, outer.items, outer.count);
	}
	free(parts.items);
	free(inner.items);
	free(outer.items);
	return term;
}
