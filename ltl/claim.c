/* SPDX-License-Identifier: MIT
 *
 * Turns an automaton, in the form that `spin -f` prints, into the never claim of a model.  Without fairness the text stays
 * unchanged; above it, each proposition is a macro that asks the VM.  (A call in a c_expr of a claim needs a blank before
 * its bracket; without the blank SPIN takes it for a side effect.)
 *
 * The text is parsed if it is not the user's, because a form that is not known could mean anything.  The form is
 *
 *     never {
 *     LABEL: [LABEL:] do
 *         :: GUARD -> goto LABEL
 *         :: atomic { GUARD -> assert(!(GUARD)) }       accepted, whatever follows
 *         :: false                                      no transition
 *         od;                                           (or if ... fi)
 *     accept_all: skip                                  the same as a state
 *     }
 *
 * Before it may stand what a run that is accepted must not owe for ever, from the first state on or whenever a guard has held, each
 * until another guard holds:
 *
 *     owed (0) until GUARD;
 *     owes GUARD until GUARD;
 */
#include "internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *text;
	size_t at;
	struct ltl_error *error;
	char ***targets; /* for each state the labels that its transitions go to */
	size_t nstates;  /* that were read */
};

static int fail(struct reader *r, const char *expected)
{
	return ltl_fail(r->error, r->text, r->at, "not a never claim as 'spin -f' prints them: expected %s", expected);
}

static void skip_blanks(struct reader *r)
{
	for (;;) {
		r->at += strspn(r->text + r->at, " \t\n\r");
		const char *end = strncmp(r->text + r->at, "/*", 2) == 0 ? strstr(r->text + r->at + 2, "*/") : NULL;
		if (!end)
			return;
		r->at = (size_t)(end - r->text) + 2;
	}
}

/* Go past `word`, if it is next. */
static bool take(struct reader *r, const char *word)
{
	size_t length = strlen(word);
	skip_blanks(r);
	bool is_word = ltl_word_length(word) == length;
	if (strncmp(r->text + r->at, word, length) != 0 || (is_word && ltl_word_length(r->text + r->at) != length))
		return false;
	r->at += length;
	return true;
}

static int expect(struct reader *r, const char *word)
{
	char *quoted = ltl_text("'%s'", word);
	int status = take(r, word) ? 0 : fail(r, quoted);
	free(quoted);
	return status;
}

/* Read a label: `name:`, but not `::`.  Return NULL if there is none. */
static char *take_label(struct reader *r)
{
	skip_blanks(r);
	size_t length = ltl_word_length(r->text + r->at);
	if (!length || r->text[r->at + length] != ':')
		return NULL;
	char *label = ltl_slice(r->text, r->at, r->at + length);
	r->at += length + 1;
	return label;
}

/* Read a guard: (...). */
static char *take_guard(struct reader *r)
{
	size_t end;
	skip_blanks(r);
	if (r->text[r->at] != '(') {
		fail(r, "a guard in brackets");
		return NULL;
	}
	if (ltl_skip_c(r->text, r->at + 1, r->at, ')', &end, r->error) < 0)
		return NULL;
	char *guard = ltl_slice(r->text, r->at, end + 1);
	r->at = end + 1;
	return guard;
}

static void add_transition(struct ltl_state *state, char ***targets, char *guard, char *target)
{
	assert(guard);
	size_t n = state->ntransitions++;
	state->transitions = realloc(state->transitions, (n + 1) * sizeof *state->transitions);
	state->transitions[n] = (struct ltl_transition){ guard, LTL_ACCEPTED };
	*targets = realloc(*targets, (n + 1) * sizeof **targets);
	(*targets)[n] = target;
}

/* Read what follows `::`. */
static int read_transition(struct reader *r, struct ltl_state *state, char ***targets)
{
	if (take(r, "false"))
		return 0;
	bool accepted = take(r, "atomic");
	if (accepted && expect(r, "{") < 0)
		return -1;
	char *guard = take_guard(r), *again = NULL, *target = NULL;
	if (!guard)
		return -1;
	int status = expect(r, "->");
	if (status == 0 && accepted) {
		if ((status = expect(r, "assert")) == 0 && (again = take_guard(r))) {
			char *negated = ltl_text("(!(%s))", guard), *tight = ltl_text("(!%s)", guard);
			if (strcmp(again, negated) != 0 && strcmp(again, tight) != 0)
				status = fail(r, "the guard again, negated");
			free(negated);
			free(tight);
		}
		status = status == 0 && again ? expect(r, "}") : -1;
	} else if (status == 0 && (status = expect(r, "goto")) == 0) {
		skip_blanks(r);
		size_t length = ltl_word_length(r->text + r->at);
		target = ltl_slice(r->text, r->at, r->at + length);
		r->at += length;
	}
	free(again);
	add_transition(state, targets, guard, target);
	return status;
}

static int read_state(struct reader *r, struct ltl_state *state, char ***targets)
{
	if (!(state->label = take_label(r)))
		return fail(r, "a label or '}'");
	state->alias = take_label(r);
	state->accepting = strncmp(state->label, "accept", 6) == 0 || (state->alias && strncmp(state->alias, "accept", 6) == 0);
	if (take(r, "skip")) {
		take(r, ";");
		add_transition(state, targets, ltl_text("(1)"), NULL);
		skip_blanks(r);
		return r->text[r->at] == '}' ? 0 : fail(r, "'}' after skip");
	}
	bool is_if = take(r, "if");
	if (!is_if && expect(r, "do") < 0)
		return -1;
	while (take(r, "::"))
		if (read_transition(r, state, targets) < 0)
			return -1;
	if (expect(r, is_if ? "fi" : "od") < 0)
		return -1;
	take(r, ";");
	return 0;
}

static bool has_label(const struct ltl_state *state, const char *label)
{
	return strcmp(state->label, label) == 0 || (state->alias && strcmp(state->alias, label) == 0);
}

static int find_targets(struct reader *r, struct ltl_automaton *a)
{
	assert(r->nstates == a->nstates);
	for (size_t i = 0; i < a->nstates; i++)
		for (size_t j = 0; j < a->states[i].ntransitions; j++) {
			const char *target = r->targets[i][j];
			size_t k = 0;
			while (target && k < a->nstates && !has_label(&a->states[k], target))
				k++;
			if (target && k == a->nstates)
				return ltl_fail(r->error, r->text, 0, "the claim has no label '%s'", target);
			a->states[i].transitions[j].target = target ? k : LTL_ACCEPTED;
		}
	return 0;
}

/* Read what follows "owed" or "owes". */
static int read_debt(struct reader *r, struct ltl_automaton *a, bool first)
{
	a->debts = realloc(a->debts, (a->ndebts + 1) * sizeof *a->debts);
	struct ltl_debt *debt = &a->debts[a->ndebts++];
	*debt = (struct ltl_debt){ .first = first, .trigger = take_guard(r) };
	if (!debt->trigger || expect(r, "until") < 0 || !(debt->discharge = take_guard(r)))
		return -1;
	return expect(r, ";");
}

/* Put a state in the place of LTL_ACCEPTED, as something may be owed there. */
static void add_accepting_state(struct ltl_automaton *a)
{
	size_t last = a->nstates;
	bool needed = false;
	assert(a->ndebts > 0);
	for (size_t i = 0; i < last; i++)
		for (size_t k = 0; k < a->states[i].ntransitions; k++)
			if (a->states[i].transitions[k].target == LTL_ACCEPTED) {
				a->states[i].transitions[k].target = last;
				needed = true;
			}
	if (!needed)
		return;
	struct ltl_transition *stay = malloc(sizeof *stay);
	a->states = realloc(a->states, (last + 1) * sizeof *a->states);
	*stay = (struct ltl_transition){ ltl_text("(1)"), last };
	a->states[a->nstates++] = (struct ltl_state){
		.label = ltl_text("accept_all"), .accepting = true, .transitions = stay, .ntransitions = 1
	};
}

static int read_automaton(struct reader *r, struct ltl_automaton *a)
{
	for (bool first; (first = take(r, "owed")) || take(r, "owes");)
		if (read_debt(r, a, first) < 0)
			return -1;
	if (expect(r, "never") < 0 || expect(r, "{") < 0)
		return -1;
	do {
		a->states = realloc(a->states, (a->nstates + 1) * sizeof *a->states);
		r->targets = realloc(r->targets, (a->nstates + 1) * sizeof *r->targets);
		a->states[a->nstates] = (struct ltl_state){ 0 };
		r->targets[a->nstates] = NULL;
		r->nstates = ++a->nstates;
		if (read_state(r, &a->states[a->nstates - 1], &r->targets[a->nstates - 1]) < 0)
			return -1;
	} while (!take(r, "}"));
	skip_blanks(r);
	if (r->text[r->at])
		return fail(r, "nothing more");
	int status = find_targets(r, a);
	if (status == 0 && a->ndebts)
		add_accepting_state(a);
	return status;
}

int ltl_automaton_read(const char *text, struct ltl_automaton *a, struct ltl_error *error)
{
	struct reader reader = { .text = text, .error = error };
	*a = (struct ltl_automaton){ 0 };
	int status = read_automaton(&reader, a);
	for (size_t i = 0; i < reader.nstates; i++) {
		for (size_t j = 0; j < a->states[i].ntransitions; j++)
			free(reader.targets[i][j]);
		free(reader.targets[i]);
	}
	free(reader.targets);
	if (status < 0)
		ltl_automaton_release(a);
	return status;
}

void ltl_automaton_release(struct ltl_automaton *a)
{
	for (size_t i = 0; i < a->nstates; i++) {
		for (size_t j = 0; j < a->states[i].ntransitions; j++)
			free(a->states[i].transitions[j].guard);
		free(a->states[i].transitions);
		free(a->states[i].label);
		free(a->states[i].alias);
	}
	for (size_t i = 0; i < a->ndebts; i++) {
		free(a->debts[i].trigger);
		free(a->debts[i].discharge);
	}
	free(a->debts);
	free(a->states);
	*a = (struct ltl_automaton){ 0 };
}

/* ---- the claim's head ---------------------------------------------------------------------------------------------- */

/* Print a user's text within a comment, which the text must not end.  The preprocessor joins lines that end in a backslash. */
static void print_quoted(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n' || *text == '\r')
			putc(' ', file);
		else
			putc(*text, file);
		if ((*text == '*' && text[1] == '/') || (*text == '/' && text[1] == '*'))
			putc(' ', file);
	}
}

static void print_head(FILE *file, const struct ltl_claim_request *request)
{
	assert(request->propositions->count <= LTL_MAX_PROPOSITIONS);
	fputs("/* ", file);
	print_quoted(file, request->text);
	fputs("\n *\n", file);
	for (size_t i = 0; i < request->propositions->count; i++)
		if (request->uses >> i & 1) {
			const struct ltl_proposition *p = &request->propositions->items[i];
			fprintf(file, " * p%zu: ", i);
			print_quoted(file, p->text);
			if (p->defined) {
				fputs(" = ", file);
				print_quoted(file, p->source);
			}
			putc('\n', file);
		}
	fputs(" */\n", file);
	for (size_t i = 0; i < request->propositions->count; i++)
		if (request->uses >> i & 1)
			fprintf(file, "#define p%zu (c_expr { vm_holds (now.vm, %zu) })\n", i, i);
	putc('\n', file);
}

char *ltl_claim(const struct ltl_claim_request *request, const char *text, struct ltl_error *error)
{
	struct ltl_automaton automaton;
	*error = (struct ltl_error){ 0 };
	if (request->fairness != LTL_UNFAIR && (request->threads < 1 || request->threads > LTL_MAX_FAIR)) {
		ltl_fail(error, request->text, 0, "fairness is for 1 to %d threads, not %u", LTL_MAX_FAIR, request->threads);
		return NULL;
	}
	bool any_form = request->by_user && request->fairness == LTL_UNFAIR;
	if (any_form)
		automaton = (struct ltl_automaton){ 0 };
	else if (ltl_automaton_read(text, &automaton, error) < 0)
		return NULL;
	assert(any_form || automaton.nstates > 0);
	char *claim;
	size_t size;
	FILE *file = open_memstream(&claim, &size);
	if (!file)
		abort();
	print_head(file, request);
	if (request->fairness != LTL_UNFAIR || automaton.ndebts)
		ltl_print_fair(file, &automaton, request);
	else
		fputs(text + strspn(text, " \t\n\r"), file);
	fclose(file);
	ltl_automaton_release(&automaton);
	return claim;
}
