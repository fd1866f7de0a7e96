/* SPDX-License-Identifier: MIT
 *
 * Which inputs lead along a path.  A replay follows the path with symbols, and notes what becomes of each: a node for each
 * change of its set.  At the end, a value is taken of each set that has come out last, and goes back from node to node to the
 * input.  As sets are exact, each such value leads along the path.  A second replay is given these inputs (replay/inputs.c).
 */
#include "relations.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	INPUT,  /* the values are those of an input */
	PIECES, /* some of the values are left */
	VALUES, /* it has rows: map[row] is the value */
	ROWS,   /* it has other rows: map[row] is the row before */
	IMAGE,  /* the values are those of a term over the values before */
};

struct event {
	uint32_t parent; /* from 1 on; 0: none */
	enum kind kind;
	uint32_t count; /* of rows, or of pieces */
	uint64_t *map;
	struct vm_piece *pieces;
	struct vm_term term; /* IMAGE */
	unsigned bits;
	bool has_child;
};

static VM_OWN struct {
	bool wanted, paused;
	struct event *nodes; /* from 1 on */
	uint32_t count, capacity, kept;
	uint32_t *path; /* the nodes of the symbols in the state that the path is in */
	uint32_t path_count, path_capacity;
} history;

void vm_history_begin(bool on)
{
	if (vm_relational())
		vm_relation_history_begin(on);
	history.wanted = on;
	history.paused = false;
	history.count = history.kept = on ? 1 : 0;
}

void vm_history_pause(bool on)
{
	history.paused = on;
}

bool vm_history_is_on(void)
{
	return history.wanted && !history.paused;
}

/* Terms have a history of their own. */
static bool has_sets(void)
{
	return vm_history_is_on() && !vm_relational();
}

static void *copy(const void *from, size_t size)
{
	void *to = malloc(size + 1);
	if (!to)
		VM_BUG("out of memory");
	return size ? memcpy(to, from, size) : to;
}

static struct event *add(uint32_t parent, enum kind kind)
{
	history.nodes = vm_grow(history.nodes, &history.capacity, (uint64_t)history.count + 1, sizeof *history.nodes);
	struct event *node = &history.nodes[history.count++];
	*node = (struct event){ .parent = parent, .kind = kind };
	return node;
}

static void add_pieces(struct vm_symbol *symbol, uint32_t parent, enum kind kind)
{
	struct event *node = add(parent, kind);
	node->count = symbol->count;
	node->pieces = copy(symbol->pieces, symbol->count * sizeof *symbol->pieces);
	node->bits = symbol->bits;
	symbol->node = history.count - 1;
}

void vm_history_input(struct vm_symbol *symbol)
{
	if (has_sets())
		add_pieces(symbol, 0, INPUT);
}

void vm_history_pieces(struct vm_symbol *symbol)
{
	if (has_sets())
		add_pieces(symbol, symbol->node, PIECES);
}

void vm_history_image(struct vm_symbol *symbol, uint32_t before, const struct vm_term *term)
{
	if (!has_sets())
		return;
	add_pieces(symbol, before, IMAGE);
	struct event *node = &history.nodes[symbol->node];
	node->term = *term;
	node->term.operations = copy(term->operations, term->count * sizeof *term->operations);
}

void vm_history_rows(struct vm_symbol *symbol, const uint64_t *map, bool values)
{
	if (!has_sets())
		return;
	struct event *node = add(symbol->node, values ? VALUES : ROWS);
	node->count = symbol->rows;
	node->map = copy(map, symbol->rows * sizeof *map);
	symbol->node = history.count - 1;
}

void vm_history_load(void)
{
	if (vm_relational())
		vm_relation_history_load();
	while (history.count > history.kept) { /* of steps that are no part of the path */
		struct event *node = &history.nodes[--history.count];
		free(node->map);
		free(node->pieces);
		free((void *)node->term.operations);
	}
	for (uint32_t i = 0; has_sets() && i < vm_symbols.symbol_count && i < history.path_count; i++)
		vm_symbols.symbols[i].node = history.path[i];
}

void vm_history_keep(void)
{
	if (vm_relational())
		vm_relation_history_keep();
	if (!has_sets())
		return;
	history.kept = history.count;
	history.path = vm_grow(history.path, &history.path_capacity, vm_symbols.symbol_count, sizeof *history.path);
	history.path_count = vm_symbols.symbol_count;
	for (uint32_t i = 0; i < vm_symbols.symbol_count; i++)
		history.path[i] = vm_symbols.symbols[i].node;
}

/* ---- back to the inputs ---------------------------------------------------------------------------------------------- */

/* Return a value of the pieces of a node for which a term is `wanted`. */
static uint64_t source_of(const struct event *before, const struct vm_term *term, uint64_t wanted)
{
	enum { MOST = 100000 };
	struct vm_piece *work = vm_scratch(((uint64_t)before->count + MOST) * sizeof *work);
	uint32_t left = before->count;
	for (uint32_t i = 0; i < left; i++)
		work[i] = before->pieces[left - 1 - i];
	while (left && left < MOST - CUT_MOST) {
		struct vm_piece piece = work[--left], parts[CUT_MOST];
		bool exact;
		uint64_t modulus;
		struct vm_piece range = vm_term_range(term, piece, &exact, &modulus);
		if (wanted < range.low || wanted > range.high || (wanted - range.low) % range.step)
			continue;
		if (range.low == range.high)
			return piece.low;
		for (uint32_t n = vm_piece_cut(piece, modulus, parts); n > 0; n--)
			work[left++] = parts[n - 1];
	}
	VM_BUG("a value of a set is that of no input");
}

/* Return the value that the input has where node `number` has this row or value. */
static uint64_t input_of(uint32_t number, uint64_t value, uint32_t *root)
{
	for (;;) {
		const struct event *node = &history.nodes[number];
		*root = number;
		switch (node->kind) {
		case INPUT: return value;
		case PIECES: break;
		case VALUES:
		case ROWS: value = node->map[value]; break;
		case IMAGE: value = source_of(&history.nodes[node->parent], &node->term, value); break;
		}
		number = node->parent;
	}
}

/* Is `a` nearer to 0 than `b`, or as near and not negative? */
static bool is_smaller(uint64_t a, uint64_t b, unsigned bits)
{
	int64_t x = vm_signed(a, bits), y = vm_signed(b, bits);
	uint64_t from_x = x < 0 ? -(uint64_t)x : (uint64_t)x, from_y = y < 0 ? -(uint64_t)y : (uint64_t)y;
	return from_x != from_y ? from_x < from_y : x > y;
}

/* Return the smallest input that ends in the node, which has no child. */
static uint64_t smallest(uint32_t leaf, uint32_t *root)
{
	const struct event *node = &history.nodes[leaf];
	uint64_t best = 0;
	bool rows = node->map, any = false;
	for (uint32_t i = 0; i < node->count; i++) {
		uint64_t ends[3] = { i, i, i };
		if (!rows) {
			const struct vm_piece *piece = &node->pieces[i];
			uint64_t sign = (uint64_t)1 << (node->bits - 1),
				 over = piece->low < sign ? (sign - piece->low) / piece->step : 0;
			ends[0] = piece->low;
			ends[1] = piece->high;
			ends[2] = piece->high - piece->low >= over * piece->step ? piece->low + over * piece->step : piece->low;
		}
		for (unsigned k = 0; k < (rows ? 1u : 3u); k++) {
			uint64_t value = input_of(leaf, ends[k], root);
			if (!any || is_smaller(value, best, history.nodes[*root].bits))
				best = value;
			any = true;
		}
	}
	assert(any);
	return best;
}

bool vm_history_write(const char *path)
{
	if (vm_relational())
		return vm_relation_history_write(path);
	FILE *out = has_sets() ? fopen(path, "we") : NULL;
	uint64_t *values = calloc(history.kept + 1, sizeof *values);
	if (!out || !values)
		return false;
	for (uint32_t i = 1; i < history.kept; i++)
		history.nodes[history.nodes[i].parent].has_child = true;
	for (uint32_t i = 1, root; i < history.kept; i++)
		if (!history.nodes[i].has_child) {
			uint64_t value = smallest(i, &root);
			values[root] = value;
		}
	for (uint32_t i = 1; i < history.kept; i++)
		if (history.nodes[i].kind == INPUT)
			fprintf(out, "%llu\n", (unsigned long long)values[i]);
	free(values);
	return fclose(out) == 0;
}

bool vm_history_finish(const char *path)
{
	return !vm_relational() || vm_relation_history_finish(path); /* of sets, all that has been written is the smallest */
}

/* ---- a path with given inputs ------------------------------------------------------------------------------------------ */

static VM_OWN struct {
	uint64_t *values;
	uint32_t count, capacity, next;
} given;

void vm_given_read(const char *path)
{
	FILE *in = fopen(path, "re");
	unsigned long long value;
	while (in && fscanf(in, "%llu", &value) == 1) {
		given.values = vm_grow(given.values, &given.capacity, (uint64_t)given.count + 1, sizeof *given.values);
		given.values[given.count++] = value;
	}
	if (in)
		fclose(in);
}

uint64_t vm_given_next(void)
{
	return given.next < given.count ? given.values[given.next++] : 0;
}
