/* SPDX-License-Identifier: MIT
 *
 * What the files of ltl/ share.
 */
#ifndef LTL_INTERNAL_H
#define LTL_INTERNAL_H

#include "ltl.h"

#include <stdio.h>

/* ---- text.c: strings and errors ------------------------------------------------------------------------------------ */

char *ltl_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *ltl_slice(const char *text, size_t begin, size_t end);

/* Fill in `error`, unless it holds one already: the first error is reported.  Always -1. */
int ltl_fail(struct ltl_error *error, const char *source, size_t offset, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ---- lexer.c ------------------------------------------------------------------------------------------------------- */

enum ltl_token {
	TOKEN_END,
	TOKEN_OPERATOR,
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_EXPRESSION, /* {C expression} */
	TOKEN_LEFT,
	TOKEN_RIGHT,
	TOKEN_COMMA,
};

struct ltl_lexer {
	const char *text;
	struct ltl_error *error;
	bool in_claim;        /* what is no token of formulas may follow: it counts as the end */
	enum ltl_token token; /* the current one */
	enum ltl_operator op; /* TOKEN_OPERATOR */
	size_t begin, end;    /* its place in the text */
	size_t previous;      /* the end of the token before */
};

/* Go to the first token; to the next one.  Return -1 where there is none. */
int ltl_lexer_start(struct ltl_lexer *lexer, const char *text, struct ltl_error *error);
int ltl_lexer_next(struct ltl_lexer *lexer);

bool ltl_is_word(const struct ltl_lexer *lexer, const char *word);
size_t ltl_word_length(const char *text); /* of the C identifier at its begin; 0: none */

/* Is the word (its length) a spelling of an operator? */
bool ltl_is_operator(const char *word, size_t length, enum ltl_operator *op);

/* Find the end of a C text that begins at `begin`, up to the bracket that closes it (not included): strings, comments and inner
 * brackets are skipped.  `opened` is the place of the opening bracket, for messages; `closing` is '}' or '\0', the text's
 * end.  Return -1 where brackets do not match. */
int ltl_skip_c(const char *text, size_t begin, size_t opened, char closing, size_t *end, struct ltl_error *error);

/* ---- names.c: propositions ----------------------------------------------------------------------------------------- */

/* Read the proposition at which the lexer stands, a word or {expression} that is no operator, and find or add it. */
int ltl_read_proposition(struct ltl_lexer *lexer, const struct ltl_names *names, struct ltl_propositions *propositions,
			 unsigned *number);

/* ---- claim.c: automata as text ------------------------------------------------------------------------------------- */

struct ltl_transition {
	char *guard;
	size_t target; /* LTL_ACCEPTED: whatever follows, the word is accepted */
};

#define LTL_ACCEPTED SIZE_MAX

struct ltl_state {
	char *label, *alias; /* alias: a second label, or NULL */
	bool accepting;
	struct ltl_transition *transitions;
	size_t ntransitions;
};

/* What a run owes again and again (owed.c): texts of guards. */
struct ltl_debt {
	bool first;
	char *trigger, *discharge;
};

/* a Buechi automaton; it begins in state 0.  It accepts the runs that owe nothing for ever, too. */
struct ltl_automaton {
	struct ltl_state *states;
	size_t nstates;
	struct ltl_debt *debts;
	size_t ndebts;
};

/* Read `text`, of which `error` keeps a copy if it is not in the form that SPIN prints. */
int ltl_automaton_read(const char *text, struct ltl_automaton *automaton, struct ltl_error *error);
void ltl_automaton_release(struct ltl_automaton *automaton);

/* ---- fairness.c ---------------------------------------------------------------------------------------------------- */

/* Print a claim that accepts the words of the automaton that leave nothing owed for ever, and along which `threads` threads are
 * scheduled fairly, if that is asked for. */
void ltl_print_fair(FILE *file, const struct ltl_automaton *automaton, const struct ltl_claim_request *request);

#endif
