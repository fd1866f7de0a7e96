/* SPDX-License-Identifier: MIT
 *
 * Formulas of a check: from what the user asked for to claims, and what came of each.
 */
#ifndef BITSPIN_FORMULA_H
#define BITSPIN_FORMULA_H

#include "../options/options.h"
#include "../../ltl/ltl.h"

struct statistics {
	double states, transitions, depth, seconds, search_seconds, bytes;
	double whole;             /* bytes that a state would take on average if it shared nothing; 0: not known */
	double resident;          /* most memory that the search has had, bytes: states, its stack, tables, caches */
	double saved[REDUCTIONS]; /* by each reduction, in the unit of its row in reduction.def */
	unsigned reductions;      /* those of which that is known */
	double walks, unfinished; /* random walks, and those of them that were cut */
	double steps;             /* of random walks; no transitions of a state space */
	bool summed;              /* of several searches: no depth, no time and no memory is known of them together */
	double runs;              /* paths that a search without memory of states would have walked: ends and matches */
};

struct formula {
	char *name;                /* for people: the formula, "no starvation of thread 1", the never claim's file */
	struct ltl_formula parsed; /* unless it is a claim */
	bool by_user;              /* it is a never claim of the user's */
	bool counts_steps;         /* ... and may tell how often a valuation is repeated: it is checked without reductions */
	char *automaton;           /* that claim, or an automaton of the negated formula, over p0, p1, ... */
	char *macros; /* it is none, but names propositions for claims that the user will add to the model; else NULL */
	struct ltl_propositions propositions;
	enum ltl_fairness fairness; /* of its search */

	enum verdict verdict;
	char *reason;          /* inconclusive: why */
	char *vacuous;         /* the part of it that was never true; or NULL */
	char *idle;            /* a place in it, in(...) or at(...), where no thread ever was; or NULL */
	bool needs_unfairness; /* it is violated along unfair schedules only */
	struct statistics statistics;
};

struct formulas {
	struct formula *items;
	size_t count;
	struct formula *invariants; /* of the options; those that are C expressions have no `parsed` */
	size_t ninvariants;
	const struct options *options; /* that they are from */
	bool whole;                    /* a conjunction is one formula, not several */
};

/* Read the formulas and invariants of the options, which must outlive them; errors of the user end the command.  Unless they are to
 * stay whole, conjunctions become several formulas.  Starvation needs to know the number of threads. */
void formulas_read(struct formulas *formulas, const struct options *options, bool whole);
void formulas_add_starvation(struct formulas *formulas, unsigned threads);
void formulas_release(struct formulas *formulas);

/* properties.c: what the VM evaluates in the search at hand: the propositions of `formula`; if that is NULL, the invariants. */
struct properties {
	struct translator_property *items;
	size_t count;
	uint32_t **codes;  /* of formulas of invariants; or NULL */
	struct list names; /* that the items point to */
};
void properties_make(struct properties *properties, const struct formulas *formulas, const struct formula *formula);
/* Expressions that are evaluated when somebody asks, so many; the functions are in struct job. */
void properties_add_shown(struct properties *properties, size_t count);
void properties_release(struct properties *properties);

/* The C expression at place `number` of those that all formulas have, for the compiler; NULL when there is none.  Its
 * function's name goes to *function. */
const struct ltl_proposition *formulas_expression(const struct formulas *formulas, size_t number, char **function);

bool formulas_name_functions(const struct formulas *formulas); /* by in(...), in invariants too; there may be none (NULL) */

/* Name of the function that evaluates proposition `proposition` of a formula. */
char *formula_function(const struct formulas *formulas, const struct formula *formula, size_t proposition);

/* Which thread moves, in C, in the step of a model's thread: there it passes its turn in a fair claim (ltl/fairness.c). */
#define MODEL_MOVED "Pthread->_pid"

/* The never claim of a formula, or its macros, for a model of so many threads; malloc'ed. */
char *formula_claim(const struct formula *formula, unsigned threads);

/* Why a claim cannot be fair between so many threads, malloc'ed; NULL if it can. */
char *formula_unfair_reason(const struct formula *formula, unsigned threads);

_Noreturn void formula_fail_at(struct ltl_error *error, const char *file); /* an error in a formula; file: NULL if it is in none */

const char *fairness_text(enum ltl_fairness fairness); /* "weak fairness between threads" */

#endif
