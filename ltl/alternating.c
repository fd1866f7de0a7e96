/* SPDX-License-Identifier: MIT
 *
 * See alternating.h.  Why a move may be left out for one with fewer targets: the targets are a conjunction, so the other accepts
 * more.  And if a set of targets has a state of `until` whose own end the same letter allows with other targets of the set, then
 * the move that takes that end is a move too, and has fewer targets.  So what is left fulfils an `until` only by leaving it.
 */
#include "alternating.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 20000 };

void ltl_alternating_init(struct ltl_alternating *a, struct ltl_terms *terms)
{
	memset(a, 0, sizeof *a);
	a->terms = terms;
	a->nknown = terms->count;
	if (!(a->known = calloc(a->nknown, sizeof *a->known)))
		abort();
}

void ltl_alternating_release(struct ltl_alternating *a)
{
	for (size_t i = 0; i < a->nknown; i++)
		free(a->known[i].items);
	free(a->known);
}

static unsigned state_of(struct ltl_alternating *a, unsigned term)
{
	unsigned state = 0;
	while (state < a->nstates && a->states[state] != term)
		state++;
	if (state == SET_MOST) {
		a->exceeded = true;
		return 0;
	}
	assert(term < a->nknown);
	if (state == a->nstates)
		a->states[a->nstates++] = term;
	return state;
}

static void append(struct ltl_moves *moves, const struct ltl_move *move)
{
	if ((moves->count & (moves->count - 1)) == 0) { /* full: the room is 1, 2, 4, ... */
		moves->items = realloc(moves->items, (moves->count ? 2 * moves->count : 1) * sizeof *moves->items);
		if (!moves->items)
			abort();
	}
	moves->items[moves->count++] = *move;
}

/* Add a move, at the letters at which no known move has fewer targets; and leave out known moves at the letters at which the new
 * one has fewer. */
static void add_move(struct ltl_alternating *a, struct ltl_moves *moves, struct ltl_move move)
{
	struct ltl_guards *guards = a->terms->guards;
	size_t kept = 0;
	for (size_t i = 0; i < moves->count && move.guard != GUARD_FALSE; i++)
		if (ltl_set_includes(&move.targets, &moves->items[i].targets) &&
		    !ltl_set_equals(&move.targets, &moves->items[i].targets))
			move.guard = ltl_guard_without(guards, move.guard, moves->items[i].guard);
	if (move.guard == GUARD_FALSE)
		return;
	for (size_t i = 0; i < moves->count; i++) {
		struct ltl_move *old = &moves->items[i];
		if (ltl_set_equals(&old->targets, &move.targets))
			move.guard = ltl_guard_or(guards, move.guard, old->guard);
		else if (!ltl_set_includes(&old->targets, &move.targets) ||
			 (old->guard = ltl_guard_without(guards, old->guard, move.guard)) != GUARD_FALSE)
			moves->items[kept++] = *old;
	}
	moves->count = kept;
	append(moves, &move);
	a->exceeded = a->exceeded || moves->count > MOST_MOVES || ltl_guards_exceeded(guards);
}

static void add_all(struct ltl_alternating *a, struct ltl_moves *moves, struct ltl_moves more)
{
	for (size_t i = 0; i < more.count && !a->exceeded; i++)
		add_move(a, moves, more.items[i]);
}

struct ltl_moves ltl_moves_and(struct ltl_alternating *a, struct ltl_moves one, struct ltl_moves other)
{
	struct ltl_moves both = { 0 };
	for (size_t i = 0; i < one.count; i++)
		for (size_t k = 0; k < other.count && !a->exceeded; k++) {
			struct ltl_move move = {
				.guard = ltl_guard_and(a->terms->guards, one.items[i].guard, other.items[k].guard),
				.targets = ltl_set_union(&one.items[i].targets, &other.items[k].targets),
			};
			if (move.guard != GUARD_FALSE)
				add_move(a, &both, move);
		}
	return both;
}

/* Return the guard of x if the term is GF x, with x about one state; else GUARD_FALSE. */
static unsigned recurring(const struct ltl_terms *t, unsigned term)
{
	const struct ltl_term *it = &t->items[term];
	if (it->kind != TERM_RELEASE || it->operands[0] != TERM_FALSE)
		return GUARD_FALSE;
	const struct ltl_term *inner = &t->items[it->operands[1]];
	if (inner->kind != TERM_UNTIL || inner->operands[0] != TERM_TRUE)
		return GUARD_FALSE;
	const struct ltl_term *x = &t->items[inner->operands[1]];
	return x->kind == TERM_STATE ? x->guard : GUARD_FALSE;
}

/* Add the moves of x U y, which are those of y, or of x with the term again; or of x R y: of y, with those of x or the term
 * again. */
static void add_temporal(struct ltl_alternating *a, struct ltl_moves *moves, unsigned term)
{
	const struct ltl_term *it = &a->terms->items[term];
	struct ltl_move again = { .guard = GUARD_TRUE };
	assert(it->count == 2 && (it->kind == TERM_UNTIL || it->kind == TERM_RELEASE));
	ltl_set_add(&again.targets, state_of(a, term));
	const struct ltl_moves stay = { &again, 1 };
	if (recurring(a->terms, term) != GUARD_FALSE) {
		add_move(a, moves, again);
		return;
	}
	struct ltl_moves x = ltl_moves_of(a, it->operands[0]), y = ltl_moves_of(a, it->operands[1]), some = { 0 }, all;
	if (it->kind == TERM_UNTIL) {
		all = ltl_moves_and(a, x, stay);
		add_all(a, moves, y);
		add_all(a, moves, all);
	} else {
		add_all(a, &some, x);
		add_all(a, &some, stay);
		all = ltl_moves_and(a, y, some);
		add_all(a, moves, all);
	}
	free(some.items);
	free(all.items);
}

static void add_term(struct ltl_alternating *a, struct ltl_moves *moves, unsigned term)
{
	const struct ltl_term *it = &a->terms->items[term];
	struct ltl_move now = { .guard = it->kind == TERM_STATE ? it->guard : GUARD_TRUE };
	switch (it->kind) {
	case TERM_STATE: add_move(a, moves, now); return;
	case TERM_AND:
		add_move(a, moves, now);
		for (size_t i = 0; i < it->count; i++) {
			struct ltl_moves old = *moves;
			*moves = ltl_moves_and(a, old, ltl_moves_of(a, it->operands[i]));
			free(old.items);
		}
		return;
	case TERM_OR:
		for (size_t i = 0; i < it->count; i++)
			add_all(a, moves, ltl_moves_of(a, it->operands[i]));
		return;
	case TERM_UNTIL:
	case TERM_RELEASE: add_temporal(a, moves, term); return;
	}
}

struct ltl_moves ltl_moves_of(struct ltl_alternating *a, unsigned term)
{
	assert(term < a->nknown);
	if (!a->known[term].items) {
		struct ltl_moves moves = { 0 };
		add_term(a, &moves, term);
		a->known[term] = moves;
	}
	return a->known[term];
}

bool ltl_must_end(const struct ltl_alternating *a, unsigned state, unsigned *letters)
{
	assert(state < a->nstates);
	*letters = recurring(a->terms, a->states[state]);
	return *letters != GUARD_FALSE || a->terms->items[a->states[state]].kind == TERM_UNTIL;
}
