/* SPDX-License-Identifier: MIT
 *
 * Formulas of linear temporal logic over propositions about a C program, and never claims for them.  A formula is parsed
 * to a tree over numbered propositions p0, p1, ...; ltl_buchi() makes a Buechi automaton of it, as text in the form that `spin -f`
 * prints; ltl_claim() makes such a text into the model's never claim.  This room starts no process and knows no LLVM: the caller
 * has the C expressions compiled, and evaluates the propositions.
 *
 * All strings returned are malloc'ed.  Functions that can fail return -1 (or NULL) and fill in an ltl_error.
 */
#ifndef BITSPIN_LTL_H
#define BITSPIN_LTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LTL_MAX_PROPOSITIONS 64  /* a valuation is the bits of a uint64_t */
#define LTL_MAX_THREADS      248 /* as many processes as pan has */
#define LTL_MAX_FAIR         30  /* ... between which a claim can be fair */

enum ltl_operator {
#define OPERATOR(name, operands, precedence, spin) LTL_##name,
#include "operator.def"
	LTL_TRUE,
	LTL_FALSE,
	LTL_PROPOSITION,
};

enum ltl_kind {
#define PROPOSITION(name, text, argument, thread) LTL_KIND_##name,
#include "proposition.def"
};

struct ltl_proposition {
	enum ltl_kind kind;
	int thread;    /* 0: the one that runs main; -1: any, or the kind has none */
	bool defined;  /* by a definition, whose expression is `source` */
	char *text;    /* as first written by the user: "{x > 0}", "served", "in(f, 1)" */
	char *name;    /* EXPRESSION, HELD: in C, verbatim; IN: the function; AT: the label; else NULL */
	char *source;  /* the text it was written in: a formula, the C expression of a definition, or a file */
	size_t offset; /* where `name` (or else the proposition) begins in `source` */
};

/* each once, its index is its number; start with { 0 } */
struct ltl_propositions {
	struct ltl_proposition *items;
	size_t count;
};

struct ltl_node {
	enum ltl_operator op;
	unsigned proposition;          /* LTL_PROPOSITION: its number */
	struct ltl_node *left, *right; /* a unary operator has `left` only */
	size_t begin, end;             /* its place in the formula's text, parentheses around it not included */
};

struct ltl_formula {
	char *text; /* as the user wrote it */
	struct ltl_node *root;
	char *note; /* NULL, or how the formula was read where people may read it differently; one line */
};

struct ltl_error {
	char *message; /* one line, lower case */
	char *source;  /* the text in which it is */
	size_t offset; /* and where in it; at most its length */
};

/* --prop NAME=EXPR */
struct ltl_definition {
	char *name, *expression;
};

/* What the names in a formula may mean.  A list that is NULL is not known: every name is taken then. */
struct ltl_names {
	const struct ltl_definition *definitions;
	size_t ndefinitions;
	const char *const *predicates; /* functions `int NAME(void)` of the program */
	size_t npredicates;
	const char *const *functions; /* all its functions, for in(...) */
	size_t nfunctions;
	const char *const *labels; /* for at(...); bitspin_progress need not be among them */
	size_t nlabels;
};

/* ---- formulas ------------------------------------------------------------------------------------------------------ */

/* Parse a definition, "NAME=EXPR".  EXPR is in C, with or without braces around it, or a built-in proposition. */
int ltl_definition_parse(const char *text, struct ltl_definition *definition, struct ltl_error *error);
void ltl_definition_release(struct ltl_definition *definition);

/* Parse a formula, and add the propositions that the table does not have yet.  On failure there is no formula, but there may be
 * new propositions. */
int ltl_parse(const char *text, const struct ltl_names *names, struct ltl_propositions *propositions, struct ltl_formula *formula,
	      struct ltl_error *error);
void ltl_formula_release(struct ltl_formula *formula);

/* Parse an invariant: a formula in which a temporal operator is an error. */
int ltl_parse_state(const char *text, const struct ltl_names *names, struct ltl_propositions *propositions,
		    struct ltl_formula *formula, struct ltl_error *error);

/* Is a text that may also be a C expression (an invariant) meant as a formula?  It is, if its first operand, behind brackets
 * and negations, is a C expression in braces, a built-in proposition or a definition. */
bool ltl_is_formula(const char *text, const struct ltl_names *names);
void ltl_propositions_release(struct ltl_propositions *propositions);

/* Return the formulas in a file's text, `*count` of them: one a line.  A line that begins with a blank continues the one before;
 * empty lines and lines that begin with #, blanks aside, are skipped. */
char **ltl_split(const char *text, size_t *count);

/* Return the texts, as the user wrote them, of the formulas that `formula` is the conjunction of, `*count` of them. */
char **ltl_conjuncts(const struct ltl_formula *formula, size_t *count);

/* Return the line of the error's place in a file, from 1. */
unsigned ltl_error_line(const struct ltl_error *error);

/* Return "MESSAGE\n    THE LINE\n    ^\n" with the caret under the place. */
char *ltl_error_text(const struct ltl_error *error);
void ltl_error_release(struct ltl_error *error);

/* Is the proposition's name C, which must be compiled? */
bool ltl_is_c(const struct ltl_proposition *proposition);

const char *ltl_kind_name(enum ltl_kind kind); /* "expression", "in", ... */

/* Return the name that is so much like the word that it may have been meant; NULL if there is none. */
const char *ltl_nearest(const char *word, const char *const *names, size_t count);

/* Return the formula or its negation in SPIN's syntax over p0, p1, ..., for those who compare with `spin -f`. */
char *ltl_spin(const struct ltl_formula *formula, bool negated);

/* Make a Buechi automaton for the formula or its negation, over p0, p1, ..., as the text of a never claim in the form that
 * `spin -f` prints; NULL if it would be too large.  For ltl_claim().  If it has more edges than `most`, parts of a conjunction may
 * stand before it as what is owed (claim.c). */
#define LTL_FEW_EDGES 400
char *ltl_buchi(const struct ltl_formula *formula, bool negated, size_t most, struct ltl_error *error);

/* Return the formula fully parenthesised, with the propositions as the user wrote them. */
char *ltl_print(const struct ltl_formula *formula, const struct ltl_propositions *propositions);

/* Return which propositions the formula has: bit i for p_i. */
uint64_t ltl_uses(const struct ltl_formula *formula);

/* Return why the formula holds vacuously, if it does: the premise A, as the user wrote it, of the first implication A -> B in a
 * positive position with a boolean combination of propositions as A, which no valuation satisfies; NULL if there is none.
 * `valuations` are all that occurred in the search (bit i: p_i). */
char *ltl_vacuous(const struct ltl_formula *formula, const uint64_t *valuations, size_t count);

/* Does the search for a violation go along with each execution to its end, whatever happens in it?  It need not where a formula can
 * be fulfilled for good, as p U q is by q. */
bool ltl_sees_all(const struct ltl_formula *formula);

/* Return ready-made properties, as formulas.  Termination: every thread ends.  Progress: bitspin_progress() is passed again and
 * again, or the program ends.  Starvation: `thread` does not wait for ever to get a lock. */
char *ltl_termination(void);
char *ltl_progress(void);
char *ltl_starvation(unsigned thread);

/* ---- never claims -------------------------------------------------------------------------------------------------- */

/* of schedules: a thread that is ... takes steps again and again */
enum ltl_fairness {
	LTL_UNFAIR,
	LTL_WEAK,   /* enabled all the time from some point on */
	LTL_STRONG, /* enabled again and again */
};

/* What a claim is for. */
struct ltl_claim_request {
	bool by_user;     /* the claim is from ltl_never(): it may have any form, unless fairness is built in */
	const char *text; /* the formula, or the name of the file, for the comment at the claim's head */
	uint64_t uses;    /* the propositions that the claim may name, ltl_uses() */
	const struct ltl_propositions *propositions;
	enum ltl_fairness fairness; /* built into the claim: pan is run without its -f */
	const char *moved;          /* the model's threads pass turns, in their steps, where this expression in C is the thread;
	                             * NULL: the claim does, and asks SPIN's _last, which is not set when pan replays a trail */
	unsigned threads;           /* between which it is fair, 1 to LTL_MAX_FAIR; thread T is the process with the pid T */
};

/* Return the never claim for the model, given the automaton of the negated formula, from ltl_buchi().  Fail if the automaton is in
 * no form that is known. */
char *ltl_claim(const struct ltl_claim_request *request, const char *automaton, struct ltl_error *error);

/* Read a never claim in Promela, which the user has written over propositions as in formulas, with C expressions in braces within
 * brackets: `:: (pending && ! {x > 0}) -> goto accept`.  Return the same claim over p0, p1, ..., for ltl_claim() in place of an
 * automaton.  Refuse claims that do more than look at propositions. */
char *ltl_never(const char *text, const struct ltl_names *names, struct ltl_propositions *propositions, struct ltl_error *error);

/* Does the claim, from ltl_never(), accept a run no matter how often its valuations are repeated?  False also where that could
 * not be shown: the claim is not of the form that `spin -f` prints, or too large, or not deterministic enough (stutter.c). */
bool ltl_is_stutter_closed(const char *claim, size_t propositions);

#endif
