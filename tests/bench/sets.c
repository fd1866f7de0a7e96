/* SPDX-License-Identifier: MIT
 *
 * The concrete states that the states of an image stand for, and how its paths end: one line each, sorted.  Of an image with
 * --inputs sets, each state is expanded: every symbol gets each of its values in turn.  So two images of one program must have
 * the same lines, with inputs as sets and with all values one by one.
 *
 * That a state hangs is a line for all such states: with sets, it is known only when nothing is left to be split.
 *
 * If threads of the image are symmetric, so are those of the states that are looked at, and of the concrete ones.
 *
 * A state with a split stands for the same states as the one before it, and is left out.  Of a thread that waits for an input or a
 * choice, it does not count which part of the values it may still get.
 *
 *     usage: BITSPIN_RESULT=/dev/null BITSPIN_IMAGE=FILE sets [WHAT]
 *
 * WHAT: count, to print the number of states instead; ends, to search depth first as pan does, with the image's reductions, and to
 * print the violations only, with the lines of assertions; bound, for the states within the image's bound on preemptions, and the
 * violations.  A last line "large" or "cut": not all was looked at.
 */
#include "../../runtime/bitspin_vm.h"
#include "../../runtime/memory/records.h"
#include "../../runtime/search/base/limits.h"
#include "../../runtime/search/base/report.h"
#include "../../runtime/search/hang/hangs.h"
#include "../../runtime/search/step/single.h"
#include "../../runtime/search/reduce/sort_threads.h"
#include "../../runtime/search/bound/allowed.h"
#include "../../runtime/search/bound/iterative.h"
#include "../../runtime/search/step/start.h"
#include "../../runtime/state/driver.h"
#include "../../runtime/state/key.h"
#include "../../runtime/symbolic/relations.h"
#include "../../runtime/terms/solve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STATES = 8000, MOST_LINES = 40000 };

static char (*lines)[80];
static size_t nlines;
static bool large, cut;

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Sort the lines, and leave each out that is there twice. */
static void sort_lines(void)
{
	size_t n = 0;
	qsort(lines, nlines, sizeof *lines, by_text);
	for (size_t i = 0; i < nlines; i++)
		if (n == 0 || strcmp(lines[i], lines[n - 1]) != 0)
			memmove(lines[n++], lines[i], sizeof *lines);
	nlines = n;
}

static void line(const char *text)
{
	if (nlines == MOST_LINES)
		sort_lines();
	if (nlines == MOST_LINES) {
		large = true;
		return;
	}
	lines = lines ? lines : malloc(MOST_LINES * sizeof *lines);
	snprintf(lines[nlines++], sizeof *lines, "%s", text);
}

static uint8_t to[SYMMETRIC_SLOTS]; /* where threads went that were sorted last */

/* Is there something in a slot of the working state that is not exchanged: a thread that holds a lock, or what is left of one
 * that was joined?  Then the state has several sorted ones. */
static bool any_stays(void)
{
	for (unsigned i = 1; i < vm_this.slots; i++) {
		const struct vm_thread *thread = vm_thread_look(i);
		bool left = thread->header.status == THREAD_UNUSED && (thread->locals.count || thread->heap.count);
		if (thread->header.held || left)
			return true;
	}
	return false;
}

/* Note the working state, which has no symbols. */
static void note(void)
{
	uint8_t outcomes[VM_MAX_SLOTS] = { 0 };
	char text[80];
	if (vm_is_symmetric() && any_stays())
		return;
	for (unsigned i = 0; i < vm_this.slots; i++) {
		struct vm_thread_header *header = &vm_thread_change(i)->header;
		if (header->status == THREAD_RUNNING && header->wait == WAIT_CHOICE)
			header->low = header->count = 0, header->address = header->other = 0;
	}
	vm_this.stepping = true;
	vm_ref state = vm_state_store(outcomes, vm_records_store());
	vm_this.stepping = false;
	struct vm_key key = vm_key_of(vm_is_symmetric() ? vm_symmetry_sort(state, to) : state);
	uint64_t words[2];
	memcpy(words, &key, sizeof words);
	snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, words[0], words[1]);
	line(text);
}

static void load(vm_ref state)
{
	vm_state_load(state);
	vm_symbolic_load();
}

/* Let the symbol, which has pieces, have one value: that with this number. */
static void fix_value(struct vm_symbol *symbol, uint64_t number)
{
	const struct vm_piece *piece = symbol->pieces;
	while (number > (piece->high - piece->low) / piece->step)
		number -= (piece->high - piece->low) / piece->step + 1, piece++;
	struct vm_piece *own = vm_scratch(sizeof *own);
	*own = (struct vm_piece){ piece->low + number * piece->step, piece->low + number * piece->step, 1 };
	symbol->pieces = own;
	symbol->count = 1;
}

/* Let each symbol have the row, or the value, whose number is its digit in `number`.  Return false if there are fewer. */
static bool fix(uint64_t number)
{
	for (uint32_t s = 0; s < vm_symbols.symbol_count; s++) {
		struct vm_symbol *symbol = &vm_symbols.symbols[s];
		uint64_t size = symbol->rows ? symbol->rows : vm_pieces_size(symbol->pieces, symbol->count, MOST_LINES);
		uint64_t row = number % size;
		number /= size;
		if (symbol->rows == 0) {
			fix_value(symbol, row);
			continue;
		}
		for (uint32_t t = 1; t < vm_symbols.term_count; t++)
			if (vm_symbols.terms[t].symbol == s)
				vm_symbols.terms[t].column += row;
		symbol->rows = 1;
	}
	return number == 0;
}

/* ---- terms ------------------------------------------------------------------------------------------------------------- */

enum { MOST_TERMS = 256, MOST_VALUES = 256, MOST_STEPS = 2000000, ROWS = 1 << 16 };

static struct {
	uint32_t terms[MOST_TERMS], count; /* nodes of the state that is expanded */
	uint32_t symbols[NODE_SYMBOLS];    /* nodes, by number; 0: there is none */
	uint64_t values[NODE_SYMBOLS][MOST_VALUES];
	uint32_t value_counts[NODE_SYMBOLS];
	struct vm_conditions conditions;
	uint32_t steps;
} whole;

/* Symbols that are connected by terms or conditions, and the rows of values that the terms of these have.  A row has room for all
 * terms. */
static struct part {
	uint64_t symbols;
	uint64_t *rows;
	uint32_t count, capacity;
} parts[NODE_SYMBOLS];
static uint32_t part_count;

static void find_symbols(uint32_t number)
{
	const struct node n = *vm_node(number);
	const uint32_t operands[] = { n.a, n.b, n.c };
	if (n.op == NODE_SYMBOL)
		whole.symbols[n.value] = number;
	for (unsigned i = 0; i < 3 && operands[i]; i++)
		find_symbols(operands[i]);
}

/* Join all parts that have one of the symbols. */
static void join(uint64_t symbols)
{
	struct part joined = { symbols, NULL, 0, 0 };
	uint32_t n = 0;
	for (uint32_t i = 0; i < part_count && symbols; i++)
		if (parts[i].symbols & symbols)
			joined.symbols |= parts[i].symbols;
		else
			parts[n++] = parts[i];
	if (symbols) {
		parts[n++] = joined;
		part_count = n;
	}
}

/* Take terms, conditions, symbols and their values from the state that is loaded.  Return false if they are too many or
 * not known: then it is not expanded. */
static bool take_whole(void)
{
	static uint32_t conditions[1000];
	part_count = 0;
	memset(&whole, 0, sizeof whole);
	const uint32_t *all = vm_relation_conditions(&whole.conditions.count);
	memcpy(conditions, all, whole.conditions.count * sizeof *all);
	whole.conditions.nodes = conditions;
	whole.count = vm_symbols.term_count - 1;
	if (whole.count > MOST_TERMS) {
		cut = true;
		return false;
	}
	for (uint32_t t = 0; t < whole.count; t++) {
		whole.terms[t] = vm_symbols.terms[t + 1].node;
		find_symbols(whole.terms[t]);
		join(vm_node(whole.terms[t])->symbols);
	}
	for (uint32_t i = 0; i < whole.conditions.count; i++) {
		find_symbols(conditions[i]);
		join(vm_node(conditions[i])->symbols);
	}
	for (uint32_t s = 0; s < NODE_SYMBOLS; s++) {
		enum vm_answer answer = ANSWER_YES;
		if (whole.symbols[s])
			answer = vm_solve_values(whole.conditions, whole.symbols[s], MOST_VALUES, whole.values[s],
						 &whole.value_counts[s]);
		if (answer == ANSWER_NO)
			line("!a symbol has more values than the inputs have");
		cut |= answer == ANSWER_UNKNOWN;
		if (answer != ANSWER_YES)
			return false;
	}
	return true;
}

/* Add the row of the terms of a part for these values of symbols, if it is new. */
static void add_row(struct part *part, const uint64_t *values)
{
	static uint32_t buckets[2 * ROWS];
	uint64_t row[MOST_TERMS] = { 0 }, hash = 0;
	for (uint32_t t = 0; t < whole.count; t++) {
		row[t] = vm_node(whole.terms[t])->symbols & part->symbols ? vm_node_value(whole.terms[t], values) : 0;
		hash = (hash ^ row[t]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
	}
	if (part->count == 0)
		memset(buckets, 0, sizeof buckets);
	uint32_t at = (uint32_t)hash % (2 * ROWS);
	for (; buckets[at]; at = (at + 1) % (2 * ROWS))
		if (memcmp(part->rows + (buckets[at] - 1) * (uint64_t)whole.count, row, whole.count * sizeof *row) == 0)
			return;
	if (part->count == ROWS) {
		large = true;
		return;
	}
	part->rows = vm_grow(part->rows, &part->capacity, (part->count + UINT64_C(1)) * whole.count, sizeof *row);
	memcpy(part->rows + part->count * (uint64_t)whole.count, row, whole.count * sizeof *row);
	buckets[at] = ++part->count;
}

/* Do the conditions hold that have this symbol, and otherwise only those before it in the part? */
static bool may_have(const struct part *part, uint32_t symbol, const uint64_t *values)
{
	uint64_t bit = UINT64_C(1) << symbol, later = part->symbols & ~(bit | (bit - 1));
	for (uint32_t i = 0; i < whole.conditions.count; i++) {
		uint64_t symbols = vm_node(whole.conditions.nodes[i])->symbols;
		if (symbols & bit && !(symbols & later) && !vm_node_value(whole.conditions.nodes[i], values))
			return false;
	}
	return true;
}

/* Give each of its values to this symbol of a part and to those that follow. */
static void find_rows(struct part *part, uint32_t symbol, uint64_t *values)
{
	while (symbol < NODE_SYMBOLS && !(part->symbols >> symbol & 1))
		symbol++;
	if (++whole.steps > MOST_STEPS)
		large = true;
	if (symbol == NODE_SYMBOLS) {
		add_row(part, values);
		return;
	}
	for (uint32_t i = 0; i < whole.value_counts[symbol] && !large; i++) {
		values[symbol] = whole.values[symbol][i];
		if (may_have(part, symbol, values))
			find_rows(part, symbol + 1, values);
	}
}

/* Note the state with each choice of a row from each part, from this one on. */
static void note_rows(vm_ref state, uint32_t part, uint64_t *row)
{
	for (uint32_t i = 0; part < part_count && i < parts[part].count && !large; i++) {
		const uint64_t *own = parts[part].rows + i * (uint64_t)whole.count;
		for (uint32_t t = 0; t < whole.count; t++)
			row[t] = vm_node(whole.terms[t])->symbols & parts[part].symbols ? own[t] : row[t];
		note_rows(state, part + 1, row);
	}
	if (part < part_count)
		return;
	vm_state_forget();
	load(state);
	for (uint32_t t = 0; t < whole.count; t++) {
		struct vm_term *term = &vm_symbols.terms[t + 1];
		if (!vm_node_is_constant(term->node))
			term->node = vm_node_constant(term->bits, row[t]);
	}
	vm_relation_begin();
	vm_symbolic_settle();
	note();
}

static void expand_terms(vm_ref state)
{
	uint64_t values[NODE_SYMBOLS] = { 0 }, row[MOST_TERMS] = { 0 };
	if (!take_whole())
		return;
	for (uint32_t p = 0; p < part_count; p++)
		find_rows(&parts[p], 0, values);
	note_rows(state, 0, row);
	for (uint32_t p = 0; p < part_count; p++)
		free(parts[p].rows);
}

/* ---- all --------------------------------------------------------------------------------------------------------------- */

static void expand(vm_ref state)
{
	unsigned slot;
	load(state);
	if (vm_symbolic_answers(&slot))
		return;
	if (vm_relational()) {
		expand_terms(state);
		return;
	}
	for (uint64_t number = 0; !large; number++) {
		vm_state_forget();
		load(state);
		if (!fix(number))
			return;
		vm_symbolic_settle();
		note();
	}
}

static vm_ref states[MOST_STATES];
static uint32_t nstates, table[4 * MOST_STATES];

static void visit(vm_ref state)
{
	uint32_t at = state * 2654435761u % (4 * MOST_STATES);
	for (; table[at]; at = (at + 1) % (4 * MOST_STATES))
		if (states[table[at] - 1] == state)
			return;
	if (nstates == MOST_STATES) {
		large = true;
		return;
	}
	states[nstates++] = state;
	table[at] = nstates;
}

static void on_end(void)
{
	const struct vm_ending *ending = &vm_this.ending;
	char text[80];
	if (ending->end == END_INCONCLUSIVE) {
		fprintf(stderr, "%s\n", ending->message);
		cut = true;
	}
	snprintf(text, sizeof text, "!%u %u %u", ending->end, ending->end == END_VIOLATION ? ending->kind : 0,
		 ending->end == END_VIOLATION ? image_line(&vm_this.image, ending->location) : 0);
	line(text);
}

static void moves(vm_ref state)
{
	uint8_t outcomes[VM_MAX_SLOTS];
	const uint32_t *words = vm_state_words(state);
	uint32_t slots = words[1];
	bool any = false;
	memcpy(outcomes, vm_state_outcomes(words), slots);
	for (unsigned slot = 0; slot < slots; slot++) {
		uint32_t n = vm_offered(outcomes[slot]);
		for (uint32_t choice = 0; choice < n && !large; choice++) {
			any = true;
			vm_ref next = vm_single(state, slot, choice);
			if (next)
				visit(vm_is_symmetric() ? vm_symmetry_settle(next, to, NULL) : next);
			else
				on_end();
		}
	}
	if (!any)
		line("!deadlock");
	else if (vm_hangs(state))
		line("!hang");
}

/* ---- violations only, with reductions ---------------------------------------------------------------------------------- */

/* "KIND at FILE:LINE: ..." */
static void on_violation(char *message)
{
	char text[80];
	const char *colon = strstr(message, ".c:");
	bool assertion = strncmp(message, "assertion", 9) == 0 && colon;
	snprintf(text, sizeof text, "!%.*s %lu", (int)strcspn(message, " "), message, assertion ? strtoul(colon + 3, NULL, 10) : 0);
	line(text);
}

static void on_stop(enum vm_stop why)
{
	(void)why;
	puts("cut");
	fflush(stdout);
	_exit(0);
}

static struct place {
	int state, place;
	unsigned move;
} path[MOST_STATES], seen[4 * MOST_STATES];

/* Is the place new?  Then it comes to the end of the path, where there are `depth`. */
static bool enter(int state, int place, unsigned depth)
{
	uint32_t at = ((uint32_t)state * 2654435761u + (uint32_t)place * 40503u) % (4 * MOST_STATES);
	for (; seen[at].move; at = (at + 1) % (4 * MOST_STATES))
		if (seen[at].state == state && seen[at].place == place)
			return false;
	if (++nstates == MOST_STATES)
		large = true;
	seen[at] = (struct place){ state, place, 1 };
	path[depth] = (struct place){ state, place, 0 };
	return !large;
}

static void search_ends(void)
{
	unsigned depth = 1, moves = vm_this.max_threads * VM_OPTIONS;
	enter(0, 0, 0);
	while (depth && !large) {
		struct place *at = &path[depth - 1];
		if (at->move == moves) {
			depth--;
			continue;
		}
		int thread = (int)(at->move / VM_OPTIONS), choice = (int)(at->move % VM_OPTIONS), state = at->state,
		    place = at->place;
		at->move++;
		if (!vm_allowed(state, place, thread, choice))
			continue;
		vm_follow(&state, &place, thread, choice);
		depth += enter(state, place, depth);
	}
}

/* ---- a bound on preemptions -------------------------------------------------------------------------------------------- */

static void search_within_bound(void)
{
	int state;
	vm_bounded_search();
	for (uint64_t i = 0; vm_bounded_visited(i, &state) && !large; i++)
		if (nstates++ == MOST_STATES)
			large = true;
		else if (vm_state_words(vm_ref_of(state))[0] == 0)
			expand(vm_ref_of(state));
		else
			line(vm_state_words(vm_ref_of(state))[0] & STATE_VIOLATED ? "!violated" : "!ended");
}

static void print(void)
{
	sort_lines();
	for (size_t i = 0; i < nlines; i++)
		puts(lines[i]);
	puts(large ? "large" : cut ? "cut" : "whole");
}

int main(int argc, char **argv)
{
	bool counts = argc > 1 && strcmp(argv[1], "count") == 0, ends = argc > 1 && strcmp(argv[1], "ends") == 0,
	     bound = argc > 1 && strcmp(argv[1], "bound") == 0;
	if (ends || bound)
		vm_driver = (struct vm_driver){ .depth_first = true, .violated = on_violation, .stop = on_stop };
	vm_start();
	if (ends || bound) {
		struct image_options options = *vm_this.image.options;
		options.all = true;
		vm_this.image.options = &options;
		if (ends)
			search_ends();
		else
			search_within_bound();
		cut = vm_limit_paths() > 0;
		print();
		fflush(stdout);
		_exit(0);
	}
	visit(vm_this.initial);
	for (uint32_t i = 0; i < nstates && !large; i++)
		moves(states[i]);
	if (counts) {
		printf("%u\n", nstates);
		return 0;
	}
	for (uint32_t i = 0; i < nstates && !large; i++)
		expand(states[i]);
	print();
	return 0;
}
