/* SPDX-License-Identifier: MIT
 *
 * From a formula's automaton to the never claim of a model.
 */
#include "formula.h"
#include "../base/base.h"
#include "../../ltl/ltl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *fairness_text(enum ltl_fairness fairness)
{
	assert(fairness == LTL_UNFAIR || fairness == LTL_WEAK || fairness == LTL_STRONG);
	static const char *const texts[] = {
		[LTL_UNFAIR] = "no fairness: a thread that can run may never get its turn",
		[LTL_WEAK] = "weak fairness: a thread that stays able to run does run at some point",
		[LTL_STRONG] = "strong fairness: a thread that is able to run again and again does run at some point",
	};
	return texts[fairness];
}

/* Return the length of what stands at `claim` before a guard in brackets; 0 if no such guard comes next. */
static size_t before_guard(const char *claim)
{
	static const char *const before[] = { ":: d_step { ", ":: atomic { ", ":: " };
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		size_t length = strlen(before[i]);
		if (strncmp(claim, before[i], length) == 0 && claim[length] == '(')
			return length;
	}
	return 0;
}

/* ---- guards in C ------------------------------------------------------------------------------------------------------- */

/* SPIN looks each c_expr up among those before it.  So where a claim has so many propositions, each guard becomes one c_expr.  A
 * longer one does not fit into what SPIN has for a c_expr. */
enum { MANY_PROPOSITIONS = 400, LONGEST_GUARD = 2000 };

static bool is_proposition(const char *at)
{
	return at[0] == 'p' && strchr("0123456789", at[1]) && at[1];
}

static size_t count_propositions(const char *claim)
{
	size_t count = 0;
	for (const char *at = claim; *at; at++)
		count += is_proposition(at);
	return count;
}

/* Return the length of the part in brackets that begins at `text`; 0 if it contains anything but propositions. */
static size_t propositional(const char *text)
{
	size_t depth = 0;
	for (const char *at = text; *at && strchr("p0123456789!&|() ", *at); at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (depth == 0)
			return (size_t)(at - text) + 1;
	}
	return 0;
}

static void put_in_c(FILE *out, const char *text, size_t length)
{
	assert(length > 0);
	fputs("(c_expr { ", out);
	for (const char *at = text; at < text + length; at++)
		if (is_proposition(at)) {
			char *end;
			fprintf(out, "vm_holds (now.vm, %lu)", strtoul(at + 1, &end, 10));
			at = end - 1;
		} else {
			putc(*at, out);
		}
	fputs(" })", out);
}

/* Write to `out` the guard in brackets that begins at `guard`; put those parts into C that contain propositions alone.  Return
 * its length in `guard`. */
static size_t put_guard(FILE *out, const char *guard)
{
	assert(*guard == '(');
	size_t depth = 0, i = 0;
	do {
		size_t length = guard[i] == '(' ? propositional(guard + i) : 0;
		if (length && length <= LONGEST_GUARD) {
			put_in_c(out, guard + i, length);
			i += length;
			continue;
		}
		depth += guard[i] == '(';
		depth -= guard[i] == ')';
		putc(guard[i++], out);
	} while (depth && guard[i]);
	return i;
}

/* ---- claims ------------------------------------------------------------------------------------------------------------ */

/* Return `claim` with `goes_on` in each guard: what an assumption or a violation has cut short is no execution, and there the
 * claim must not go on. */
static char *guarded(const char *claim)
{
	char *result;
	size_t size;
	bool many = count_propositions(claim) > MANY_PROPOSITIONS;
	FILE *out = open_memstream(&result, &size);
	if (!out)
		BUG("out of memory");
	fputs("#define goes_on (c_expr { vm_goes_on (now.vm) })\n", out);
	while (*claim) {
		size_t length = before_guard(claim), taken = length ? length : 1;
		fprintf(out, "%.*s%s", (int)taken, claim, length ? "goes_on && " : "");
		claim += taken;
		if (length && many)
			claim += put_guard(out, claim);
	}
	if (fclose(out) != 0)
		BUG("out of memory");
	return result;
}

/* Return where the first of `characters` stands in Promela text, outside comments and lines of the preprocessor; NULL if there
 * is none. */
static const char *first_of(const char *promela, const char *characters)
{
	for (const char *at = promela; *at; at++) {
		if (strncmp(at, "/*", 2) == 0) {
			at = strstr(at + 2, "*/");
			if (!at)
				return NULL;
			at++;
		} else if (*at == '#') {
			at += strcspn(at, "\n") - 1;
		} else if (strchr(characters, *at)) {
			return at;
		}
	}
	return NULL;
}

/* Return `claim` with one more option in its first statement, malloc'ed.  That option lets it go on where a proposition cannot be
 * evaluated in the first state: the claim must not judge that state, as the next step is the violation that tells of it.  Fail if
 * the first statement has no options; `file` is for the message. */
static char *tolerant(const char *claim, const char *file)
{
	static const char option[] = ":: c_expr { vm_unvalued (now.vm) }\n\t";
	const char *body = first_of(claim, "{"), *first = body ? first_of(body, ":;(") : NULL;
	while (first && first[0] == ':' && first[1] != ':') /* behind a label */
		first = first_of(first + 1, ":;(");
	if (!first || *first != ':')
		fail("%s: a never claim must begin with 'do' or 'if'", file ? file : "internal error");
	return text("%.*s%s%s", (int)(first - claim), claim, option, first);
}

static const char *file_of(const struct formula *formula)
{
	return formula->by_user ? formula->name : NULL;
}

/* Return why a claim cannot be fair between so many threads; NULL if it can be. */
char *formula_unfair_reason(const struct formula *formula, unsigned threads)
{
	assert(threads > 0);
	if (formula->fairness == LTL_UNFAIR || threads <= LTL_MAX_FAIR)
		return NULL;
	return text("fairness between more than %d threads; see --fairness none", LTL_MAX_FAIR);
}

/* Return what users need in order to write a claim of their own, as text. */
static char *vocabulary(const struct formula *formula)
{
	return text(
		"/* Propositions about the C program, for claims of your own.  Thread N is the process with the pid N.  For example:\n"
		" *\n"
		" *     ltl served { [] (asked -> <> answered) }\n"
		" *\n"
		" * Leave out X (next): how many steps there are from one change of a proposition to another is not defined.  goes_on is\n"
		" * false where bitspin has cut an execution short, by an assumption or after a violation: such a path proves nothing, so\n"
		" * a formula reads ([] goes_on) -> (...), and a never claim has goes_on in each guard. */\n"
		"%s#define goes_on (c_expr { vm_goes_on (now.vm) })\n",
		formula->macros);
}

char *formula_claim(const struct formula *formula, unsigned threads)
{
	assert(threads > 0 && threads <= LTL_MAX_THREADS);
	if (formula->macros)
		return vocabulary(formula);
	struct ltl_error error;
	size_t count = formula->propositions.count;
	uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
	assert(formula->automaton && count <= LTL_MAX_PROPOSITIONS);
	struct ltl_claim_request request = {
		.by_user = formula->by_user,
		.text = formula->name,
		.uses = all,
		.propositions = &formula->propositions,
		.fairness = formula->fairness,
		.moved = MODEL_MOVED,
		.threads = threads,
	};
	char *reason = formula_unfair_reason(formula, threads);
	if (reason)
		fail("%s", reason);
	char *claim = ltl_claim(&request, formula->automaton, &error);
	if (!claim)
		formula_fail_at(&error, file_of(formula));
	char *going = guarded(claim), *whole = tolerant(going, file_of(formula));
	free(going);
	free(claim);
	return whole;
}
