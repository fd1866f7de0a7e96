/* SPDX-License-Identifier: MIT
 *
 * Terms: formulas in negation normal form.  A term is a number; terms of the same form have equal numbers, as have all terms
 * without temporal operators that mean the same.  Each term is made together with its negation, so that a rule of simplification
 * for `and` and `until` is one for `or` and `release` too.
 */
#ifndef LTL_TERMS_H
#define LTL_TERMS_H

#include "guards.h"

enum ltl_term_kind {
	TERM_STATE, /* without temporal operators: about one state of the run */
	TERM_AND,
	TERM_OR,
	TERM_UNTIL,   /* F x is true U x */
	TERM_RELEASE, /* G x is false R x */
};

enum { TERM_FALSE, TERM_TRUE };

struct ltl_term {
	enum ltl_term_kind kind;
	unsigned guard;     /* TERM_STATE: what it says */
	unsigned *operands; /* of an AND or OR in ascending order, at least two, at most one of them a TERM_STATE */
	size_t count;
	unsigned negation;
	bool eventual;  /* if it holds, it has held all the time before: F x is the same (a pure eventuality) */
	bool universal; /* if it holds, it will hold all the time: G x is the same (a purely universal formula) */
	unsigned next;  /* with the same hash; 0: none */
};

enum { TERMS_TABLE = 1 << 12 };

/* all that a translation has made */
struct ltl_terms {
	struct ltl_guards *guards;
	struct ltl_term *items;
	size_t count, room;
	unsigned table[TERMS_TABLE];
	struct implication *known; /* implication.c */
	size_t compared;
};

void ltl_terms_init(struct ltl_terms *terms, struct ltl_guards *guards);
void ltl_terms_release(struct ltl_terms *terms);

unsigned ltl_term_state(struct ltl_terms *terms, unsigned guard);
unsigned ltl_term_intern(struct ltl_terms *terms, enum ltl_term_kind kind, const unsigned *operands, size_t count);
unsigned ltl_term_not(const struct ltl_terms *terms, unsigned term);
void ltl_terms_sort(unsigned *terms, size_t count); /* ascending, as an AND or OR has its operands */
bool ltl_term_is(const struct ltl_terms *terms, unsigned term, enum ltl_term_kind kind);

/* implication.c: is it plain from the form of the terms that one implies the other?  Rules of Somenzi and Bloem, "Efficient
 * Buechi Automata from LTL Formulae" (CAV 2000), section 4.1. */
bool ltl_term_implies(struct ltl_terms *terms, unsigned a, unsigned b);

/* simplify.c: return terms of these forms, or simpler ones that mean the same.  Rules of Somenzi and Bloem, and of Etessami and
 * Holzmann, "Optimizing Buechi Automata" (CONCUR 2000), section 3. */
unsigned ltl_term_and(struct ltl_terms *terms, const unsigned *operands, size_t count);
unsigned ltl_term_or(struct ltl_terms *terms, const unsigned *operands, size_t count);
unsigned ltl_term_until(struct ltl_terms *terms, unsigned a, unsigned b);
unsigned ltl_term_release(struct ltl_terms *terms, unsigned a, unsigned b);
unsigned ltl_term_of(struct ltl_terms *terms, const struct ltl_node *formula, bool negated);

/* owed.c: q is owed at first, or whenever p has held, until q holds. */
struct ltl_owed {
	bool first;
	unsigned trigger, discharge; /* guards: p, q */
};
enum { LTL_MOST_OWED = 30 };

/* Put the parts of a conjunction that have that form into `owed`, and their number into *count.  Return the rest of it. */
unsigned ltl_term_owes(struct ltl_terms *terms, unsigned term, struct ltl_owed *owed, size_t *count);

/* Return a term with F x || F y as F (x || y), which waits in one state.  Only for whole formulas: a part would be less simple. */
unsigned ltl_term_joined(struct ltl_terms *terms, unsigned term);

#endif
