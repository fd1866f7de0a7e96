/* SPDX-License-Identifier: MIT
 *
 * Searches of the VM's states without pan, to compare them: for each program of an image of random_program.c, its state
 * space under sets of reductions, depth first and breadth first, with races reported and ignored; under bounds on
 * preemptions, against all schedules enumerated one by one, with no matching of states and with preemptions counted here.
 *
 * A search costs a process, so no program has all of them.  Each has the search without reductions, twice (races reported and
 * ignored), and that with all of them, in both orders.  Of the other sets each has OTHERS, drawn by its seed, so that a few
 * hundred programs have had every set in every order.  One bound of three, circular waits and a bound that cuts nothing are drawn
 * too.
 *
 *     usage: BITSPIN_RESULT=/dev/null BITSPIN_IMAGE=FILE explore FIRST COUNT [OTHERS]
 *
 * FIRST: seed of the first of COUNT programs.  OTHERS: 2; with 0, there is only one order with all reductions, no bound and no
 * circle: for an image of programs that another image has in another form.
 *
 * Prints lines for people and scripts:
 *
 *     ok SEED N                        N comparisons, all equal
 *     FAIL SEED WHAT: THIS against THAT
 *     skip SEED WHY                    something is not compared: "large" if the search without reductions is, "schedules" if there
 *                                      are too many of these under a bound, "unfinished" if another search is not
 *     persistent SEED N M              N steps of threads put off by persistent sets, M after which threads were sorted, in all
 *                                      searches
 *     result SEED MODE CLASS FINDINGS  of the search without reductions, for comparison with other images of the programs;
 *                                      CLASS: right, wrong (assertions and deadlocks only), racy, undefined
 *
 * Findings are kinds of violation (with the line, for assertions) and, of each final state, those of the program's integers
 * that are not zero, by name; "0" if all are.  A deadlock's are printed in the same way, after "~".
 * Programs with a data race are compared by that only: a race ends the execution that shows it, and of two executions that
 * differ in nothing but the order of independent steps, one may show it and the other end.  So are those with a deadlock where
 * circular waits are one, which end executions, too.
 * Where a load that takes no step stands before the end of a variable's life, that end comes in the step before it; so of an access
 * that nothing orders with the end, all executions may show the use of a dead variable, and none the race with its end.
 */
#include "../../runtime/bitspin_vm.h"
#include "../../runtime/memory/messages.h"
#include "../../runtime/search/step/start.h"
#include "../../runtime/interpreter/proposition.h"
#include "../../runtime/search/bound/allowed.h"
#include "../../runtime/search/bound/iterative.h"
#include "../../runtime/search/base/report.h"
#include "../../runtime/search/reduce/unread.h"
#include "../../runtime/search/step/single.h"
#include "../../runtime/state/driver.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MOST_STATES = 6000,
	MOST_STEPS = 30000,
	MOST_BOUND = 2,
	SECONDS = 10,
};

/* ---- findings: a sorted set of words ------------------------------------------------------------------------------- */

static char **findings;
static size_t nfindings;

static void found(const char *word)
{
	size_t at = 0;
	int order = 1;
	while (at < nfindings && (order = strcmp(findings[at], word)) < 0)
		at++;
	if (at < nfindings && order == 0)
		return;
	findings = realloc(findings, (nfindings + 1) * sizeof *findings);
	memmove(findings + at + 1, findings + at, (nfindings - at) * sizeof *findings);
	findings[at] = strdup(word);
	nfindings++;
}

/* "KIND at FILE:LINE: ..." */
static void on_violation(char *message)
{
	char word[80];
	int length = (int)strcspn(message, " ");
	const char *colon = strstr(message, ".c:");
	if (strncmp(message, "assertion", 9) == 0 && colon)
		snprintf(word, sizeof word, "!assertion:%lu", strtoul(colon + 3, NULL, 10));
	else
		snprintf(word, sizeof word, "!%.*s", length, message);
	found(word);
}

/* ---- final states -------------------------------------------------------------------------------------------------- */

static uint32_t shown[64]; /* the program's integer variables, by name */
static unsigned nshown;

static int by_name(const void *a, const void *b)
{
	const struct image *image = &vm_this.image;
	return strcmp(image_string(image, image->globals[*(const uint32_t *)a].name),
		      image_string(image, image->globals[*(const uint32_t *)b].name));
}

static void choose_shown(unsigned long seed)
{
	static const char *const names[] = { "a0", "a1", "ready", "x0", "x1", "rest", "pair" };
	const struct image *image = &vm_this.image;
	nshown = 0;
	for (uint32_t g = 0; g < image->counts[IMAGE_GLOBALS]; g++)
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			const char *name = image_string(image, image->globals[g].name);
			size_t length = strlen(names[i]);
			if (strncmp(name, names[i], length) == 0 && name[length] == '_' &&
			    strtoul(name + length + 1, NULL, 10) == seed)
				shown[nshown++] = g;
		}
	qsort(shown, nshown, sizeof *shown, by_name);
}

static void note_final(vm_ref state, const char *mark)
{
	char word[400];
	snprintf(word, sizeof word, "%s", mark);
	const uint32_t *words = vm_state_words(state);
	const vm_ref *map = vm_table_get(words[2]);
	for (unsigned i = 0; i < nshown; i++) {
		uint32_t index = vm_this.global_index[shown[i]];
		const struct vm_object_header *object = vm_table_get(map[index]);
		for (uint32_t at = 0; at + 4 <= object->size; at += 4) {
			int32_t value;
			memcpy(&value, (const char *)(object + 1) + at, sizeof value);
			size_t used = strlen(word);
			const char *name = image_string(&vm_this.image, vm_this.image.globals[shown[i]].name);
			if (value)
				snprintf(word + used, sizeof word - used, "%.*s%s=%d,", (int)strcspn(name, "_"), name,
					 object->size == 4 ? "" :
						 at        ? ".b" :
							     ".a",
					 value);
		}
	}
	found(strcmp(word, mark) != 0 ? word : mark[0] ? "~0" : "0");
}

/* ---- a search with matching, as pan does it ------------------------------------------------------------------------ */

struct node {
	int state, place;
};

static struct node *visited; /* open addressing; state 0 and the rest 0: empty, so nodes are stored with state + 1 */
static size_t capacity, nvisited;

static bool visit(struct node node)
{
	if (2 * (nvisited + 1) > capacity) {
		struct node *old = visited;
		size_t n = capacity;
		capacity = n ? 2 * n : 1024;
		visited = calloc(capacity, sizeof *visited);
		nvisited = 0;
		for (size_t i = 0; i < n; i++)
			if (old[i].state)
				visit((struct node){ old[i].state - 1, old[i].place });
		free(old);
	}
	uint64_t hash = ((uint64_t)(uint32_t)node.state << 32 | (uint32_t)node.place) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = hash >> 20 & (capacity - 1);
	for (; visited[at].state; at = (at + 1) & (capacity - 1))
		if (visited[at].state == node.state + 1 && visited[at].place == node.place)
			return false;
	visited[at] = (struct node){ node.state + 1, node.place };
	nvisited++;
	return true;
}

/* Limits after which a search begins again: what is printed of them, and what is taken back. */
static const struct {
	enum vm_limit limit;
	const char *name;
	unsigned reduction;
	bool hidden;
} restarts[] = {
	{ LIMIT_SPINS, "?spins", REDUCTION_SPINS, false },
	{ LIMIT_SLICING_UNSET, "?unset", REDUCTION_SLICING, false },
	{ LIMIT_SYMMETRY, "?symmetry", REDUCTION_SYMMETRY, false },
	{ LIMIT_HIDDEN_POINTERS, "?hidden", 0, true },
};

static _Noreturn void undecided(const char *why)
{
	printf("?%s", why);
	fflush(stdout);
	_exit(0);
}

/* A limit has ended the search.  That slicing is not sure what matters is a failure: no program of ours does what only the VM could
 * notice. */
static void on_stop(enum vm_stop why)
{
	(void)why;
	bool inconclusive = vm_this.ending.end == END_INCONCLUSIVE;
	if (inconclusive && vm_this.ending.limit == LIMIT_SLICING) {
		printf(" !slicing ");
		fflush(stdout);
		_exit(0);
	}
	for (size_t i = 0; i < sizeof restarts / sizeof *restarts; i++)
		if (inconclusive && vm_this.ending.limit == restarts[i].limit)
			undecided(restarts[i].name + 1);
	undecided("limit");
}

static bool is_stuck(int state)
{
	for (int thread = 0; thread < (int)vm_this.max_threads; thread++)
		if (vm_enabled(state, thread, 0))
			return false;
	return !vm_terminated(state);
}

static void arrive(int state)
{
	vm_ref ref = vm_ref_of(state);
	if (ref == vm_this.cut)
		undecided("cut");
	if (vm_state_words(ref)[0] & STATE_ENDED)
		note_final(ref, "");
	if (is_stuck(state)) {
		found("!deadlock");
		note_final(ref, "~");
	}
	if (nvisited > MOST_STATES)
		undecided("too many states");
}

/* The next move of a node from move number *move on, taken; false if there is none.  Threads from the last to the first,
 * as pan has it. */
static bool next_move(struct node node, unsigned *move, struct node *to)
{
	unsigned moves = vm_this.max_threads * VM_OPTIONS;
	for (; *move < moves; ++*move) {
		int thread = (int)(vm_this.max_threads - 1 - *move / VM_OPTIONS), choice = (int)(*move % VM_OPTIONS);
		if (!vm_allowed(node.state, node.place, thread, choice))
			continue;
		*to = node;
		vm_follow(&to->state, &to->place, thread, choice);
		++*move;
		return true;
	}
	return false;
}

static struct item {
	struct node node;
	unsigned move;
} * items; /* the stack, or the queue */
static size_t nitems, items_capacity;

static void push(struct node node)
{
	if (nitems == items_capacity) {
		items_capacity = nitems ? 2 * nitems : 1024;
		items = realloc(items, items_capacity * sizeof *items);
	}
	items[nitems++] = (struct item){ node, 0 };
}

static void search(bool breadth_first)
{
	struct node to = { 0, 0 };
	visit(to);
	push(to);
	for (size_t first = 0; first < nitems;) {
		struct item *item = &items[breadth_first ? first : nitems - 1];
		if (!next_move(item->node, &item->move, &to)) {
			if (breadth_first)
				first++;
			else
				nitems--;
		} else if (visit(to)) {
			arrive(to.state);
			push(to);
		}
	}
}

/* The states that the search under a bound has visited by itself; what was searched above are its paths to violations. */
static void arrive_where_bounded(void)
{
	int state;
	if (vm_bounded_figures().states > MOST_STATES)
		undecided("too many states");
	for (uint64_t i = 0; vm_bounded_visited(i, &state); i++)
		arrive(state);
}

/* ---- all schedules with a bound, one by one ------------------------------------------------------------------------ */

static bool is_about_to_yield(int state, int thread)
{
	vm_state_load(vm_ref_of(state));
	const struct vm_thread *t = vm_thread_load((unsigned)thread);
	if (t->header.frames == 0)
		return false;
	if (vm_thread_idles(vm_thread_load((unsigned)thread))) /* it waits, and is about to time out */
		return true;
	const struct vm_frame *top = &t->frames[t->header.frames - 1];
	const struct image_insn *insn = vm_this.image.code + vm_this.image.functions[top->function].code + top->pc;
	return insn->op == IMAGE_CALL && strstr(image_string(&vm_this.image, vm_this.image.functions[insn->a].name), "yield");
}

static unsigned steps;

/* Go on from a state in which `last` (-1: nobody) has just moved, with so many preemptions left. */
static void enumerate(int state, int last, unsigned left)
{
	bool costs = last >= 0 && vm_enabled(state, last, 0) && !is_about_to_yield(state, last);
	for (int thread = 0; thread < (int)vm_this.max_threads; thread++)
		for (int choice = 0; choice < VM_CHOICES && vm_enabled(state, thread, choice); choice++) {
			bool preempts = costs && thread != last;
			if (preempts && left == 0)
				continue;
			if (++steps > MOST_STEPS)
				undecided("too many schedules");
			int next = vm_step(state, thread, choice);
			arrive(next);
			enumerate(next, thread, left - preempts);
		}
}

/* ---- one search in a process of its own ---------------------------------------------------------------------------- */

struct plan {
	const char *name;
	unsigned races, reductions, preemptions; /* preemptions: most, plus one */
	bool circular; /* threads that wait in a circle, or all of them in loops, are a deadlock; else only that nobody can go on */
	bool breadth_first, one_by_one;
	bool poisoned;                     /* what slicing leaves out is a pattern instead of 0 */
	bool hidden;                       /* any thread may reach any memory */
};

static struct image_options options;
static uint64_t *put_off, *renumbered; /* steps that persistent sets have put off, after which threads were sorted; shared with the
					searches */

/* In the image, where the state before the program begins has it from. */
static void select_program(unsigned long seed)
{
	struct image *image = &vm_this.image;
	uint8_t *data = malloc(image->counts[IMAGE_DATA]);
	uint32_t value = (uint32_t)seed;
	memcpy(data, image->data, image->counts[IMAGE_DATA]);
	for (uint32_t g = 0; g < image->counts[IMAGE_GLOBALS]; g++)
		if (strcmp(image_string(image, image->globals[g].name), "selected") == 0)
			memcpy(data + image->globals[g].data, &value, sizeof value);
	image->data = data;
}

/* Do values count as read where the program ends?  Then final states can be compared; else only what is wrong. */
static bool shows_unread(unsigned long seed)
{
	return seed % 2;
}

static void run(const struct plan *plan, unsigned long seed)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = SECONDS }, NULL);
	options = *vm_this.image.options;
	options.races = plan->races;
	options.reductions = plan->reductions;
	options.preemptions = (uint16_t)(plan->one_by_one ? 0 : plan->preemptions);
	options.iterate = false;
	options.hidden = plan->hidden;
	options.all = true;
	options.deadlock = plan->circular ? DEADLOCK_CIRCULAR : DEADLOCK_IGNORED; /* total ones are looked at here */
	options.waits = plan->circular;
	vm_this.image.options = &options;
	vm_driver.depth_first = !plan->breadth_first;
	/* A table of its own: what is noted beside states is of one search. */
	if (!vm_table_open(0))
		undecided("no memory");
	select_program(seed);
	if (plan->reductions == 0)
		setenv("BITSPIN_SUMMARIES", "off", 0); /* what all else is compared with takes each step */
	setenv("BITSPIN_POISON", plan->poisoned ? "0xa5" : "0", 1);
	vm_begin();
	if (shows_unread(seed))
		vm_unread_shows_ends();
	choose_shown(seed);
	if (plan->one_by_one)
		enumerate(0, -1, plan->preemptions - 1);
	else
		search(plan->breadth_first);
	if (options.preemptions)
		arrive_where_bounded();
	*put_off += vm_saved[REDUCTION_PERSISTENT_NUMBER];
	*renumbered += vm_saved[REDUCTION_SYMMETRY_NUMBER];
	for (size_t i = 0; i < nfindings; i++)
		printf("%s ", findings[i]);
	fflush(stdout);
	_exit(0);
}

/* Where a loop looks like a wait and is none, and the like, the search begins again, as the command does it. */
static bool changes(struct plan *plan, const char *text)
{
	for (size_t i = 0; i < sizeof restarts / sizeof *restarts; i++)
		if (strstr(text, restarts[i].name)) {
			plan->reductions &= ~restarts[i].reduction;
			plan->hidden = plan->hidden || restarts[i].hidden;
			return true;
		}
	return false;
}

/* What a plan finds, malloc'ed; "?" and why, if it does not finish. */
static char *outcome(const struct plan *plan, unsigned long seed)
{
	int ends[2], status;
	char *text = calloc(1, 1), part[4096];
	size_t used = 0;
	fflush(stdout);
	if (pipe(ends) < 0)
		exit(2);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], 1);
		close(ends[0]);
		close(ends[1]);
		run(plan, seed);
	}
	close(ends[1]);
	for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0; used += (size_t)n) {
		text = realloc(text, used + (size_t)n + 1);
		memcpy(text + used, part, (size_t)n);
	}
	text[used] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
		bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
		free(text);
		if (!late) /* alike in all sets, it would be no difference */
			printf("FAIL %u the VM died, status %#x\n", (unsigned)seed, (unsigned)status);
		return strdup(late ? "?time" : "!!crash");
	}
	struct plan again = *plan;
	if (!changes(&again, text)) {
		if (strchr(text, '?')) /* after what the VM says of it */
			memmove(text, strchr(text, '?'), strlen(strchr(text, '?')) + 1);
		return text;
	}
	free(text);
	return outcome(&again, seed);
}

/* ---- comparisons --------------------------------------------------------------------------------------------------- */

static bool is_racy(const char *text)
{
	return strstr(text, "!data-race") != NULL;
}

static bool deadlocks(const char *text)
{
	return strstr(text, "!deadlock") != NULL;
}

/* What is wrong alone, malloc'ed: final states may differ in what slicing leaves out, and there are fewer where the end of the
 * program comes last. */
static char *only_wrong(const char *text)
{
	char *wrong = calloc(strlen(text) + 2, 1), *copy = strdup(text), *rest = copy, *word;
	while ((word = strsep(&rest, " ")))
		if (word[0] == '!')
			strcat(strcat(wrong, word), " ");
	free(copy);
	return wrong;
}

/* Does one search tell of a race with the end of a life only as the use of what is dead? */
static bool tells_use_only(const struct plan *plan, const char *got, const char *expected)
{
	static const char use[] = "!use-after-free";
	return (plan->reductions & REDUCTION_OWNED) && is_racy(expected) && strstr(expected, use) && strstr(got, use);
}

static bool equal(const char *a, const char *b, bool circular)
{
	if (circular && (deadlocks(a) || deadlocks(b)) && !is_racy(a) && !is_racy(b))
		return deadlocks(a) && deadlocks(b);
	return is_racy(a) || is_racy(b) ? is_racy(a) && is_racy(b) : strcmp(a, b) == 0;
}

static const char *class_of(const char *text)
{
	if (is_racy(text))
		return "racy";
	bool wrong = false;
	for (const char *p = strchr(text, '!'); p; p = strchr(p + 1, '!')) {
		if (strncmp(p, "!assertion", 10) != 0 && strncmp(p, "!deadlock", 9) != 0)
			return "undefined";
		wrong = true;
	}
	return wrong ? "wrong" : "right";
}

struct tally {
	unsigned compared, failed;
	const char *skipped;
};

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);
	for (const char *p = text; (p = strstr(p, word)); p += length)
		if ((p == text || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
			return true;
	return false;
}

/* Has one search no final state that the other has not? */
static bool has_no_others(const char *text, const char *all)
{
	char *copy = strdup(text), *rest = copy, *word;
	bool known = true;
	while ((word = strsep(&rest, " ")))
		known = known && (!*word || word[0] == '!' || has_word(all, word));
	free(copy);
	return known;
}

/* Compare a plan with what another has found. */
static void compare(unsigned long seed, const struct plan *plan, const char *expected, struct tally *tally)
{
	char *got = outcome(plan, seed), *wanted = strdup(expected);
	bool decided = got[0] != '?' && expected[0] != '?', sliced = plan->reductions & REDUCTION_SLICING, others = false;
	if (decided && !sliced && (plan->reductions & REDUCTION_EXITS) && !is_racy(expected)) /* the program ends in fewer states */
		others = !has_no_others(got, expected);
	bool unread = (plan->reductions & REDUCTION_UNREAD) && !shows_unread(seed);
	if (decided && ((plan->reductions & (REDUCTION_SLICING | REDUCTION_EXITS)) || unread)) {
		char *parts[] = { got, wanted };
		got = only_wrong(parts[0]);
		wanted = only_wrong(parts[1]);
		free(parts[0]);
		free(parts[1]);
	}
	expected = wanted;
	if (got[0] == '?' || expected[0] == '?') {
		tally->skipped = "unfinished";
	} else if (!others && (equal(got, expected, plan->circular) || tells_use_only(plan, got, expected))) {
		tally->compared++;
	} else {
		tally->failed++;
		printf("FAIL %lu %s: '%s' against '%s'\n", seed, plan->name, got, expected);
	}
	free(got);
	free(wanted);
}

/* Has the search come to its end that the others are compared with?  If not, there is nothing to compare, and `why` says so. */
static bool is_decided(char *expected, const char *why, struct tally *tally)
{
	if (expected[0] != '?')
		return true;
	if (!tally->skipped)
		tally->skipped = why;
	free(expected);
	return false;
}

/* Is there a loop in the file that may be a bounded wait? */
static bool has_waits(void)
{
	const struct image *image = &vm_this.image;
	for (uint64_t i = 0; i < image->counts[IMAGE_CODE]; i++)
		if (image->code[i].live != IMAGE_NONE && image->pool[image->code[i].live - 1])
			return true;
	return false;
}

/* ---- which plans a program has ------------------------------------------------------------------------------------- */

static unsigned all_reductions;              /* that can make a difference in this image */
static unsigned sets[REDUCTION_ALL], nsets; /* those of them that are not all */
static unsigned others = 2;                  /* sets for a program, beside all reductions */

/* Transactions go with super-steps, `spins` with programs that have loops which may be waits, and `symmetry` with those that only
 * join handles of threads. */
static void list_sets(void)
{
	all_reductions = has_waits() ? REDUCTION_ALL : REDUCTION_ALL & ~(unsigned)REDUCTION_SPINS;
	if (!(vm_this.image.options->reductions & REDUCTION_SLICING)) /* nothing is marked */
		all_reductions &= ~(unsigned)REDUCTION_SLICING;
	all_reductions &= vm_this.image.options->reductions | ~(unsigned)REDUCTION_SYMMETRY;
	for (unsigned set = 1; set < all_reductions; set++)
		if (!(set & ~all_reductions) && (!(set & REDUCTION_TRANSACTIONS) || (set & REDUCTION_SUPERSTEPS)))
			sets[nsets++] = set;
}

static unsigned draw(unsigned long seed, unsigned number)
{
	uint64_t x = (seed * 64 + number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return (unsigned)(x >> 33);
}

/* Compare what is found with a set of reductions. */
static void compare_set(unsigned long seed, struct plan *plan, unsigned set, bool breadth_first, const char *expected,
			struct tally *tally)
{
	char name[100];
	snprintf(name, sizeof name, "%s%sraces %s, reductions %#x, %s", plan->circular ? "circles, " : "",
		 plan->poisoned ? "poisoned, " : "", plan->races == RACES_IGNORE ? "ignore" : "report", set,
		 breadth_first ? "bfs" : "dfs");
	plan->name = name;
	plan->reductions = set;
	plan->breadth_first = breadth_first;
	compare(seed, plan, expected, tally);
}

/* Compare all reductions in one order or two, and `count` other sets. */
static void compare_sets(unsigned long seed, struct plan *plan, bool both_orders, unsigned count, const char *expected,
			 struct tally *tally)
{
	unsigned number = 4 * plan->races + 2 * plan->circular, first = draw(seed, number) % 2;
	compare_set(seed, plan, all_reductions, first, expected, tally);
	if (both_orders)
		compare_set(seed, plan, all_reductions, !first, expected, tally);
	if (all_reductions & REDUCTION_SLICING)
		compare_set(seed, plan, REDUCTION_SLICING, !first, expected, tally);
	plan->poisoned = true;
	if (all_reductions & REDUCTION_SLICING)
		compare_set(seed, plan, all_reductions, first, expected, tally);
	plan->poisoned = false;
	for (unsigned i = 0; i < count; i++) {
		unsigned turn = draw(seed, 16 + 16 * i + number) % (2 * nsets);
		compare_set(seed, plan, sets[turn / 2], turn % 2, expected, tally);
	}
}

static void compare_reductions(unsigned long seed, unsigned races, struct tally *tally)
{
	struct plan plan = { .races = races };
	char *expected = outcome(&plan, seed);
	if (!is_decided(expected, "large", tally))
		return;
	printf("result %lu %s %s %s\n", seed, races == RACES_IGNORE ? "ignore" : "report", class_of(expected), expected);
	compare_sets(seed, &plan, others > 0, others, expected, tally);
	if (others && draw(seed, 10) % 8 == (races == RACES_REPORT)) {
		plan = (struct plan){ .name = "a bound that cuts nothing", .races = races, .preemptions = 200 };
		compare(seed, &plan, expected, tally);
	}
	free(expected);
}

static void compare_circles(unsigned long seed, unsigned races, struct tally *tally)
{
	struct plan plan = { .races = races, .circular = true };
	char *expected = outcome(&plan, seed);
	if (!is_decided(expected, "large", tally))
		return;
	compare_sets(seed, &plan, false, 1, expected, tally);
	free(expected);
}

/* One bound, with the reductions that go with bounds and, by turns, without. */
static void compare_bound(unsigned long seed, unsigned races, struct tally *tally)
{
	char name[100];
	unsigned bound = draw(seed, 12) % (MOST_BOUND + 1);
	struct plan plan = { .name = name, .races = races, .preemptions = bound + 1, .one_by_one = true };
	char *expected = outcome(&plan, seed);
	if (!is_decided(expected, "schedules", tally))
		return;
	plan.one_by_one = false;
	for (unsigned i = 0; i < 1 + draw(seed, 13) % 2; i++) {
		plan.reductions = i ? 0 : REDUCTION_ENDS;
		plan.breadth_first = draw(seed, 14 + i) % 2;
		snprintf(name, sizeof name, "races %s, %u preemptions, reductions %#x, %s, against all schedules",
			 races == RACES_IGNORE ? "ignored" : "reported", bound, plan.reductions,
			 plan.breadth_first ? "bfs" : "dfs");
		compare(seed, &plan, expected, tally);
	}
	free(expected);
}

static void compare_all(unsigned long seed)
{
	struct tally tally = { 0 };
	for (unsigned races = RACES_REPORT; races <= (vm_has_messages() ? RACES_REPORT : RACES_IGNORE); races++) {
		compare_reductions(seed, races, &tally);
		if (others && draw(seed, 15) % 4 == (races == RACES_REPORT)) /* one half of the programs, in one way */
			compare_circles(seed, races, &tally);
		if (others && draw(seed, 11) % 2 == (races == RACES_REPORT))
			compare_bound(seed, races, &tally);
	}
	printf("persistent %lu %llu %llu\n", seed, (unsigned long long)*put_off, (unsigned long long)*renumbered);
	if (tally.skipped)
		printf("skip %lu %s\n", seed, tally.skipped);
	if (!tally.failed && tally.compared)
		printf("ok %lu %u\n", seed, tally.compared);
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4) {
		fputs("usage: BITSPIN_IMAGE=FILE explore FIRST COUNT [OTHERS]\n", stderr);
		return 2;
	}
	unsigned long first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
	if (argc == 4)
		others = (unsigned)strtoul(argv[3], NULL, 10);
	vm_driver = (struct vm_driver){ .violated = on_violation, .stop = on_stop };
	vm_start();
	list_sets();
	put_off = mmap(NULL, 2 * sizeof *put_off, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (put_off == MAP_FAILED)
		return 2;
	renumbered = put_off + 1;
	for (unsigned long seed = first; seed < first + count; seed++) {
		*put_off = *renumbered = 0;
		compare_all(seed);
	}
	return 0;
}
