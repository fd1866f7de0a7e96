/* SPDX-License-Identifier: MIT
 *
 * Parts of a conjunction that say what is owed: G (p -> F q), GF q and F q, with p and q about one state.  A bit remembers
 * whether q is owed, so that the claim of a conjunction of n such parts has n bits where an automaton has 2^n states and up to 4^n
 * edges.
 */
#include "terms.h"

#include <assert.h>
#include <stdlib.h>

/* Return q if the term is F q, with q about one state; else TERM_FALSE. */
static unsigned owed_by(const struct ltl_terms *t, unsigned term)
{
	const struct ltl_term *it = &t->items[term];
	bool finally = it->kind == TERM_UNTIL && it->operands[0] == TERM_TRUE;
	return finally && ltl_term_is(t, it->operands[1], TERM_STATE) ? it->operands[1] : TERM_FALSE;
}

/* Read what G of the term owes, if the term is !p || F q, or F q. */
static bool reads_response(const struct ltl_terms *t, unsigned term, struct ltl_owed *owed)
{
	const struct ltl_term *it = &t->items[term];
	unsigned q = owed_by(t, term), p = TERM_TRUE;
	for (unsigned i = 0; it->kind == TERM_OR && it->count == 2 && i < 2; i++)
		if (ltl_term_is(t, it->operands[i], TERM_STATE)) {
			p = ltl_term_not(t, it->operands[i]);
			q = owed_by(t, it->operands[!i]);
		}
	*owed = (struct ltl_owed){ .trigger = t->items[p].guard, .discharge = t->items[q].guard };
	return q != TERM_FALSE;
}

static bool reads_finally(const struct ltl_terms *t, unsigned term, struct ltl_owed *owed)
{
	unsigned q = owed_by(t, term);
	*owed = (struct ltl_owed){ .first = true, .trigger = GUARD_FALSE, .discharge = t->items[q].guard };
	return q != TERM_FALSE;
}

typedef bool reader(const struct ltl_terms *t, unsigned term, struct ltl_owed *owed);

/* Read what the parts of a conjunction owe, into `owed` behind the `count` that are there, and return the rest of the term. */
static unsigned parts_owe(struct ltl_terms *t, unsigned term, reader *reads, struct ltl_owed *owed, size_t *count)
{
	bool several = t->items[term].kind == TERM_AND;
	const unsigned *parts = several ? t->items[term].operands : &term;
	size_t nparts = several ? t->items[term].count : 1, kept = 0, before = *count;
	assert(before <= LTL_MOST_OWED && nparts > 0);
	unsigned *rest = calloc(nparts, sizeof *rest);
	if (!rest)
		abort();
	for (size_t i = 0; i < nparts; i++)
		if (*count < LTL_MOST_OWED && reads(t, parts[i], &owed[*count]))
			++*count;
		else
			rest[kept++] = parts[i];
	if (*count > before)
		term = ltl_term_and(t, rest, kept);
	free(rest);
	return term;
}

/* Read what a term owes.  G of a conjunction is one of its parts, so the parts of that are looked at, too. */
unsigned ltl_term_owes(struct ltl_terms *t, unsigned term, struct ltl_owed *owed, size_t *count)
{
	struct ltl_term all;
	*count = 0;
	term = parts_owe(t, term, reads_finally, owed, count);
	all = t->items[term];
	size_t nparts = all.kind == TERM_AND ? all.count : 1;
	unsigned *rest = calloc(nparts, sizeof *rest);
	if (!rest)
		abort();
	for (size_t i = 0; i < nparts; i++) {
		unsigned part = all.kind == TERM_AND ? all.operands[i] : term;
		const struct ltl_term *it = &t->items[part];
		bool always = it->kind == TERM_RELEASE && it->operands[0] == TERM_FALSE;
		rest[i] = always ? ltl_term_release(t, TERM_FALSE, parts_owe(t, it->operands[1], reads_response, owed, count)) :
				   part;
	}
	term = ltl_term_and(t, rest, nparts);
	assert(*count <= LTL_MOST_OWED);
	free(rest);
	return term;
}
