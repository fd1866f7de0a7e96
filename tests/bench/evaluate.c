/* SPDX-License-Identifier: MIT
 *
 * Formulas evaluated on the graph of a program's states, without pan and without automata, to compare: with the reductions
 * against without, and (ltl_random.sh) against what pan says.
 *
 *     usage: BITSPIN_IMAGE=FILE evaluate NAME...        the names of the image's propositions
 *
 * Prints a line for each formula: 1 or 0, tab, formula; or "? why".  And "FAIL ..." if the reductions change an answer.
 *
 * A path that ends stays in its last state for ever.  Nothing is assumed of the scheduler.
 */
#include "../../runtime/bitspin_vm.h"
#include "../../runtime/search/step/start.h"
#include "../../runtime/interpreter/proposition.h"
#include "../../runtime/search/bound/allowed.h"
#include "../../runtime/search/base/search.h"
#include "../../runtime/state/driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_STATES = 1200, MOST_NAMES = 8 };

/* ---- the driver ---------------------------------------------------------------------------------------------------- */

static _Noreturn void undecided(const char *why)
{
	printf("? %s\n", why);
	fflush(stdout);
	_exit(0);
}

static void on_violation(char *message)
{
	(void)message;
	undecided("the program has a violation");
}

/* A search that is to begin again on another image, or has no memory left; one that is interrupted. */
static void on_stop(enum vm_stop why)
{
	(void)why;
	undecided("the search has ended early");
}

/* ---- the graph ----------------------------------------------------------------------------------------------------- */

struct edge {
	int from, to;
};

static int states[MOST_STATES], nstates; /* handles */
static int table[4 * MOST_STATES];       /* number of a state, plus one */
static bool holds_at[MOST_NAMES][MOST_STATES], ends[MOST_STATES];
static struct edge *edges;
static size_t nedges, capacity;

static int number_of(int state)
{
	size_t at = (uint32_t)state * 2654435761u % (4 * MOST_STATES);
	while (table[at] && states[table[at] - 1] != state)
		at = (at + 1) % (4 * MOST_STATES);
	if (table[at])
		return table[at] - 1;
	if (nstates == MOST_STATES)
		undecided("too many states");
	states[nstates] = state;
	return (table[at] = ++nstates) - 1;
}

static void add_edge(int from, int to)
{
	if (nedges == capacity) {
		capacity = capacity ? 2 * capacity : 1024;
		edges = realloc(edges, capacity * sizeof *edges);
	}
	edges[nedges++] = (struct edge){ from, to };
}

static void build(int names)
{
	number_of(0);
	for (int i = 0; i < nstates; i++) {
		ends[i] = true;
		for (int p = 0; p < names; p++)
			holds_at[p][i] = vm_holds(states[i], p);
		for (int move = 0; move < (int)vm_this.max_threads * VM_OPTIONS; move++) {
			int to = states[i], thread = move / VM_OPTIONS, choice = move % VM_OPTIONS;
			int place = 0;
			if (!vm_allowed(to, place, thread, choice))
				continue;
			vm_follow(&to, &place, thread, choice);
			if (vm_ref_of(to) == vm_this.cut)
				undecided("cut");
			add_edge(i, number_of(to));
			ends[i] = false;
		}
	}
}

/* ---- sets of states ------------------------------------------------------------------------------------------------ */

typedef bool set[MOST_STATES];

/* States of `in` from which a path within it leads to one of `to` (which is part of `in`). */
static void can_reach(const set in, const set to, set result)
{
	memcpy(result, to, sizeof(set));
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = nedges; i-- > 0;)
			if (result[edges[i].to] && in[edges[i].from] && !result[edges[i].from])
				changed = result[edges[i].from] = true;
	}
}

/* States with a path that stays in `in` for ever. */
static void can_stay(const set in, set result)
{
	static bool goes_on[MOST_STATES];
	memcpy(result, in, sizeof(set));
	for (bool changed = true; changed;) {
		changed = false;
		memcpy(goes_on, ends, sizeof goes_on);
		for (size_t i = 0; i < nedges; i++)
			goes_on[edges[i].from] |= result[edges[i].to];
		for (int i = 0; i < nstates; i++)
			if (result[i] && !goes_on[i])
				result[i] = false, changed = true;
	}
}

/* Is there a path that is in `often` again and again?  What stays: states with a path to one of `often` that stayed. */
static bool can_recur(const set often)
{
	static set in, to, reach;
	memset(in, true, sizeof in);
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = 0; i < nstates; i++)
			to[i] = in[i] && often[i];
		can_reach(in, to, reach);
		memset(in, false, sizeof in);
		for (size_t i = 0; i < nedges; i++)
			in[edges[i].from] |= reach[edges[i].to];
		for (int i = 0; i < nstates; i++) {
			in[i] |= ends[i] && often[i];
			changed |= to[i] && !in[i];
		}
	}
	for (int i = 0; i < nstates; i++)
		if (in[i])
			return true;
	return false;
}

static bool is_empty(const set a)
{
	for (int i = 0; i < nstates; i++)
		if (a[i])
			return false;
	return true;
}

/* ---- formulas ------------------------------------------------------------------------------------------------------ */

static bool always(const set p, const set q)
{
	(void)q;
	for (int i = 0; i < nstates; i++)
		if (!p[i])
			return false;
	return true;
}

static void negate(const set p, set result)
{
	for (int i = 0; i < nstates; i++)
		result[i] = !p[i];
}

static bool eventually(const set p, const set q)
{
	static set not, stay;
	(void)q;
	negate(p, not );
	can_stay(not, stay);
	return !stay[0];
}

static bool again_and_again(const set p, const set q)
{
	static set not, stay;
	(void)q;
	negate(p, not );
	can_stay(not, stay);
	return is_empty(stay);
}

static bool for_ever_at_last(const set p, const set q)
{
	static set not ;
	(void)q;
	negate(p, not );
	return !can_recur(not );
}

static bool until(const set p, const set q)
{
	static set not_q, neither, stay, reach;
	negate(q, not_q);
	for (int i = 0; i < nstates; i++)
		neither[i] = not_q[i] && !p[i];
	can_stay(not_q, stay);
	can_reach(not_q, neither, reach);
	return !stay[0] && !reach[0];
}

static bool disjoint(const set a, const set b)
{
	for (int i = 0; i < nstates; i++)
		if (a[i] && b[i])
			return false;
	return true;
}

static bool response(const set p, const set q)
{
	static set not_q, stay;
	negate(q, not_q);
	can_stay(not_q, stay);
	return disjoint(p, stay);
}

/* Where p is true, q is and stays so. */
static bool stability(const set p, const set q)
{
	static set not_q, all, reach;
	negate(q, not_q);
	memset(all, true, sizeof all);
	can_reach(all, not_q, reach);
	return disjoint(p, reach);
}

/* Where p is true, it stays so, perhaps until q is. */
static bool unless(const set p, const set q)
{
	static set not_q, neither, reach;
	negate(q, not_q);
	for (int i = 0; i < nstates; i++)
		neither[i] = not_q[i] && !p[i];
	can_reach(not_q, neither, reach);
	return disjoint(p, reach);
}

static const struct shape {
	const char *text; /* with the names of one proposition or two */
	bool (*holds)(const set p, const set q);
	bool two, negated;
} shapes[] = {
	{ "[] %s", always, false, false },
	{ "[] !%s", always, false, true },
	{ "<> %s", eventually, false, false },
	{ "<> !%s", eventually, false, true },
	{ "[]<> %s", again_and_again, false, false },
	{ "[]<> !%s", again_and_again, false, true },
	{ "<>[] %s", for_ever_at_last, false, false },
	{ "<>[] !%s", for_ever_at_last, false, true },
	{ "%s U %s", until, true, false },
	{ "!%s U %s", until, true, true },
	{ "[](%s -> <> %s)", response, true, false },
	{ "[](!%s -> <> %s)", response, true, true },
	{ "[](%s -> [] %s)", stability, true, false },
	{ "[](%1$s -> (%1$s W %2$s))", unless, true, false },
};

static void evaluate(int names, char **name)
{
	static set p;
	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
		for (int i = 0; i < names; i++)
			for (int k = 0; k < (shapes[s].two ? names : 1); k++) {
				if (shapes[s].two && i == k && shapes[s].holds != stability)
					continue;
				memcpy(p, holds_at[i], sizeof p);
				if (shapes[s].negated)
					negate(holds_at[i], p);
				printf("%d\t", shapes[s].holds(p, holds_at[k]));
				printf(shapes[s].text, name[i], name[k]);
				putchar('\n');
			}
}

/* Why it is undecided is all that counts, not what the VM has said before. */
static void keep_reason(char *text)
{
	const char *why = strstr(text, "\n? ");
	if (why)
		memmove(text, why + 1, strlen(why));
}

/* All lines with these reductions, malloc'ed. */
static char *outcome(unsigned reductions, int names, char **name)
{
	static struct image_options options;
	int pipe_ends[2], status;
	size_t used = 0, size = 1 << 16;
	char *text = calloc(1, size);
	fflush(stdout);
	if (pipe(pipe_ends) < 0)
		exit(2);
	if (fork() == 0) {
		dup2(pipe_ends[1], 1);
		close(pipe_ends[0]);
		close(pipe_ends[1]);
		alarm(10);
		options = *vm_this.image.options;
		options.reductions = reductions;
		vm_this.image.options = &options;
		if (!vm_table_open(0))
			undecided("no memory");
		vm_begin();
		build(names);
		evaluate(names, name);
		fflush(stdout);
		_exit(0);
	}
	close(pipe_ends[1]);
	for (ssize_t n; used + 1 < size && (n = read(pipe_ends[0], text + used, size - used - 1)) > 0; used += (size_t)n)
		;
	close(pipe_ends[0]);
	wait(&status);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		strcpy(text, WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "? time\n" : "FAIL crash\n");
	keep_reason(text);
	return text;
}

/* Print lines that differ. */
static void compare(char *a, char *b)
{
	while (*a && *b) {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
		if (n != m || memcmp(a, b, n) != 0)
			printf("FAIL with reductions '%.*s', without '%.*s'\n", (int)m, b, (int)n, a);
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || argc > MOST_NAMES + 1) {
		fputs("usage: BITSPIN_IMAGE=FILE evaluate NAME...\n", stderr);
		return 2;
	}
	vm_driver = (struct vm_driver){
		.depth_first = true,
		.schedules = VM_SCHEDULES_ALL,
		.violated = on_violation,
		.stop = on_stop,
	};
	vm_start();
	unsigned usual = vm_this.image.options->reductions;
	char *without = outcome(0, argc - 1, argv + 1), *with = outcome(usual, argc - 1, argv + 1);
	printf("%s", without);
	if (without[0] != '?' && with[0] != '?')
		compare(without, with);
	return 0;
}
