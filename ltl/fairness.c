/* SPDX-License-Identifier: MIT
 *
 * Fairness as part of the claim: the product of a Buechi automaton A with an automaton for the fairness condition, with a
 * counter in place of several acceptance conditions.  (pan's own -f means the same, but on some models and claims with few states
 * pan 6.5.2 never ends under -f: tests/ltl/agreement.cases has one.)
 *
 * Fairness and acceptance are about the tail of a run.  The tail of a run that A accepts lies in one strongly connected
 * component of A, which has an accepting state and a transition: it *recurs*.  Only there the counter runs.  Elsewhere it has a
 * fixed value (NO_TURN), and the product has no more states than without fairness.  It begins anew where A enters such a
 * component, also from another one.
 *
 * Weak: a thread that stays enabled moves infinitely often.  In other words, infinitely often each thread is disabled or has
 * just moved.  `fair_turn` is the thread that is waited for.  A turn passes when the thread moves, and turns of threads that are
 * disabled are skipped.  Who moved is known only in the step: so the model's threads pass the turn themselves, at the end of
 * their step (spin-glue/model/model.c), and no variable tells it later.  When all turns have passed, fair_turn is the number of
 * threads.  It stays so until A enters an accepting state, which then is one of the product (`accept_`); with it the turns begin
 * anew.  (Where all states of the component accept, that is at once.)
 *
 * Strong: a thread that is enabled infinitely often moves infinitely often, a Streett condition with a pair for each thread.
 * Beside fair_turn there is `fair_idle`, the set of threads that the claim has given up.  It is empty outside components that
 * recur and on entering one, and only grows within; a run along which a thread in it is enabled again is dropped (`fair_kept`).
 * A turn passes when the thread has moved, or when it is disabled and the claim chooses to give it up; turns of threads given up
 * are skipped.
 *
 * Accepted => fair and accepted by A.  Accepting states of the product recur, and each is one of A.  Between two of them either
 * the turns began anew, with which the second was reached, or it was reached from the first by a full round.  A cycle of the
 * product does not leave a component of A, so nothing begins anew but after full rounds, and all turns pass again and again.
 * Weak: each pass of a turn is a state in which the thread is disabled, or its move.  Strong: from some time on fair_idle does
 * not grow.  A thread in it is never enabled any more.  One that is not in it had its turn pass infinitely often, from then on
 * only because it moved.
 *
 * Fair and accepted by A => accepted.  From some time on A's run stays in a component, which recurs.  The turns begin when it is
 * entered.  Weak: the thread that is waited for moves, or there is a state in which it is disabled; each state is looked at, when
 * it is entered or the turns begin in it.  So all turns pass, A enters an accepting state, and the turns begin anew.  Strong: let
 * D be the threads that are disabled from some time t on for ever, where the component is entered before t.  The claim gives
 * up exactly these, each at its first turn after t, and nobody before.  The others are enabled infinitely often, so they move
 * infinitely often, and their turns pass.  Passing a turn as early as possible loses nothing, as only later moves are needed for
 * later turns.
 *
 * Where pan extends a finite run by stuttering, nobody is enabled, so that every run is fair: weakly, the last step has skipped
 * all turns, as does beginning anew; strongly, the claim gives up one thread after the other.  Where A accepts whatever follows
 * (assert), the claim does too: every finite run goes on fairly.
 *
 * The turns of a round may come in any order, as long as each thread has one.  The VM keeps the threads whose turns are still to
 * come as a set, `fair_left`, and takes the one in the lowest slot next.  As threads stay in their slots, the set is all above
 * fair_turn, and there are no more states than with a counter alone.  Where threads are symmetric
 * (runtime/search/reduce/sort_threads.c), a step may put threads into other slots; fair_turn, fair_left and fair_idle then go
 * along, so that they are about the same threads as before.
 *
 * Models whose processes do not pass turns (those of tests/ltl) know who moved from SPIN's _last; there the claim passes the turn,
 * a moment later.  _last is 0 before any step, and stays as it is where pan stutters: the one is a single wrong move, and in the
 * other nobody is enabled.
 *
 * What is owed (owed.c) is a condition of the same kind: infinitely often each part owes nothing.  `owed` has the parts that owe
 * something, and `owed_left` those of them that have done so ever since the round began, 0 outside components that recur.  A round
 * is complete when nothing is left; it stays so until A enters an accepting state, and begins anew then.  So both arguments above
 * hold for it: a part that is left out of owed_left owed nothing in some state of the round; and if each owes nothing again and
 * again, nothing is left at some time.
 *
 * Claims with assignments make SPIN warn of side effects.  pan undoes them as in any process; the variables are global, and
 * so in the state vector.
 */
#include "components.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NO_TURN = 255 };

struct fair {
	FILE *file;
	const struct ltl_automaton *a;
	struct ltl_component *components; /* of a's states */
	unsigned threads;
	bool fair, strong;
	bool passes; /* the claim passes turns, not the threads */
};

/* ---- macros -------------------------------------------------------------------------------------------------------- */

/* Print the macros for threads that pass turns: the VM has the order. */
static void print_counted(FILE *file, unsigned n, bool strong)
{
	assert(n >= 1 && n <= LTL_MAX_FAIR);
	fputs("int fair_left; /* threads whose turns are still to come */\n", file);
	fputs("#define fair_at fair_turn\n", file);
	fprintf(file, "#define fair_none fair_turn = %u; fair_left = 0\n", (unsigned)NO_TURN);
	if (!strong) {
		fprintf(file, "#define fair_begin c_code { vm_weak_begin (now.vm, &now.fair_turn, &now.fair_left, %u); }\n", n);
		return;
	}
	fprintf(file, "#define fair_begin c_code { vm_strong_begin (now.fair_idle, &now.fair_turn, &now.fair_left, %u); }\n", n);
	fprintf(file, "#define fair_give_up c_code { vm_strong_give_up (&now.fair_idle, &now.fair_turn, &now.fair_left, %u); }\n",
		n);
	fputs("#define fair_disabled (! c_expr { vm_enabled (now.vm, now.fair_turn, 0) })\n", file);
	fputs("#define fair_kept (c_expr { vm_idle (now.vm, now.fair_idle) })\n", file);
}

/* Define a macro `name` that is `then` with the number `first` for turn 0, with the next one for turn 1, and so on. */
static void print_choice(FILE *file, unsigned n, const char *name, const char *then, unsigned first)
{
	fprintf(file, "#define %s ", name);
	for (unsigned i = 0; i < n; i++)
		fprintf(file, "(fair_turn == %u -> %s%u : ", i, then, first + i);
	fprintf(file, "%u", n);
	for (unsigned i = 0; i < n; i++)
		putc(')', file);
	putc('\n', file);
}

/* Print the macros for a claim that passes turns itself, in Promela alone. */
static void print_spelt(FILE *file, unsigned n, bool strong)
{
	assert(n >= 1 && n < 32); /* a bit each */
	for (unsigned i = 0; i < n; i++)
		fprintf(file, "#define enabled_%u (c_expr { vm_enabled (now.vm, %u, 0) })\n", i, i);
	fprintf(file, "#define fair_from_%u %u\n", n, n);
	for (unsigned i = n; i-- > 0;)
		if (strong)
			fprintf(file, "#define fair_from_%u (!(fair_idle & %u) -> %u : fair_from_%u)\n", i, 1u << i, i, i + 1);
		else
			fprintf(file, "#define fair_from_%u (enabled_%u -> %u : fair_from_%u)\n", i, i, i, i + 1);
	fputs("#define fair_begin fair_turn = fair_from_0\n", file);
	fprintf(file, "#define fair_none fair_turn = %u\n", (unsigned)NO_TURN);
	print_choice(file, n, "fair_here", "fair_from_", 0);
	print_choice(file, n, "fair_after", "fair_from_", 1);
	fputs("#define fair_at (fair_turn == _last -> fair_after : fair_here)\n", file);
	if (!strong)
		return;
	fputs("#define fair_give_up fair_turn = fair_at; fair_idle = fair_idle | (1 << fair_turn); fair_turn = fair_after\n", file);
	fputs("#define fair_disabled (0", file);
	for (unsigned i = 0; i < n; i++)
		fprintf(file, " || (fair_at == %u && !enabled_%u)", i, i);
	fputs(")\n#define fair_kept (1", file);
	for (unsigned i = 0; i < n; i++)
		fprintf(file, " && !((fair_idle & %u) && enabled_%u)", 1u << i, i);
	fputs(")\n", file);
}

/* Print a bit that is set where the guard holds. */
static void print_bits(FILE *file, const char *guard, size_t bit, const char *between)
{
	if (strcmp(guard, "(0)") != 0)
		fprintf(file, "%s(%s -> %u : 0)", between, guard, 1u << bit);
}

static void print_owed(FILE *file, const struct ltl_automaton *a, bool begun)
{
	unsigned first = 0;
	assert(a->ndebts > 0 && a->ndebts < 32);
	for (size_t i = 0; i < a->ndebts; i++)
		first |= (unsigned)a->debts[i].first << i;
	fprintf(file, "int owed = %u; /* parts of the formula that wait for something */\n", first);
	fprintf(file, "int owed_left = %u; /* ... since the round began */\n", begun ? (1u << a->ndebts) - 1 : 0);
	fputs("#define owed_next ((owed", file);
	for (size_t i = 0; i < a->ndebts; i++)
		print_bits(file, a->debts[i].trigger, i, " | ");
	fputs(") & ~(0", file);
	for (size_t i = 0; i < a->ndebts; i++)
		print_bits(file, a->debts[i].discharge, i, " | ");
	fputs("))\n", file);
}

static void print_turns(const struct fair *f)
{
	unsigned turn = f->components[0].recurs ? 0 : NO_TURN;
	fprintf(f->file, "byte fair_turn = %u; /* the thread that is waited for; %u: for an accepting state; %u: for nothing */\n",
		turn, f->threads, (unsigned)NO_TURN);
	if (f->strong)
		fputs("int fair_idle; /* threads that are never enabled any more */\n", f->file);
	if (f->passes)
		print_spelt(f->file, f->threads, f->strong);
	else
		print_counted(f->file, f->threads, f->strong);
}

static void print_macros(const struct fair *f)
{
	if (f->fair)
		print_turns(f);
	if (f->a->ndebts)
		print_owed(f->file, f->a, f->components[0].recurs);
	putc('\n', f->file);
}

/* ---- the claim ----------------------------------------------------------------------------------------------------- */

/* Print an option with `guard` and more of it, `and`.  It assigns `owed`, where anything can be owed, and `turns`; "" is
 * nothing. */
static void print_option(const struct fair *f, const char *guard, const char *and, const char *owed, const char *turns,
			 const char *to, size_t target)
{
	owed = f->a->ndebts ? owed : "";
	if (*owed || *turns)
		fprintf(f->file, "\t:: d_step { (%s%s) -> %s%s%s } goto %s_S%zu\n", guard, and, owed, *owed && *turns ? "; " : "",
			turns, to, target);
	else
		fprintf(f->file, "\t:: (%s%s) -> goto %s_S%zu\n", guard, and, to, target);
}

static const char owed_begin[] = "owed = owed_next; owed_left = owed", owed_on[] = "owed = owed_next; owed_left = owed_left & owed",
		  owed_none[] = "owed = owed_next; owed_left = 0", owed_outside[] = "owed = owed_next";

/* Return the condition, for a transition into an accepting state, that the round is over, or is not. */
static char *round_condition(const struct fair *f, const char *kept, bool over)
{
	char *turns = f->fair ? ltl_text("fair_at %s %u", over ? "==" : "<", f->threads) : NULL;
	const char *owed = f->a->ndebts ? over ? "(owed_left & owed_next) == 0" : "(owed_left & owed_next) != 0" : NULL;
	assert(turns || owed);
	char *all = turns && owed ? ltl_text("%s && (%s %s %s)", kept, turns, over ? "&&" : "||", owed) :
				    ltl_text("%s && %s", kept, turns ? turns : owed);
	free(turns);
	return all;
}

/* Print the options of a transition within a component that recurs. */
static void print_inner(const struct fair *f, const struct ltl_transition *t)
{
	bool accepting = f->a->states[t->target].accepting;
	const char *kept = f->strong ? " && fair_kept" : "";
	char *waiting = round_condition(f, kept, false), *complete = round_condition(f, kept, true);
	print_option(f, t->guard, accepting ? waiting : kept, owed_on, f->fair && f->passes ? "fair_turn = fair_at" : "", "fair",
		     t->target);
	if (accepting)
		print_option(f, t->guard, complete, owed_begin, f->fair ? "fair_begin" : "", "accept", t->target);
	if (f->strong) {
		char *disabled = ltl_text("%s && fair_at < %u && fair_disabled", kept, f->threads);
		print_option(f, t->guard, disabled, owed_on, "fair_give_up", "fair", t->target);
		free(disabled);
	}
	free(waiting);
	free(complete);
}

static void print_transition(const struct fair *f, size_t from, const struct ltl_transition *t)
{
	if (t->target == LTL_ACCEPTED) {
		fprintf(f->file, "\t:: atomic { %s -> assert(!(%s)) }\n", t->guard, t->guard);
		return;
	}
	const struct ltl_component *old = &f->components[from], *new = &f->components[t->target];
	if (new->recurs &&new->number == old->number) {
		print_inner(f, t);
		return;
	}
	const char *anew = f->strong ? "fair_idle = 0; fair_begin" : "fair_begin";
	const char *none = f->strong ? "fair_idle = 0; fair_none" : "fair_none";
	const char *turns = !f->fair ? "" : new->recurs ? anew : old->recurs ? none : "";
	const char *owed = new->recurs ? owed_begin : old->recurs ? owed_none : owed_outside;
	print_option(f, t->guard, f->strong && old->recurs ? " && fair_kept" : "", owed, turns, "fair", t->target);
}

static void print_state(const struct fair *f, size_t state, const char *prefix)
{
	const struct ltl_state *s = &f->a->states[state];
	fprintf(f->file, "%s_S%zu:\n\tdo\n", prefix, state);
	if (!s->ntransitions)
		fputs("\t:: false\n", f->file);
	for (size_t i = 0; i < s->ntransitions; i++)
		print_transition(f, state, &s->transitions[i]);
	fputs("\tod;\n", f->file);
}

void ltl_print_fair(FILE *file, const struct ltl_automaton *a, const struct ltl_claim_request *request)
{
	struct fair f = {
		.file = file,
		.a = a,
		.components = ltl_components(a),
		.threads = request->threads,
		.fair = request->fairness != LTL_UNFAIR,
		.strong = request->fairness == LTL_STRONG,
		.passes = !request->moved,
	};
	print_macros(&f);
	if (f.fair)
		fprintf(file, "never { /* along schedules that are %s fair */\n", f.strong ? "strongly" : "weakly");
	else
		fputs("never {\n", file);
	for (size_t i = 0; i < a->nstates; i++) {
		print_state(&f, i, "fair");
		if (a->states[i].accepting && f.components[i].recurs)
			print_state(&f, i, "accept");
	}
	fputs("}\n", file);
	free(f.components);
}
