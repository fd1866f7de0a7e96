/* SPDX-License-Identifier: MIT
 *
 * Questions about terms, and splits.  A question puts the values of a symbol into classes, one for each answer.
 */
#include "relations.h"
#include "../bitspin_vm.h"
#include "../state/limit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4096, TRIES = 100000 };

/* what a step has ended for */
static VM_OWN struct {
	struct vm_term term;
	struct vm_split split;
	struct vm_operation operations[CHAIN_MOST + 1]; /* those of the term, which outlive the step */
	uint64_t *column;
	uint32_t capacity;
} needed;

uint32_t vm_symbolic_most(void)
{
	return vm_this.image.options->max_values;
}

_Noreturn void vm_symbolic_refuse(const char *what)
{
	vm_inconclusive(LIMIT_VALUES, "%s asks for more of an input than --inputs %s can tell (--max-values %u)", what,
			vm_symbolic_name(), (unsigned)vm_symbolic_most());
}

/* Return the class of a value: its answer. */
static uint64_t class_of(const struct vm_split *split, uint64_t value)
{
	if (split->question == ASK_VALUE)
		return value;
	if (split->question == ASK_TRUTH)
		return value != 0;
	if (split->question == ASK_BELOW)
		return value >= split->count;
	const uint32_t *entry = vm_this.image.pool + split->cases;
	for (uint32_t i = 0; i < split->count; i++, entry += 3)
		if (image_halves(entry) == value)
			return i;
	return split->count;
}

/* Have all values of a piece the same class? */
static bool one_class(const struct vm_split *split, struct vm_piece piece, uint64_t *class)
{
	*class = class_of(split, piece.low);
	if (piece.low == piece.high)
		return true;
	if (split->question == ASK_TRUTH)
		return piece.low > 0;
	if (split->question == ASK_BELOW)
		return (piece.low >= split->count) == (piece.high >= split->count);
	if (split->question == ASK_VALUE)
		return false;
	const uint32_t *entry = vm_this.image.pool + split->cases;
	for (uint32_t i = 0; i < split->count; i++, entry += 3) {
		uint64_t value = image_halves(entry);
		if (value >= piece.low && value <= piece.high && (value - piece.low) % piece.step == 0)
			return false;
	}
	return true;
}

/* the classes of a symbol, in rising order, and its values: a class for each row or piece */
struct classes {
	uint64_t *keys, *of;
	struct vm_piece *pieces;
	uint32_t count, size;
};

static void add_class(struct classes *c, uint64_t key, uint32_t most, const char *what)
{
	uint32_t low = 0, high = c->count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (c->keys[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < c->count && c->keys[low] == key)
		return;
	if (c->count == most)
		vm_symbolic_refuse(what);
	memmove(c->keys + low + 1, c->keys + low, (c->count - low) * sizeof *c->keys);
	c->keys[low] = key;
	c->count++;
}

static struct classes classify(const struct vm_term *term, const struct vm_split *split, const char *what)
{
	const struct vm_symbol *symbol = &vm_symbols.symbols[term->symbol];
	uint32_t most = split->question == ASK_VALUE ? vm_symbolic_most() : split->count + 2;
	struct classes c = { .keys = vm_scratch(((uint64_t)most + 1) * sizeof *c.keys) };
	if (term->column) {
		c.of = vm_scratch(symbol->rows * sizeof *c.of);
		for (c.size = 0; c.size < symbol->rows; c.size++) {
			c.of[c.size] = class_of(split, term->column[c.size]);
			add_class(&c, c.of[c.size], most, what);
		}
		return c;
	}
	struct vm_piece *work = vm_scratch((symbol->count + PARTS + CUT_MOST) * sizeof *work);
	uint32_t left = symbol->count, tries = 0;
	memcpy(work, symbol->pieces, left * sizeof *work);
	c.pieces = vm_scratch(PARTS * sizeof *c.pieces);
	c.of = vm_scratch(PARTS * sizeof *c.of);
	while (left) {
		struct vm_piece piece = work[--left];
		bool exact;
		uint64_t modulus, class;
		struct vm_piece range = vm_term_range(term, piece, &exact, &modulus);
		if (c.size == PARTS || left + CUT_MOST > PARTS || ++tries == TRIES)
			vm_symbolic_refuse(what);
		if (one_class(split, range, &class)) {
			c.pieces[c.size] = piece;
			c.of[c.size++] = class;
			add_class(&c, class, most, what);
		} else {
			left += vm_piece_cut(piece, modulus, work + left);
		}
	}
	return c;
}

/* Let the symbol have the values only of the class with this number. */
static void restrict_to(uint32_t number, const struct classes *c, uint32_t class)
{
	struct vm_symbols *s = &vm_symbols;
	struct vm_symbol *symbol = &s->symbols[number];
	uint64_t key = c->keys[class];
	uint32_t rows = 0;
	assert(class < c->count);
	if (symbol->rows == 0) {
		struct vm_piece *pieces = vm_scratch(c->size * sizeof *pieces);
		uint32_t count = 0;
		for (uint32_t i = 0; i < c->size; i++)
			if (c->of[i] == key)
				pieces[count++] = c->pieces[i];
		symbol->pieces = pieces;
		symbol->count = vm_pieces_sort(pieces, count);
		vm_history_pieces(symbol);
		return;
	}
	for (uint32_t row = 0; row < symbol->rows; row++)
		rows += c->of[row] == key;
	for (uint32_t t = 1; t < s->term_count; t++) {
		struct vm_term *term = &s->terms[t];
		if (term->symbol != number)
			continue;
		uint64_t *column = vm_scratch(rows * sizeof *column), *next = column;
		for (uint32_t row = 0; row < symbol->rows; row++)
			if (c->of[row] == key)
				*next++ = term->column[row];
		term->column = column;
	}
	uint64_t *map = vm_scratch(rows * sizeof *map), n = 0;
	for (uint32_t row = 0; row < symbol->rows; row++)
		if (c->of[row] == key)
			map[n++] = row;
	symbol->rows = rows;
	vm_history_rows(symbol, map, false);
}

static void remember(const struct vm_term *term)
{
	needed.term = *term;
	if (term->column) {
		uint32_t rows = vm_symbols.symbols[term->symbol].rows;
		needed.column = vm_grow(needed.column, &needed.capacity, rows, sizeof *needed.column);
		needed.term.column = memcpy(needed.column, term->column, rows * sizeof *needed.column);
	} else if (term->count) {
		assert(term->count <= CHAIN_MOST);
		needed.term.operations = memcpy(needed.operations, term->operations, term->count * sizeof *needed.operations);
	}
}

/* Ask, and put the number of answers into the split.  Return a value that answers it if there is one answer only. */
static uint64_t ask(uint32_t term, struct vm_split *split, const char *what)
{
	if (vm_relational())
		return vm_relation_need(&vm_symbols.terms[term], split, what);
	split->answers = classify(&vm_symbols.terms[term], split, what).count;
	return split->answers == 1 ? vm_symbolic_some(term) : 0;
}

/* A size is first asked whether it is small.  That splits the set exactly, and of the small ones there are at most as many as may
 * be told apart, so their paths go on.  A path with a large size ends as inconclusive if there are too many of these. */
static uint64_t ask_size(uint32_t term, struct vm_split *split, const char *what)
{
	unsigned bits = vm_relational() ? vm_node_width(vm_symbols.terms[term].node) : vm_symbols.terms[term].bits;
	*split = (struct vm_split){ .question = ASK_BELOW, .count = vm_symbolic_most() };
	if (split->count <= vm_mask(bits)) {
		ask(term, split, what);
		if (split->answers > 1)
			return 0;
	}
	*split = (struct vm_split){ .question = ASK_VALUE };
	return ask(term, split, what);
}

uint64_t vm_symbolic_need(uint32_t term, enum vm_question question, uint32_t cases, uint32_t count, const char *what)
{
	uint64_t value;
	assert(term && term < vm_symbols.term_count);
	if (vm_term_is_constant(term, &value))
		return value;
	struct vm_split split = { .question = question, .cases = cases, .count = count };
	value = (question == ASK_SIZE ? ask_size : ask)(term, &split, what);
	if (split.answers == 1)
		return value;
	if (!vm_this.stepping)
		VM_BUG("an input is asked for outside of a step");
	needed.split = split;
	remember(&vm_symbols.terms[term]);
	vm_split();
}

bool vm_symbolic_is_true(struct vm_bits64 value, const char *what)
{
	return value.shadow ? vm_symbolic_need((uint32_t)value.value, ASK_TRUTH, 0, 0, what) : value.value;
}

/* ---- splits ------------------------------------------------------------------------------------------------------------ */

uint32_t vm_symbolic_answers(unsigned *slot)
{
	*slot = vm_symbols.split.slot;
	return vm_symbols.split.term ? vm_symbols.split.answers : 0;
}

bool vm_symbolic_is_split(uint32_t *choice)
{
	vm_symbolic_load();
	if (vm_symbols.split.term)
		*choice = vm_symbols.split.choice;
	return vm_symbols.split.term;
}

bool vm_symbolic_has_split(vm_ref state)
{
	uint32_t choice;
	if (!vm_symbolic_on() || vm_state_words(state)[0])
		return false;
	vm_state_load(state);
	return vm_symbolic_is_split(&choice);
}

bool vm_symbolic_answer(uint32_t choice, uint32_t *outcome)
{
	struct vm_split *split = &vm_symbols.split;
	uint32_t answers = split->answers;
	assert(split->term);
	if (answers > VM_CHOICES) {
		uint32_t size = (answers + VM_CHOICES - 1) / VM_CHOICES, low = choice * size;
		split->low += low;
		split->answers = answers - low < size ? answers - low : size;
		return false;
	}
	if (vm_relational()) {
		vm_relation_restrict(&vm_symbols.terms[split->term], split, split->low + choice);
	} else {
		struct classes c = classify(&vm_symbols.terms[split->term], split, "a split");
		restrict_to(vm_symbols.terms[split->term].symbol, &c, split->low + choice);
	}
	*outcome = split->choice;
	*split = (struct vm_split){ 0 };
	return true;
}

void vm_symbolic_split(unsigned slot, uint32_t choice)
{
	struct vm_term term = needed.term;
	struct vm_split split = needed.split;
	bool known = vm_relational() ? vm_node(term.node)->symbols <= vm_mask(vm_symbols.symbol_count) :
				       term.symbol < vm_symbols.symbol_count;
	if (!known)
		VM_BUG("a step asks for an input that was not there when it began");
	split.term = vm_term_add(term);
	split.slot = slot;
	split.choice = choice;
	vm_symbols.split = split;
}
