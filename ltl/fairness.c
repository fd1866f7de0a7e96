/* SPDX-License-Identifier: MIT
 *
 * Fairness as part of the claim: the product of SPIN's Buechi automaton A with an automaton for the fairness condition, with a
 * counter in place of several acceptance conditions.
 *
 * Weak: a thread that stays enabled moves infinitely often.  In other words, infinitely often each thread is disabled or has
 * just moved.  `fair_turn` is the thread that is waited for; its turn passes when it has moved (SPIN's _last
 * says who did) or is disabled.  When all turns have passed, fair_turn is the number of threads, and the next accepting state
 * of A that is entered is one of the product; with it the turns begin anew.  (pan's own -f means the same, but on some
 * models and claims with few states pan 6.5.2 never ends under -f: tests/ltl/agreement.cases has one.)
 *
 * Strong: a thread that is enabled infinitely often moves infinitely often, a Streett condition with a pair for each thread.
 * Beside fair_turn there is `fair_idle`, the set of threads that the claim has given up: it only grows,
 * and a run along which a thread in it is enabled again is dropped (`fair_kept`).  A turn passes when the thread has moved, or
 * when it is disabled and the claim chooses to give it up; turns of threads given up are skipped.
 *
 * Accepted => fair and accepted by A.  Accepting states of the product recur, so those of A do, and all turns pass again and
 * again.  From some time on fair_idle does not grow.  A thread in it is never enabled any more.  One that is not in it had
 * its turn pass infinitely often, from then on only because it moved.
 *
 * Fair and accepted by A => accepted.  Let D be the threads that are disabled from some time t on for ever, in a fair run.
 * The claim gives up exactly these, each at its first turn after t, and nobody before.  The others are enabled infinitely
 * often, so they move infinitely often, and their turns pass.  A's accepting states recur, so the counter starts anew
 * infinitely often.  Passing a turn as early as possible loses nothing, as only later moves are needed for later turns.
 *
 * The first look at _last, before any step, says 0, and where pan extends a finite run by stuttering, _last keeps its value:
 * the one is a single wrong move, and in the other nobody is enabled, so that every run is fair.  Where A accepts whatever
 * follows (SPIN's assert), the claim does too: every finite run goes on fairly.
 *
 * Claims with assignments make SPIN warn of side effects.  pan undoes them as in any process; the variables are global, and
 * so in the state vector.
 */
#include "internal.h"

static void print_enabled(FILE *file, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(file, "#define enabled_%u (c_expr { vm_enabled (now.vm, %u, 0) })\n", i, i);
	fputs("#define fair_disabled (0", file);
	for (unsigned i = 0; i < n; i++)
		fprintf(file, " || (fair_turn == %u && !enabled_%u)", i, i);
	fputs(")\n", file);
}

static void print_weak(FILE *file, unsigned n)
{
	fprintf(file, "byte fair_turn; /* the thread that is waited for; %u: for an accepting state */\n\n", n);
	print_enabled(file, n);
	fprintf(file,
		"#define fair_passes (fair_turn < %u && (fair_moved == fair_turn || fair_disabled))\n"
		"#define fair_waits (fair_turn < %u && !(fair_moved == fair_turn || fair_disabled))\n"
		"#define fair_complete (fair_turn == %u)\n#define fair_next (fair_turn + 1)\n#define fair_first 0\n\n",
		n, n, n);
}

static void print_strong(FILE *file, unsigned n)
{
	fprintf(file,
		"int fair_idle;  /* threads that are never enabled any more */\n"
		"byte fair_turn; /* the thread that is waited for; %u: for an accepting state */\n\n",
		n);
	print_enabled(file, n);
	fputs("#define fair_kept (1", file);
	for (unsigned i = 0; i < n; i++)
		fprintf(file, " && !((fair_idle & %u) && enabled_%u)", 1u << i, i);
	fprintf(file,
		")\n#define fair_passes (fair_kept && fair_turn < %u && fair_moved == fair_turn)\n"
		"#define fair_gives_up (fair_kept && fair_turn < %u && fair_moved != fair_turn && fair_disabled)\n"
		"#define fair_waits (fair_kept && fair_turn < %u && fair_moved != fair_turn)\n"
		"#define fair_complete (fair_kept && fair_turn == %u)\n",
		n, n, n, n);
	fprintf(file, "#define fair_from_%u %u\n", n, n);
	for (unsigned i = n; i-- > 0;)
		fprintf(file, "#define fair_from_%u (!(fair_idle & %u) -> %u : fair_from_%u)\n", i, 1u << i, i, i + 1);
	fputs("#define fair_first fair_from_0\n#define fair_next ", file);
	for (unsigned i = 0; i + 1 < n; i++)
		fprintf(file, "(fair_turn == %u -> fair_from_%u : ", i, i + 1);
	fprintf(file, "fair_from_%u", n);
	for (unsigned i = 0; i + 1 < n; i++)
		putc(')', file);
	fputs("\n\n", file);
}

static void print_transition(FILE *file, const struct ltl_automaton *a, const struct ltl_transition *t, bool strong)
{
	const char *g = t->guard;
	if (t->target == LTL_ACCEPTED) {
		fprintf(file, "\t:: atomic { %s -> assert(!(%s)) }\n", g, g);
		return;
	}
	fprintf(file, "\t:: d_step { (%s && fair_passes) -> fair_turn = fair_next } goto fair_S%zu\n", g, t->target);
	if (strong)
		fprintf(file,
			"\t:: d_step { (%s && fair_gives_up) -> fair_idle = fair_idle | (1 << fair_turn); "
			"fair_turn = fair_next } goto fair_S%zu\n",
			g, t->target);
	fprintf(file, "\t:: (%s && fair_waits) -> goto fair_S%zu\n", g, t->target);
	if (a->states[t->target].accepting)
		fprintf(file, "\t:: d_step { (%s && fair_complete) -> fair_turn = fair_first } goto accept_S%zu\n", g, t->target);
	else
		fprintf(file, "\t:: (%s && fair_complete) -> goto fair_S%zu\n", g, t->target);
}

static void print_state(FILE *file, const struct ltl_automaton *a, size_t state, const char *prefix, bool strong)
{
	fprintf(file, "%s_S%zu:\n\tdo\n", prefix, state);
	if (!a->states[state].ntransitions)
		fputs("\t:: false\n", file);
	for (size_t i = 0; i < a->states[state].ntransitions; i++)
		print_transition(file, a, &a->states[state].transitions[i], strong);
	fputs("\tod;\n", file);
}

void ltl_print_fair(FILE *file, const struct ltl_automaton *a, const struct ltl_claim_request *request)
{
	bool strong = request->fairness == LTL_STRONG;
	unsigned threads = request->threads;
	fprintf(file, "#define fair_moved %s /* the thread that moved last */\n", request->moved ? request->moved : "_last");
	if (strong)
		print_strong(file, threads);
	else
		print_weak(file, threads);
	fprintf(file, "never { /* along schedules that are %s fair */\n", strong ? "strongly" : "weakly");
	for (size_t i = 0; i < a->nstates; i++) {
		print_state(file, a, i, "fair", strong);
		if (a->states[i].accepting)
			print_state(file, a, i, "accept", strong);
	}
	fputs("}\n", file);
}
