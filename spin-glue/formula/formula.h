/* SPDX-License-Identifier: MIT
 *
 * Formulas of a check: from what the user asked for to claims, and what came of each.
 */
#ifndef BITSPIN_FORMULA_H
#define BITSPIN_FORMULA_H

#include "../base/base.h"
#include "../../ltl/ltl.h"
#include "../../runtime/image/image.h"

struct options;
struct translator_property;

struct statistics {
	double states, transitions, depth, seconds, search_seconds, bytes;
	double whole;             /* bytes that a state would take on average if it shared nothing; 0: not known */
	double resident;          /* most memory that the search has had, bytes: states, its stack, tables, caches */
	double saved[REDUCTIONS]; /* by each reduction, in the unit of its row in reduction.def */
	unsigned reductions;      /* the reductions of which `saved` is known */
	double rested;            /* states in which they rested, as they had saved little */
	double walks, unfinished; /* random walks; how many of these were cut */
	double steps;             /* of random walks, which are no transitions of a state space */
	bool summed;              /* the figures are sums of several searches, of which depth, time and memory are not known */
	double runs;              /* paths that a search would have walked that remembers no states: ends and matches */
};

struct formula {
	char *name;                /* for people: the formula, "no starvation of thread 1", the never claim's file */
	struct ltl_formula parsed; /* unless it is a claim */
	bool by_user;              /* it is a never claim of the user's */
	bool counts_steps;         /* the user's claim may count how often a valuation is repeated: no reductions */
	char *automaton;           /* the user's claim, or an automaton of the negated formula, over p0, p1, ... */
	char *macros;              /* no formula, but names of propositions for claims that the user will add; else NULL */
	struct ltl_propositions propositions;
	enum ltl_fairness fairness; /* with which it is checked */

	enum verdict verdict;
	char *reason;          /* inconclusive: why */
	char *vacuous;         /* the part of the formula that was never true; or NULL */
	char *idle;            /* a place in the formula, in(...) or at(...), where no thread ever was; or NULL */
	bool needs_unfairness; /* the formula is violated along unfair schedules only */
	struct statistics statistics;
};

struct formulas {
	struct formula *items;
	size_t count;
	struct formula *invariants; /* of the options; an invariant that is a C expression has no `parsed` */
	size_t ninvariants;
	const struct options *options; /* where the formulas are from */
	bool whole;                    /* a conjunction is one formula, not several */
};

/* Read the formulas and invariants of the options, which must outlive them.  Errors of the user end the command.  Conjunctions
 * become several formulas unless `whole`.  formulas_add_threads: add a formula for each thread, if the options ask for that: no
 * starvation; and where operations are to be lock-free, no wait. */
void formulas_read(struct formulas *formulas, const struct options *options, bool whole);
void formulas_add_threads(struct formulas *formulas, unsigned threads);
void formulas_release(struct formulas *formulas);

/* properties.c: what the VM evaluates in a search: the propositions of `formula`, or if that is NULL, the invariants. */
struct properties {
	struct translator_property *items;
	size_t count;
	uint32_t **codes;  /* of formulas of invariants; or NULL */
	struct list names; /* to which the items point */
};
void properties_make(struct properties *properties, const struct formulas *formulas, const struct formula *formula);
/* Add `count` expressions that are evaluated only when somebody asks; their functions are in struct job. */
void properties_add_shown(struct properties *properties, size_t count);
void properties_release(struct properties *properties);

/* Return the C expression number `number` of all formulas, for the compiler, and in *function the name of its function; NULL if
 * there are not so many. */
const struct ltl_proposition *formulas_expression(const struct formulas *formulas, size_t number, char **function);

/* Does a formula or invariant name a function by in(...)?  `formulas` may be NULL. */
bool formulas_name_functions(const struct formulas *formulas);

/* Return the name of the function that evaluates proposition number `proposition` of a formula. */
char *formula_function(const struct formulas *formulas, const struct formula *formula, size_t proposition);

/* The C expression, in the step of a thread of the model, for the thread that moves; it passes its turn in a fair claim there
 * (ltl/fairness.c). */
#define MODEL_MOVED "Pthread->_pid"

/* Return the never claim of a formula, or its macros, for a model of `threads` threads, malloc'ed. */
char *formula_claim(const struct formula *formula, unsigned threads);

/* Say why a claim cannot be fair between `threads` threads, malloc'ed; NULL if it can. */
char *formula_unfair_reason(const struct formula *formula, unsigned threads);

/* End the command with an error in a formula, which is in `file`, or if that is NULL, in none. */
_Noreturn void formula_fail_at(struct ltl_error *error, const char *file);

const char *fairness_text(enum ltl_fairness fairness); /* "weak fairness between threads" */

#endif
