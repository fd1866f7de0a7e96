/* SPDX-License-Identifier: MIT
 *
 * The translation of formulas to automata (ltl/buchi.c), judged in three ways that know nothing of it:
 * - by words: a word that repeats its end for ever is in the language of just one of the automata for a formula and its negation,
 *   the one that the meaning of the operators, evaluated on the word, says;
 * - by each other: the automata for a formula and its negation accept no word in common;
 * - by `spin -f`, where that answers in time: our automaton for a formula and SPIN's for its negation accept no word in common,
 *   nor do SPIN's for the formula and ours for its negation; that is the same language.
 *
 *     usage: automata random COUNT SEED      random formulas
 *            automata table [LIMIT] < FILE   "name<tab>formula" a line, as in patterns.txt: each also in less than LIMIT ms, and
 *                                            with no more states than SPIN's; prints a table
 */
#include "../../ltl/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PROPOSITIONS = 6, LETTERS = 1 << MOST_PROPOSITIONS, MOST_PRODUCT = 400000, WORDS = 40, MOST_WORD = 8 };

static unsigned letters; /* of the formula at hand: a bit for each of its propositions */

/* ---- a Buechi automaton by letters --------------------------------------------------------------------------------- */

struct list {
	unsigned *items;
	size_t count;
};

struct machine {
	size_t count; /* of states; it begins in state 0 */
	bool *accepting;
	struct list (*targets)[LETTERS];
};

static void add(struct list *list, unsigned item)
{
	list->items = realloc(list->items, (list->count + 1) * sizeof *list->items);
	list->items[list->count++] = item;
}

static struct machine machine_of(size_t count)
{
	struct machine m = { count, calloc(count, sizeof *m.accepting), calloc(count, sizeof *m.targets) };
	if (!m.accepting || !m.targets)
		abort();
	return m;
}

static void release(struct machine *m)
{
	for (size_t i = 0; i < m->count; i++)
		for (unsigned letter = 0; letter < letters; letter++)
			free(m->targets[i][letter].items);
	free(m->targets);
	free(m->accepting);
}

/* A guard, of the form that SPIN or bitspin prints. */
static bool or_value(const char **at, unsigned letter);

static void blanks(const char **at)
{
	while (isspace((unsigned char)**at))
		++*at;
}

static bool unary_value(const char **at, unsigned letter)
{
	blanks(at);
	bool value;
	if (**at == '!') {
		++*at;
		return !unary_value(at, letter);
	} else if (**at == '(') {
		++*at;
		value = or_value(at, letter);
		blanks(at);
		if (*(*at)++ != ')')
			abort();
	} else if (**at == 'p') {
		value = letter >> strtoul(*at + 1, (char **)at, 10) & 1;
	} else if (**at == '0' || **at == '1') {
		value = *(*at)++ == '1';
	} else if (strncmp(*at, "true", 4) == 0 || strncmp(*at, "false", 5) == 0) {
		value = **at == 't';
		*at += value ? 4 : 5;
	} else {
		abort();
	}
	return value;
}

static bool and_value(const char **at, unsigned letter)
{
	bool value = unary_value(at, letter);
	for (blanks(at); strncmp(*at, "&&", 2) == 0; blanks(at)) {
		*at += 2;
		value &= unary_value(at, letter);
	}
	return value;
}

static bool or_value(const char **at, unsigned letter)
{
	bool value = and_value(at, letter);
	for (blanks(at); strncmp(*at, "||", 2) == 0; blanks(at)) {
		*at += 2;
		value |= and_value(at, letter);
	}
	return value;
}

/* With a state more, for what accepts whatever follows. */
static struct machine machine_of_text(const char *text)
{
	struct ltl_automaton a;
	struct ltl_error error = { 0 };
	if (ltl_automaton_read(text, &a, &error) < 0) {
		fprintf(stderr, "%s\n%s\n", error.message, text);
		abort();
	}
	struct machine m = machine_of(a.nstates + 1);
	unsigned last = (unsigned)a.nstates;
	for (unsigned letter = 0; letter < letters; letter++) {
		add(&m.targets[last][letter], last);
		for (size_t i = 0; i < a.nstates; i++)
			for (size_t k = 0; k < a.states[i].ntransitions; k++) {
				const struct ltl_transition *t = &a.states[i].transitions[k];
				const char *guard = t->guard;
				if (or_value(&guard, letter))
					add(&m.targets[i][letter], t->target == LTL_ACCEPTED ? last : (unsigned)t->target);
			}
	}
	m.accepting[last] = true;
	for (size_t i = 0; i < a.nstates; i++)
		m.accepting[i] = a.states[i].accepting;
	ltl_automaton_release(&a);
	return m;
}

/* ---- have two of them a word in common? ---------------------------------------------------------------------------- */

struct product {
	const struct machine *a, *b;
	struct list *next; /* of each pair of states, those that follow at some letter */
	bool *met;
};

static void meet(struct product *p, size_t pair)
{
	size_t pairs = p->a->count * p->b->count, depth = 1, *stack = malloc(pairs * sizeof *stack);
	size_t *seen = calloc(pairs, sizeof *seen); /* the last one (counted from 1) that it followed */
	stack[0] = pair;
	p->met[pair] = true;
	while (depth) {
		size_t at = stack[--depth], i = at / p->b->count, k = at % p->b->count;
		for (unsigned letter = 0; letter < letters; letter++)
			for (size_t m = 0; m < p->a->targets[i][letter].count; m++)
				for (size_t n = 0; n < p->b->targets[k][letter].count; n++) {
					size_t to = p->a->targets[i][letter].items[m] * p->b->count +
						p->b->targets[k][letter].items[n];
					if (seen[to] == at + 1)
						continue;
					seen[to] = at + 1;
					add(&p->next[at], (unsigned)to);
					if (!p->met[to])
						stack[depth++] = to;
					p->met[to] = true;
				}
	}
	free(seen);
	free(stack);
}

/* Is there a way from the pair back to itself that passes an accepting state of a and one of b?  Flags: what was passed. */
static bool comes_back(const struct product *p, size_t pair)
{
	size_t pairs = p->a->count * p->b->count, depth = 1, *stack = malloc(4 * pairs * sizeof *stack);
	bool *met = calloc(4 * pairs, 1), found = false;
	stack[0] = pair * 4;
	while (depth && !found) {
		size_t at = stack[--depth], here = at / 4, flags = at % 4;
		flags |= (p->a->accepting[here / p->b->count] ? 1 : 0) | (p->b->accepting[here % p->b->count] ? 2 : 0);
		for (size_t i = 0; i < p->next[here].count && !found; i++) {
			size_t to = p->next[here].items[i] * 4 + flags;
			found = flags == 3 && p->next[here].items[i] == pair;
			if (!met[to])
				stack[depth++] = to;
			met[to] = true;
		}
	}
	free(stack);
	free(met);
	return found;
}

static bool meet_in_a_word(const struct machine *a, const struct machine *b)
{
	size_t pairs = a->count * b->count;
	struct product p = { a, b, calloc(pairs, sizeof *p.next), calloc(pairs, 1) };
	bool found = false;
	meet(&p, 0);
	for (size_t i = 0; i < pairs && !found; i++)
		found = p.met[i] && a->accepting[i / b->count] && comes_back(&p, i);
	for (size_t i = 0; i < pairs; i++)
		free(p.next[i].items);
	free(p.next);
	free(p.met);
	return found;
}

/* ---- words --------------------------------------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((random_state >> 33) % limit);
}

/* letters[begin] follows the last one */
struct word {
	unsigned letters[MOST_WORD];
	size_t count, begin;
};

static struct word random_word(unsigned propositions)
{
	struct word word = { .count = 1 + below(MOST_WORD) };
	word.begin = below((unsigned)word.count);
	for (size_t i = 0; i < word.count; i++)
		word.letters[i] = below(1u << propositions);
	return word;
}

static struct machine machine_of_word(const struct word *word)
{
	struct machine m = machine_of(word->count);
	for (size_t i = 0; i < word->count; i++) {
		m.accepting[i] = true;
		add(&m.targets[i][word->letters[i]], (unsigned)(i + 1 < word->count ? i + 1 : word->begin));
	}
	return m;
}

/* x U y (least) or x R y (greatest) at each place of the word. */
static void fixed_point(const struct word *word, bool until, const bool *x, const bool *y, bool *value)
{
	memset(value, !until, word->count);
	for (size_t round = 0; round <= word->count; round++)
		for (size_t i = word->count; i-- > 0;) {
			bool next = value[i + 1 < word->count ? i + 1 : word->begin];
			value[i] = until ? y[i] || (x[i] && next) : y[i] && (x[i] || next);
		}
}

static void evaluate(const struct word *word, const struct ltl_node *node, bool *value)
{
	bool x[MOST_WORD] = { 0 }, y[MOST_WORD] = { 0 }, both[MOST_WORD], all[MOST_WORD], none[MOST_WORD] = { 0 };
	memset(all, 1, sizeof all);
	if (node->left)
		evaluate(word, node->left, x);
	if (node->right)
		evaluate(word, node->right, y);
	for (size_t i = 0; i < word->count; i++) {
		both[i] = x[i] || y[i];
		switch (node->op) {
		case LTL_TRUE: value[i] = true; break;
		case LTL_FALSE: value[i] = false; break;
		case LTL_PROPOSITION: value[i] = word->letters[i] >> node->proposition & 1; break;
		case LTL_NOT: value[i] = !x[i]; break;
		case LTL_AND: value[i] = x[i] && y[i]; break;
		case LTL_OR: value[i] = both[i]; break;
		case LTL_IMPLIES: value[i] = !x[i] || y[i]; break;
		case LTL_EQUIVALENT: value[i] = x[i] == y[i]; break;
		default: break;
		}
	}
	switch (node->op) {
	case LTL_ALWAYS: fixed_point(word, false, none, x, value); break;
	case LTL_EVENTUALLY: fixed_point(word, true, all, x, value); break;
	case LTL_UNTIL: fixed_point(word, true, x, y, value); break;
	case LTL_WEAK_UNTIL: fixed_point(word, false, y, both, value); break;
	case LTL_RELEASE: fixed_point(word, false, x, y, value); break;
	default: break;
	}
}

/* ---- one formula --------------------------------------------------------------------------------------------------- */

/* [0] of the formula, [1] of its negation */
struct both {
	char *texts[2];
	struct machine machines[2];
};

static unsigned spin_answers, failures;

static bool fail(const char *formula, const char *what)
{
	printf("FAIL %s: %s\n", formula, what);
	failures++;
	return false;
}

static char *spins(const char *formula)
{
	char *command = ltl_text("timeout 1 spin -f '%s' 2>/dev/null", formula), *text = NULL;
	size_t size = 0;
	FILE *pipe = popen(command, "r");
	ssize_t n = pipe ? getdelim(&text, &size, '\0', pipe) : -1;
	bool answered = pipe && pclose(pipe) == 0 && n > 0 && strstr(text, "never");
	if (!answered) {
		free(text);
		text = NULL;
	}
	free(command);
	return text;
}

static bool agrees_with_words(const struct ltl_formula *formula, const struct both *ours, unsigned propositions)
{
	for (unsigned n = 0; n < WORDS; n++) {
		bool value[MOST_WORD];
		struct word word = random_word(propositions);
		struct machine m = machine_of_word(&word);
		evaluate(&word, formula->root, value);
		bool right = meet_in_a_word(&ours->machines[0], &m) == value[0] &&
			meet_in_a_word(&ours->machines[1], &m) != value[0];
		release(&m);
		if (!right)
			return fail(formula->text, "the automata are wrong about a word");
	}
	return true;
}

/* `states`: how many SPIN's automaton of the negation has; 0 where it does not answer in time. */
static bool agrees_with_spin(const struct ltl_formula *formula, const struct both *ours, size_t *states)
{
	struct both theirs = { 0 };
	bool agrees = true;
	for (unsigned i = 0; i < 2; i++) {
		char *promela = ltl_spin(formula, i);
		theirs.texts[i] = spins(promela);
		free(promela);
		if (theirs.texts[i])
			theirs.machines[i] = machine_of_text(theirs.texts[i]);
	}
	*states = theirs.texts[1] ? theirs.machines[1].count - 1 : 0;
	for (unsigned i = 0; i < 2; i++) {
		if (!theirs.texts[i] || theirs.machines[i].count * ours->machines[!i].count > MOST_PRODUCT)
			continue;
		spin_answers++;
		if (meet_in_a_word(&theirs.machines[i], &ours->machines[!i]))
			agrees = fail(formula->text,
				      i ? "SPIN's automaton of the negation accepts a word that ours of the formula does" :
					  "our automaton of the negation accepts a word that SPIN's of the formula does");
	}
	for (unsigned i = 0; i < 2; i++) {
		if (theirs.texts[i])
			release(&theirs.machines[i]);
		free(theirs.texts[i]);
	}
	return agrees;
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

/* `limit`: in ms, for the automaton of the negation; 0: none, and no table. */
static void judge(const char *name, const char *text, double limit)
{
	static const char *const predicates[] = { "p", "q", "r", "s", "t", "z" };
	struct ltl_names names = { .predicates = predicates, .npredicates = 6 };
	struct ltl_propositions propositions = { 0 };
	struct ltl_formula formula;
	struct ltl_error error;
	struct both ours;
	size_t states = 0;
	if (ltl_parse(text, &names, &propositions, &formula, &error) < 0) {
		fail(text, error.message);
		return;
	}
	letters = 1u << propositions.count;
	double begin = now(), taken = 0;
	for (unsigned i = 2; i-- > 0;) {
		if (!(ours.texts[i] = ltl_buchi(&formula, i, SIZE_MAX, &error))) {
			fail(text, error.message);
			return;
		}
		taken = i ? now() - begin : taken;
		ours.machines[i] = machine_of_text(ours.texts[i]);
	}
	if (ours.machines[0].count * ours.machines[1].count < MOST_PRODUCT && meet_in_a_word(&ours.machines[0], &ours.machines[1]))
		fail(text, "our automata of the formula and its negation accept a word in common");
	agrees_with_words(&formula, &ours, (unsigned)propositions.count);
	if (!strchr(name, '*')) /* which SPIN cannot translate in time */
		agrees_with_spin(&formula, &ours, &states);
	if (limit > 0)
		printf("%-16s %4zu states %4zu of SPIN %8.2f ms\n", name, ours.machines[1].count - 1, states, taken);
	if (limit > 0 && taken > limit)
		fail(text, "too slow");
	if (limit > 0 && states && ours.machines[1].count - 1 > states)
		fail(text, "more states than SPIN's automaton has");
	for (unsigned i = 0; i < 2; i++) {
		release(&ours.machines[i]);
		free(ours.texts[i]);
	}
	ltl_formula_release(&formula);
	ltl_propositions_release(&propositions);
}

/* ---- formulas ------------------------------------------------------------------------------------------------------ */

static char *random_formula(unsigned size, unsigned propositions)
{
	static const char *const unary[] = { "!", "[]", "<>", "[]<>", "<>[]" };
	static const char *const binary[] = { "U", "W", "R", "&&", "||", "->", "<->", "&&", "||" };
	if (size <= 1)
		return below(20) ? ltl_text("%c", "pqrs"[below(propositions)]) : ltl_text(below(2) ? "true" : "false");
	if (below(5) < 2) {
		char *x = random_formula(size - 1, propositions), *text = ltl_text("%s (%s)", unary[below(5)], x);
		free(x);
		return text;
	}
	unsigned part = 1 + below(size - 1);
	char *x = random_formula(part, propositions), *y = random_formula(size - part, propositions);
	char *text = ltl_text("(%s) %s (%s)", x, binary[below(9)], y);
	free(x);
	free(y);
	return text;
}

static void judge_random(unsigned count, unsigned seed)
{
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15);
	for (unsigned i = 0; i < count; i++) {
		char *text = random_formula(2 + below(9), 1 + below(3));
		judge("", text, 0);
		free(text);
	}
}

static void judge_table(double limit)
{
	char line[4096];
	while (fgets(line, sizeof line, stdin)) {
		char *formula = strchr(line, '\t');
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#' || !formula)
			continue;
		*formula++ = '\0';
		judge(line, formula, limit);
	}
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "random") == 0) {
		judge_random((unsigned)strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
	} else if (argc >= 2 && strcmp(argv[1], "table") == 0) {
		judge_table(argc > 2 ? strtod(argv[2], NULL) : 200);
	} else {
		fputs("usage: automata random COUNT SEED | table [LIMIT] < FILE\n", stderr);
		return 2;
	}
	printf("%u failed, %u comparisons with SPIN\n", failures, spin_answers);
	return failures || !spin_answers;
}
