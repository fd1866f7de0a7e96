/* SPDX-License-Identifier: MIT
 *
 * See terms.h.  Making terms, and what is known of each at once: its negation, and its classes after Etessami and Holzmann.
 */
#include "terms.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned add_term(struct ltl_terms *t, struct ltl_term term)
{
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		if (!(t->items = realloc(t->items, t->room * sizeof *t->items)))
			abort();
	}
	t->items[t->count] = term;
	return (unsigned)t->count++;
}

void ltl_terms_init(struct ltl_terms *t, struct ltl_guards *guards)
{
	*t = (struct ltl_terms){ .guards = guards };
	for (unsigned truth = 0; truth < 2; truth++)
		add_term(t, (struct ltl_term){ .guard = truth, .negation = !truth, .eventual = true, .universal = true });
	assert(t->items[TERM_FALSE].guard == GUARD_FALSE && t->items[TERM_TRUE].guard == GUARD_TRUE);
}

void ltl_terms_release(struct ltl_terms *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i].operands);
	free(t->items);
	free(t->known);
}

unsigned ltl_term_not(const struct ltl_terms *t, unsigned term)
{
	assert(term < t->count);
	return t->items[term].negation;
}

bool ltl_term_is(const struct ltl_terms *t, unsigned term, enum ltl_term_kind kind)
{
	assert(term < t->count);
	return t->items[term].kind == kind;
}

static unsigned *slot_of(struct ltl_terms *t, enum ltl_term_kind kind, unsigned guard, const unsigned *operands, size_t count)
{
	unsigned hash = (unsigned)kind * 31 + guard;
	for (size_t i = 0; i < count; i++)
		hash = hash * 16777619u ^ operands[i];
	return &t->table[(hash ^ hash >> 13) % TERMS_TABLE];
}

/* Return the term with these operands; 0 if there is none (0 is a constant, which nobody looks for). */
static unsigned find(const struct ltl_terms *t, unsigned first, enum ltl_term_kind kind, unsigned guard, const unsigned *operands,
		     size_t count)
{
	for (unsigned i = first; i; i = t->items[i].next) {
		const struct ltl_term *term = &t->items[i];
		if (term->kind == kind && term->guard == guard && term->count == count &&
		    (count == 0 || memcmp(term->operands, operands, count * sizeof *operands) == 0))
			return i;
	}
	return 0;
}

static bool all_of(const struct ltl_terms *t, const unsigned *operands, size_t count, bool eventual)
{
	for (size_t i = 0; i < count; i++)
		if (!(eventual ? t->items[operands[i]].eventual : t->items[operands[i]].universal))
			return false;
	return true;
}

/* The class of a term; true U x is eventual, false R x is universal.  Both classes are closed under all operators. */
static bool is_in(const struct ltl_terms *t, enum ltl_term_kind kind, const unsigned *operands, size_t count, bool eventual)
{
	return all_of(t, operands, count, eventual) || (eventual && kind == TERM_UNTIL && operands[0] == TERM_TRUE) ||
		(!eventual && kind == TERM_RELEASE && operands[0] == TERM_FALSE);
}

static unsigned add_half(struct ltl_terms *t, enum ltl_term_kind kind, unsigned guard, const unsigned *operands, size_t count)
{
	unsigned *slot = slot_of(t, kind, guard, operands, count), *copy = count ? malloc(count * sizeof *copy) : NULL;
	if (count && !copy)
		abort();
	if (count)
		memcpy(copy, operands, count * sizeof *copy);
	return *slot = add_term(t,
				(struct ltl_term){
					.kind = kind,
					.guard = guard,
					.operands = copy,
					.count = count,
					.eventual = kind != TERM_STATE && is_in(t, kind, operands, count, true),
					.universal = kind != TERM_STATE && is_in(t, kind, operands, count, false),
					.next = *slot,
				});
}

static void pair(struct ltl_terms *t, unsigned term, unsigned negation)
{
	assert(term < t->count && negation < t->count);
	t->items[term].negation = negation;
	t->items[negation].negation = term;
}

unsigned ltl_term_state(struct ltl_terms *t, unsigned guard)
{
	if (guard <= GUARD_TRUE)
		return guard;
	unsigned known = find(t, *slot_of(t, TERM_STATE, guard, NULL, 0), TERM_STATE, guard, NULL, 0);
	if (known)
		return known;
	unsigned negated = ltl_guard_not(t->guards, guard), term = add_half(t, TERM_STATE, guard, NULL, 0);
	pair(t, term, negated <= GUARD_TRUE ? term : add_half(t, TERM_STATE, negated, NULL, 0));
	return term;
}

static int ascending(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

void ltl_terms_sort(unsigned *terms, size_t count)
{
	qsort(terms, count, sizeof *terms, ascending);
}

static bool is_sorted(const unsigned *terms, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (terms[i - 1] >= terms[i])
			return false;
	return true;
}

static enum ltl_term_kind dual(enum ltl_term_kind kind)
{
	static const enum ltl_term_kind duals[] = {
		[TERM_AND] = TERM_OR,
		[TERM_OR] = TERM_AND,
		[TERM_UNTIL] = TERM_RELEASE,
		[TERM_RELEASE] = TERM_UNTIL,
	};
	assert(kind != TERM_STATE);
	return duals[kind];
}

unsigned ltl_term_intern(struct ltl_terms *t, enum ltl_term_kind kind, const unsigned *operands, size_t count)
{
	assert(kind == TERM_AND || kind == TERM_OR ? count > 1 && is_sorted(operands, count) : count == 2);
	unsigned known = find(t, *slot_of(t, kind, 0, operands, count), kind, 0, operands, count);
	if (known)
		return known;
	unsigned *negated = malloc(count * sizeof *negated);
	if (!negated)
		abort();
	for (size_t i = 0; i < count; i++)
		negated[i] = ltl_term_not(t, operands[i]);
	if (kind == TERM_AND || kind == TERM_OR)
		ltl_terms_sort(negated, count);
	unsigned term = add_half(t, kind, 0, operands, count);
	pair(t, term, add_half(t, dual(kind), 0, negated, count));
	free(negated);
	return term;
}
