/* SPDX-License-Identifier: MIT
 *
 * See solve.h.  The solver is CaDiCaL, in a library of its own: programs without inputs neither link nor load it.  It is new for
 * each question, which is faster than to keep one.
 *
 * It gives up after a number of conflicts, of which a question of many clauses gets fewer: so the work is bounded, on whatever
 * machine.  Another solver is asked then (second.h); but first after a few conflicts, with little effort: what that one can do at
 * all, it mostly does at once.  Each time both have given up, the next question gets half as many, down to a 64th: the verdict is
 * no longer verified, and all hard questions together must end, too.
 *
 * Conditions that share no symbols with the question, neither directly nor by way of others, cannot change the answer: they hold
 * for some values of their own symbols.
 */
#include "solve.h"
#include "blast.h"
#include "range.h"
#include "second.h"
#include "../state/limit.h"

#include <assert.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	HALVES = 6,
	USUAL = 100000 /* literals of clauses */,
	SATISFIABLE = 10,
	UNSATISFIABLE = 20,
	OLD = 8,
	WRITTEN = 500 /* literals */,
	EARLY = 64 /* of the effort is one part before the second opinion */,
	UNITS = 100 /* of the second solver's effort, for a conflict */
};

/* ---- the library ----------------------------------------------------------------------------------------------------- */

static VM_SHARED struct {
	void *library;
	void *(*init)(void);
	void (*release)(void *);
	void (*add)(void *, int);
	int (*solve)(void *);
	int (*val)(void *, int);
	void (*limit)(void *, const char *, int);
	void (*set_learn)(void *, void *, int, void (*)(void *, int *));
	void (*set_option)(void *, const char *, int);
} sat;

static void find(void *function, const char *name)
{
	void *there = dlsym(sat.library, name);
	if (!there)
		VM_BUG("the solver has no %s", name);
	memcpy(function, &there, sizeof there);
}

static void open_library(void)
{
	const char *path = getenv("BITSPIN_SOLVER");
	if (sat.library)
		return;
	sat.library = dlopen(path && *path ? path : "libbitspin-sat.so", RTLD_NOW | RTLD_LOCAL);
	if (!sat.library)
		vm_inconclusive(LIMIT_VALUES,
				"--inputs symbolic has no solver: set BITSPIN_SOLVER to the path of libbitspin-sat.so");
	find(&sat.init, "ccadical_init");
	find(&sat.release, "ccadical_release");
	find(&sat.add, "ccadical_add");
	find(&sat.solve, "ccadical_solve");
	find(&sat.val, "ccadical_val");
	find(&sat.limit, "ccadical_limit");
	find(&sat.set_learn, "ccadical_set_learn");
	find(&sat.set_option, "ccadical_set_option");
}

static VM_OWN struct {
	uint64_t literals; /* of the question */
	unsigned gave_up;  /* how often, at most HALVES */
	bool patient, limited;
	uint64_t left, learned; /* limited: conflicts that all questions may still take; clauses learned by this one, one each */
} effort;

void vm_solve_patiently(bool patient)
{
	effort.patient = patient;
}

void vm_solve_within(uint64_t conflicts)
{
	effort.limited = conflicts != UINT64_MAX;
	effort.left = conflicts;
}

bool vm_solve_is_spent(void)
{
	return effort.limited && effort.left == 0;
}

static void count_learned(void *unused, int *clause)
{
	(void)unused, (void)clause;
	effort.learned++;
}

static void add(void *solver, int literal)
{
	effort.literals++;
	sat.add(solver, literal);
}

/* Begin a question in which all these conditions hold; *bounds are what they say. */
static void *begin(const uint32_t *conditions, uint32_t count, struct node_bounds *bounds)
{
	open_library();
	void *solver = sat.init();
	sat.set_option(solver, "quiet", 1);
	vm_bounds_of(bounds, conditions, count);
	effort.literals = 0;
	vm_blast_begin(solver, add, bounds);
	for (uint32_t i = 0; i < count; i++) {
		int literal = *vm_blast(conditions[i]);
		vm_blast_clause(&literal, 1);
	}
	return solver;
}

/* Return how many conflicts a question may have, of which what is left is for all: to write it down costs as much as some. */
static uint64_t within(uint64_t conflicts)
{
	uint64_t writing = 1 + effort.literals / WRITTEN;
	effort.left -= writing < effort.left ? writing : effort.left;
	return conflicts < effort.left ? conflicts : effort.left;
}

/* Return how many conflicts a question gets. */
static uint64_t effort_for(void)
{
	const struct image_options *options = vm_this.image.options;
	uint64_t conflicts = (options ? options->conflicts : SOLVER_BUDGET) >> (effort.patient ? 0 : effort.gave_up);
	if (effort.literals > USUAL)
		conflicts = conflicts * USUAL / effort.literals;
	return effort.limited ? within(conflicts) : conflicts;
}

static void note_given_up(void)
{
	if (effort.gave_up < HALVES && !effort.patient)
		effort.gave_up++;
}

static enum vm_answer run(void *solver, uint64_t conflicts)
{
	effort.learned = 0;
	if (effort.limited)
		sat.set_learn(solver, NULL, INT_MAX, count_learned);
	sat.limit(solver, "conflicts", (int)(conflicts + 1));
	int result = sat.solve(solver);
	if (effort.limited)
		effort.left -= effort.learned < effort.left ? effort.learned : effort.left;
	return result == SATISFIABLE ? ANSWER_YES : result == UNSATISFIABLE ? ANSWER_NO : ANSWER_UNKNOWN;
}

/* Ask the other solver, with as much effort as so many conflicts are. */
static enum vm_answer ask_second(const uint32_t *conditions, uint32_t count, uint64_t conflicts, uint64_t *values)
{
	uint64_t units = (conflicts + 1) * UNITS;
	if (effort.limited)
		return ANSWER_UNKNOWN; /* its effort cannot be counted */
	return vm_second_opinion(conditions, count, units < UINT32_MAX ? (uint32_t)units : UINT32_MAX, values);
}

static uint64_t read_value(void *solver, uint32_t node)
{
	const int *bits = vm_blast(node);
	uint64_t value = 0;
	for (unsigned i = 0; i < vm_node_width(node); i++) {
		int literal = bits[i], variable = literal < 0 ? -literal : literal;
		bool set = sat.val(solver, variable) > 0;
		value |= (uint64_t)(set == (literal > 0)) << i;
	}
	return value;
}

static void read_symbols(void *solver, uint32_t number, uint64_t *values)
{
	const struct node n = *vm_node(number);
	const uint32_t operands[] = { n.a, n.b, n.c };
	if (n.op == NODE_SYMBOL)
		values[n.value] = read_value(solver, number);
	for (unsigned i = 0; i < 3 && operands[i]; i++)
		read_symbols(solver, operands[i], values);
}

/* Ask the solvers whether conditions hold together, and for which values. */
static enum vm_answer ask(const uint32_t *conditions, uint32_t count, uint64_t *values)
{
	struct node_bounds bounds;
	void *solver = begin(conditions, count, &bounds);
	enum vm_answer answer = ANSWER_UNKNOWN;
	uint64_t most = effort_for();
	for (unsigned parts = effort.limited ? 1 : EARLY; parts && answer == ANSWER_UNKNOWN; parts = parts > 1 ? 1 : 0) {
		answer = run(solver, most / parts);
		for (uint32_t i = 0; i < count && answer == ANSWER_YES; i++)
			read_symbols(solver, conditions[i], values);
		if (answer == ANSWER_UNKNOWN)
			answer = ask_second(conditions, count, most / parts, values);
	}
	sat.release(solver);
	for (uint32_t i = 0; i < count && answer == ANSWER_YES; i++)
		if (!vm_node_value(conditions[i], values))
			VM_BUG("the values of the solver are wrong");
	if (answer == ANSWER_UNKNOWN)
		note_given_up();
	return answer;
}

/* ---- what is known already ------------------------------------------------------------------------------------------- */

/* a question and its answer: in `words`, from `start` on, the number of conditions, they, and the one that is asked */
struct memory {
	uint64_t hash;
	uint32_t start, length;
	uint32_t values, count; /* of a question for values, where they are */
	uint8_t answer;
};

static VM_OWN struct {
	struct memory *items; /* a power of two of them; length 0: free */
	uint32_t count, size, capacity;
	uint32_t *words;
	uint32_t word_count, word_capacity;
	uint64_t *found; /* values that nodes have */
	uint32_t found_count, found_capacity;
	uint64_t values[OLD][NODE_SYMBOLS]; /* of symbols, which have been answers */
	unsigned next;
} known;

static struct memory *slot_of(uint64_t hash, const uint32_t *words, uint32_t length)
{
	uint32_t at = (uint32_t)hash & (known.size - 1);
	for (; known.items[at].length; at = (at + 1) & (known.size - 1)) {
		const struct memory *m = &known.items[at];
		if (m->hash == hash && m->length == length && memcmp(known.words + m->start, words, length * sizeof *words) == 0)
			break;
	}
	return &known.items[at];
}

static void grow(void)
{
	uint32_t before = known.size;
	struct memory *old = vm_scratch((before + 1) * sizeof *old);
	if (before)
		memcpy(old, known.items, before * sizeof *old);
	known.size = before ? 2 * before : 1024;
	known.items = vm_grow(known.items, &known.capacity, known.size, sizeof *known.items);
	memset(known.items, 0, known.size * sizeof *known.items);
	for (uint32_t i = 0; i < before; i++)
		if (old[i].length)
			*slot_of(old[i].hash, known.words + old[i].start, old[i].length) = old[i];
}

static struct memory *look(const uint32_t *words, uint32_t length)
{
	uint64_t hash = length;
	for (uint32_t i = 0; i < length; i++)
		hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
	if (2 * known.count >= known.size)
		grow();
	struct memory *m = slot_of(hash, words, length);
	m->hash = hash;
	return m;
}

static void remember(struct memory *m, const uint32_t *words, uint32_t length, enum vm_answer answer)
{
	known.words = vm_grow(known.words, &known.word_capacity, (uint64_t)known.word_count + length, sizeof *known.words);
	memcpy(known.words + known.word_count, words, length * sizeof *words);
	m->start = known.word_count;
	m->length = length;
	m->answer = (uint8_t)answer;
	known.word_count += length;
	known.count++;
}

/* Put the conditions that have to do with a node into `slice`.  Return how many there are. */
static uint32_t slice_of(struct vm_conditions conditions, uint32_t node, uint32_t *slice)
{
	uint64_t symbols = vm_node(node)->symbols, before;
	uint32_t count = 0;
	do {
		before = symbols;
		for (uint32_t i = 0; i < conditions.count; i++)
			if (vm_node(conditions.nodes[i])->symbols & symbols)
				symbols |= vm_node(conditions.nodes[i])->symbols;
	} while (symbols != before);
	for (uint32_t i = 0; i < conditions.count; i++)
		if (vm_node(conditions.nodes[i])->symbols & symbols)
			slice[count++] = conditions.nodes[i];
	return count;
}

/* Do values that are at hand let all hold? */
static bool at_hand(const uint32_t *conditions, uint32_t count)
{
	for (unsigned m = 0; m < OLD; m++) {
		uint32_t i = 0;
		while (i < count && vm_node_value(conditions[i], known.values[m]))
			i++;
		if (i == count)
			return true;
	}
	return false;
}

static bool any_far(const uint32_t *conditions, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (vm_node(conditions[i])->far)
			return true;
	return false;
}

enum vm_answer vm_solve(struct vm_conditions conditions, uint32_t one)
{
	assert(vm_node_width(one) == 1);
	if (vm_node_is_constant(one))
		return vm_node(one)->value ? ANSWER_YES : ANSWER_NO;
	uint32_t *slice = vm_scratch((conditions.count + 1) * sizeof *slice), count = slice_of(conditions, one, slice);
	struct node_bounds bounds;
	vm_bounds_of(&bounds, slice, count);
	struct node_range range = vm_range_of(one, &bounds);
	if (range.high == 0 || range.low == 1)
		return range.high ? ANSWER_YES : ANSWER_NO;
	slice[count++] = one;
	bool far = any_far(slice, count);
	if (!far && at_hand(slice, count))
		return ANSWER_YES;
	struct memory *m = look(slice, count);
	if (m->length)
		return (enum vm_answer)m->answer;
	uint64_t *values = known.values[known.next];
	if (far) { /* the caller has these symbols only here, and as many as there are inputs */
		values = vm_scratch(vm_node_symbol_limit() * sizeof *values);
	} else {
		known.next = (known.next + 1) % OLD;
	}
	enum vm_answer answer = ask(slice, count, values);
	remember(m, slice, count, answer);
	return answer;
}

enum vm_answer vm_solve_some(struct vm_conditions conditions, uint64_t *values)
{
	return conditions.count ? ask(conditions.nodes, conditions.count, values) : ANSWER_YES;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Find values of a node beyond those that are there, with the other solver. */
static enum vm_answer enumerate_second(const uint32_t *slice, uint32_t length, uint32_t node, uint32_t most, uint64_t *values,
				       uint32_t *count)
{
	uint32_t *all = vm_scratch((length + most + 1) * sizeof *all);
	uint64_t *symbols = vm_scratch(vm_node_symbol_limit() * sizeof *symbols);
	enum vm_answer answer;
	memcpy(all, slice, length * sizeof *all);
	for (uint32_t i = 0;; i++) {
		if (i == *count) {
			answer = ask_second(all, length + i, effort_for(), symbols);
			if (answer != ANSWER_YES || *count == most)
				break;
			values[(*count)++] = vm_node_value(node, symbols);
		}
		uint32_t is = vm_node_binary(NODE_EQ, node, vm_node_constant(vm_node_width(node), values[i]));
		all[length + i] = vm_node_not(is);
	}
	return answer;
}

/* Find the values of a node while all conditions of `slice` hold. */
static enum vm_answer enumerate(const uint32_t *slice, uint32_t length, uint32_t node, uint32_t most, uint64_t *values,
				uint32_t *count)
{
	unsigned width = vm_node_width(node);
	struct node_bounds bounds;
	void *solver = begin(slice, length, &bounds);
	enum vm_answer more;
	vm_blast(node);
	for (*count = 0; (more = run(solver, effort_for())) == ANSWER_YES && *count < most; ++*count) {
		int other[64];
		uint64_t value = values[*count] = read_value(solver, node);
		const int *bits = vm_blast(node);
		for (unsigned i = 0; i < width; i++)
			other[i] = value >> i & 1 ? -bits[i] : bits[i];
		vm_blast_clause(other, width);
	}
	sat.release(solver);
	if (more == ANSWER_UNKNOWN)
		more = enumerate_second(slice, length, node, most, values, count);
	if (more == ANSWER_UNKNOWN)
		note_given_up();
	qsort(values, *count, sizeof *values, by_size);
	return more == ANSWER_NO ? ANSWER_YES : more == ANSWER_YES ? ANSWER_NO : ANSWER_UNKNOWN;
}

enum vm_answer vm_solve_values(struct vm_conditions conditions, uint32_t node, uint32_t most, uint64_t *values, uint32_t *count)
{
	enum { HEAD = 3 };
	uint32_t *key = vm_scratch((conditions.count + HEAD) * sizeof *key);
	uint32_t length = slice_of(conditions, node, key + HEAD);
	key[0] = 0; /* no node: this is no question of vm_solve() */
	key[1] = node;
	key[2] = most;
	struct memory *m = look(key, length + HEAD);
	if (m->length) {
		*count = m->count;
		memcpy(values, known.found + m->values, m->count * sizeof *values);
		return (enum vm_answer)m->answer;
	}
	enum vm_answer answer = enumerate(key + HEAD, length, node, most, values, count);
	remember(m, key, length + HEAD, answer);
	known.found = vm_grow(known.found, &known.found_capacity, (uint64_t)known.found_count + *count, sizeof *known.found);
	memcpy(known.found + known.found_count, values, *count * sizeof *values);
	m->values = known.found_count;
	m->count = *count;
	known.found_count += *count;
	return answer;
}
