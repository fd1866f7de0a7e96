/* SPDX-License-Identifier: MIT
 *
 * See relations.h.
 *
 * The inputs of a path: the canonical form forgets which input a symbol is.  So a replay keeps a definition for each symbol, a node
 * over the inputs of the path, which have numbers of their own; and all conditions that were added on the path, over these.  At
 * its end, values for which these conditions hold lead along it, and small ones are looked for.
 */
#include "relations.h"
#include "../state/limit.h"
#include "../terms/condition.h"
#include "../terms/instruction.h"
#include "../terms/range.h"
#include "../terms/solve.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static VM_OWN struct vm_form form; /* only conditions, but while it is settled */

static VM_OWN struct {
	struct path {
		uint32_t definitions[NODE_SYMBOLS];
		uint32_t inputs, conditions; /* how many there are */
	} now, kept;
	uint32_t *conditions, capacity;
	uint32_t *inputs, input_capacity; /* the symbol of each */
	uint32_t written_inputs, written_conditions;
} history;

static _Noreturn void give_up(const char *what)
{
	vm_inconclusive(LIMIT_SOLVER, "%s asks too hard a question of the solver (--solver-budget %u)", what,
			vm_this.image.options->conflicts);
}

static struct vm_conditions conditions(void)
{
	return (struct vm_conditions){ form.conditions, form.count };
}

const uint32_t *vm_relation_conditions(uint32_t *count)
{
	*count = form.count;
	return form.conditions;
}

/* Note a condition over the inputs of the path. */
static void note_condition(uint32_t condition)
{
	history.conditions = vm_grow(history.conditions, &history.capacity, (uint64_t)history.now.conditions + 1,
				     sizeof *history.conditions);
	history.conditions[history.now.conditions++] = condition;
}

static void add_condition(uint32_t condition)
{
	vm_form_add(&form, condition);
	if (vm_history_is_on())
		note_condition(vm_node_substitute(condition, history.now.definitions));
}

/* ---- terms ----------------------------------------------------------------------------------------------------------- */

/* An input of `bits` bits is on the path, of which the symbol is the low bits, and the others are 0. */
static void note_input(uint32_t symbol, unsigned bits, unsigned low_bits)
{
	uint32_t input = history.now.inputs++, node = vm_node_symbol(bits, NODE_SYMBOLS + input);
	history.inputs = vm_grow(history.inputs, &history.input_capacity, (uint64_t)input + 1, sizeof *history.inputs);
	history.inputs[input] = node;
	history.now.definitions[symbol] = vm_node_extract(node, 0, low_bits);
	if (low_bits < bits)
		note_condition(vm_node_binary(NODE_ULT, node, vm_node_constant(bits, UINT64_C(1) << low_bits)));
}

/* An input that may have all values of its low bits, and no others, is a symbol of so few bits: it meets no condition, so more can
 * be said of what is made of it. */
uint32_t vm_relation_new(unsigned bits, uint64_t most)
{
	unsigned low_bits = most && (most & (most + 1)) == 0 ? (unsigned)__builtin_popcountll(most) : bits;
	uint32_t number = vm_symbol_add((struct vm_symbol){ .bits = low_bits });
	if (number >= NODE_SYMBOLS)
		vm_inconclusive(LIMIT_VALUES, "more than %u inputs at a time are too many for --inputs symbolic", NODE_SYMBOLS);
	uint32_t node = vm_node_symbol(low_bits, number);
	if (vm_history_is_on())
		note_input(number, bits, low_bits);
	if (most < vm_mask(low_bits))
		add_condition(vm_node_binary(NODE_ULT, node, vm_node_constant(low_bits, most + 1)));
	return vm_term_add((struct vm_term){ .bits = bits, .node = vm_node_extend(node, bits, false) });
}

/* Return whether a sum cannot overflow, as the ranges of its operands say. */
static bool sum_fits(const struct node_instruction *i)
{
	struct node_bounds bounds;
	__int128 end = (__int128)1 << (i->bits - 1);
	if (i->op != IMAGE_ADD && i->op != IMAGE_SUB)
		return false;
	vm_bounds_of(&bounds, form.conditions, form.count);
	struct node_range a = vm_range_of(i->operands[0], &bounds), b = vm_range_of(i->operands[1], &bounds);
	__int128 least = (__int128)a.least + (i->op == IMAGE_ADD ? b.least : -(__int128)b.most),
		 most = (__int128)a.most + (i->op == IMAGE_ADD ? b.most : -(__int128)b.least);
	return least >= -end && most < end;
}

static uint32_t operand_of(const struct vm_operation *operation, unsigned i, char role, const uint32_t *terms)
{
	unsigned width = role == 'q' ? 64 : operation->bits;
	if (!(operation->which >> i & 1))
		return vm_node_constant(width, operation->constants[i]);
	uint32_t node = vm_symbols.terms[terms[i]].node;
	if (vm_node_width(node) != width)
		VM_BUG("an operand of %s has %u bits", image_opcodes[operation->op].name, vm_node_width(node));
	return node;
}

/* Return the one value of a node as a node, if the ranges say that it has but one: who asks for its value makes it so. */
static uint32_t fixed(uint32_t node)
{
	struct node_bounds bounds;
	if (vm_node_is_constant(node) || form.count == 0)
		return node;
	vm_bounds_of(&bounds, form.conditions, form.count);
	struct node_range r = vm_range_of(node, &bounds);
	return r.low == r.high ? vm_node_constant(vm_node_width(node), r.low) : node;
}

struct vm_term vm_relation_apply(const struct vm_operation *operation, const uint32_t *terms)
{
	const char *roles = image_opcodes[operation->op].roles;
	struct node_instruction i = {
		.op = operation->op, .bits = operation->bits, .aux = operation->aux, .width = operation->width
	};
	for (unsigned k = 0; k < 3; k++)
		if (roles[k + 1] == 'x' || roles[k + 1] == 'q')
			i.operands[k] = operand_of(operation, k, roles[k + 1], terms);
	struct vm_term term = { .bits = operation->width };
	if (operation->asked == TERM_FAULTS)
		term.node = sum_fits(&i) ? vm_node_constant(1, 0) : vm_node_fault(&i);
	else
		term.node = operation->asked == TERM_SECOND ? vm_node_flag(&i) : vm_node_result(&i);
	term.node = fixed(term.node);
	assert(vm_node_width(term.node) == term.bits);
	return term;
}

/* ---- questions ------------------------------------------------------------------------------------------------------- */

static bool may_be(uint32_t condition, const char *what)
{
	enum vm_answer answer = vm_solve(conditions(), condition);
	if (answer == ANSWER_UNKNOWN)
		give_up(what);
	return answer == ANSWER_YES;
}

/* Return the condition that a term is none of the cases of a switch. */
static uint32_t no_case(uint32_t node, const struct vm_split *split)
{
	const uint32_t *entry = vm_this.image.pool + split->cases;
	uint32_t none = vm_node_constant(1, 1), width = vm_node_width(node);
	for (uint32_t i = 0; i < split->count; i++, entry += 3) {
		uint32_t is = vm_node_binary(NODE_EQ, node, vm_node_constant(width, image_halves(entry)));
		none = vm_node_binary(NODE_AND, none, vm_node_not(is));
	}
	return none;
}

/* Return the condition that a term has a class of values: it is 0, or it is not; it is less than a number, or not; it is this case
 * of a switch, or none. */
static uint32_t has_class(uint32_t node, const struct vm_split *split, uint32_t class)
{
	unsigned width = vm_node_width(node);
	if (split->question == ASK_TRUTH) {
		uint32_t zero = vm_node_binary(NODE_EQ, node, vm_node_constant(width, 0));
		return class ? vm_node_not(zero) : zero;
	}
	if (split->question == ASK_BELOW) {
		uint32_t below = vm_node_binary(NODE_ULT, node, vm_node_constant(width, split->count));
		return class ? vm_node_not(below) : below;
	}
	assert(split->question == ASK_CASE);
	if (class == split->count)
		return no_case(node, split);
	return vm_node_binary(NODE_EQ, node, vm_node_constant(width, image_halves(vm_this.image.pool + split->cases + 3 * class)));
}

/* Put the classes that a term may have into `classes`.  Return how many there are. */
static uint32_t classes_of(uint32_t node, const struct vm_split *split, uint64_t *classes, const char *what)
{
	uint32_t count = 0, last = split->question == ASK_CASE ? split->count : 1;
	if (split->question == ASK_VALUE) {
		enum vm_answer answer = vm_solve_values(conditions(), node, vm_symbolic_most(), classes, &count);
		if (answer == ANSWER_UNKNOWN)
			give_up(what);
		if (answer == ANSWER_NO)
			vm_symbolic_refuse(what);
		return count;
	}
	for (uint32_t class = 0; class <= last; class ++) {
		bool is_last = class == last && count == 0; /* as there is one (P) */
		if (is_last || may_be(has_class(node, split, class), what))
			classes[count++] = class;
	}
	return count;
}

static uint64_t *room_for_classes(const struct vm_split *split)
{
	return vm_scratch(((uint64_t)(split->question == ASK_VALUE ? vm_symbolic_most() : split->count + 2) + 1) *
			  sizeof(uint64_t));
}

uint64_t vm_relation_need(const struct vm_term *term, struct vm_split *split, const char *what)
{
	uint64_t *classes = room_for_classes(split);
	split->answers = classes_of(term->node, split, classes, what);
	assert(split->answers);
	if (split->answers > 1)
		return 0;
	if (split->question == ASK_VALUE)
		return classes[0];
	bool needless = split->question == ASK_BELOW || (split->question == ASK_TRUTH && classes[0] == 0);
	return needless ? 0 : vm_relation_some(term->node);
}

uint64_t vm_relation_some(uint32_t node)
{
	uint64_t values[NODE_SYMBOLS] = { 0 };
	if (vm_solve_some(conditions(), values) != ANSWER_YES)
		give_up("an operation");
	return vm_node_value(node, values);
}

void vm_relation_restrict(const struct vm_term *term, const struct vm_split *split, uint32_t answer)
{
	uint64_t *classes = room_for_classes(split);
	uint32_t count = classes_of(term->node, split, classes, "a split");
	assert(answer < count);
	(void)count;
	if (split->question == ASK_VALUE)
		add_condition(vm_node_binary(NODE_EQ, term->node, vm_node_constant(vm_node_width(term->node), classes[answer])));
	else
		add_condition(has_class(term->node, split, (uint32_t)classes[answer]));
}

/* ---- the state ------------------------------------------------------------------------------------------------------- */

bool vm_relation_settle(const uint32_t *order, uint32_t count, uint32_t kept)
{
	bool again = false;
	form.roots = vm_scratch((count + 1) * sizeof *form.roots);
	form.root_count = count;
	form.kept = kept;
	form.definitions = vm_history_is_on() ? history.now.definitions : NULL;
	for (uint32_t i = 0; i < count; i++)
		form.roots[i] = vm_symbols.terms[order[i + 1]].node;
	vm_form_settle(&form);
	for (uint32_t i = 0; i < count; i++) {
		vm_symbols.terms[order[i + 1]].node = form.roots[i];
		again |= vm_node_is_constant(form.roots[i]);
		for (uint32_t k = 0; k < i; k++)
			again |= form.roots[k] == form.roots[i];
	}
	form.root_count = 0;
	uint32_t least = again ? 1 : 0; /* whoever settles symbols looks whether there are any */
	while (vm_symbols.symbol_count < form.symbols || vm_symbols.symbol_count < least)
		vm_symbol_add((struct vm_symbol){ 0 });
	return again;
}

void vm_relation_begin(void)
{
	form.count = form.root_count = 0;
}

/* nodes in the order in which they are written, operands first: from 1 on */
static VM_OWN struct {
	uint32_t *items;
	uint32_t count, capacity;
} written;

static uint32_t position_of(uint32_t node)
{
	for (uint32_t i = written.count; i > 0; i--)
		if (written.items[i - 1] == node)
			return i;
	return 0;
}

static uint32_t write_node(uint32_t number, void (*write)(uint32_t word))
{
	uint32_t at = number ? position_of(number) : 0;
	if (number == 0 || at)
		return at;
	const struct node n = *vm_node(number);
	uint32_t a = write_node(n.a, write), b = write_node(n.b, write), c = write_node(n.c, write);
	write((uint32_t)n.op << 16 | (uint32_t)n.width << 8 | n.low);
	write(a);
	write(b);
	write(c);
	write((uint32_t)n.value);
	write((uint32_t)(n.value >> 32));
	written.items = vm_grow(written.items, &written.capacity, (uint64_t)written.count + 1, sizeof *written.items);
	written.items[written.count++] = number;
	return written.count;
}

void vm_relation_write(void (*write)(uint32_t word))
{
	written.count = 0;
	for (uint32_t t = 1; t < vm_symbols.term_count; t++)
		write_node(vm_symbols.terms[t].node, write);
	for (uint32_t i = 0; i < form.count; i++)
		write_node(form.conditions[i], write);
	write(0); /* no node */
	for (uint32_t t = 1; t < vm_symbols.term_count; t++)
		write(position_of(vm_symbols.terms[t].node));
	write(form.count);
	for (uint32_t i = 0; i < form.count; i++)
		write(position_of(form.conditions[i]));
}

void vm_relation_read(uint32_t (*read)(void), uint32_t terms)
{
	uint32_t head;
	written.count = 0;
	while ((head = read()) != 0) {
		uint32_t operands[3];
		for (unsigned i = 0; i < 3; i++) {
			uint32_t at = read();
			assert(at <= written.count);
			operands[i] = at ? written.items[at - 1] : 0;
		}
		uint64_t value = read();
		value |= (uint64_t)read() << 32;
		written.items = vm_grow(written.items, &written.capacity, (uint64_t)written.count + 1, sizeof *written.items);
		written.items[written.count++] = vm_node_make(head >> 16, head >> 8 & 0xff, head & 0xff, value, operands[0],
							      operands[1], operands[2]);
	}
	for (uint32_t t = 1; t < terms; t++) {
		uint32_t node = written.items[read() - 1];
		vm_term_add((struct vm_term){ .bits = vm_node_width(node), .node = node });
	}
	for (uint32_t count = read(); count; count--)
		vm_form_add(&form, written.items[read() - 1]);
}

/* ---- the inputs of a path -------------------------------------------------------------------------------------------- */

void vm_relation_history_begin(bool on)
{
	vm_solve_patiently(on);
	memset(&history.now, 0, sizeof history.now);
	history.kept = history.now;
	history.written_conditions = history.written_inputs = UINT32_MAX;
}

void vm_relation_history_keep(void)
{
	history.kept = history.now;
}

void vm_relation_history_load(void)
{
	history.now = history.kept;
}

/* Add a condition to those of the path if it can hold with them. */
static bool narrow(uint32_t condition)
{
	struct vm_conditions all = { history.conditions, history.kept.conditions };
	if (vm_solve(all, condition) != ANSWER_YES)
		return false;
	history.conditions = vm_grow(history.conditions, &history.capacity, (uint64_t)history.kept.conditions + 1,
				     sizeof *history.conditions);
	history.conditions[history.kept.conditions++] = condition;
	return true;
}

/* Add that an input is at most so far from 0, if it can be. */
static bool keep_within(uint32_t input, uint64_t distance)
{
	unsigned bits = vm_node_width(input);
	uint32_t high = vm_node_binary(NODE_SLT, input, vm_node_constant(bits, distance + 1));
	uint32_t below = vm_node_binary(NODE_SLT, input, vm_node_constant(bits, -distance));
	return narrow(vm_node_binary(NODE_AND, high, vm_node_not(below)));
}

/* Let an input be as small as the conditions allow, of either sign: 0, or the least distance from 0.  Small ones are tried first,
 * where it is easy to show that there is none, then bisection.  Return whether it is the smallest. */
static bool make_small(uint32_t input)
{
	enum { DIGIT = 4 };
	unsigned bits = vm_node_width(input);
	uint64_t low = 1, high = vm_mask(bits - (bits > 1)), most = high; /* the distance is from `low` on, and `high` does */
	if (narrow(vm_node_binary(NODE_EQ, input, vm_node_constant(bits, 0))) || bits == 1)
		return !vm_solve_is_spent();
	for (unsigned digits = DIGIT; digits < bits - 1 && high == most; digits += DIGIT)
		if (keep_within(input, vm_mask(digits)))
			high = vm_mask(digits);
		else
			low = vm_mask(digits) + 1;
	while (low < high && !vm_solve_is_spent()) {
		uint64_t middle = low + (high - low) / 2;
		if (keep_within(input, middle))
			high = middle;
		else
			low = middle + 1;
	}
	if (!narrow(vm_node_binary(NODE_EQ, input, vm_node_constant(bits, low))))
		narrow(vm_node_binary(NODE_EQ, input, vm_node_constant(bits, -low)));
	return !vm_solve_is_spent();
}

/* Write values for which all conditions hold, and where they are not the smallest, a line that says so. */
static bool write_values(const char *path, bool smallest)
{
	FILE *out = fopen(path, "we");
	uint64_t *values = calloc(vm_node_symbol_limit() + NODE_SYMBOLS + 1, sizeof *values);
	if (!out || !values)
		return false;
	struct vm_conditions all = { history.conditions, history.kept.conditions };
	if (vm_solve_some(all, values) == ANSWER_NO)
		VM_BUG("no inputs lead along a path");
	for (uint32_t i = 0; i < history.kept.inputs; i++)
		fprintf(out, "%llu\n", (unsigned long long)values[NODE_SYMBOLS + i]);
	if (!smallest)
		fputs("not the smallest\n", out);
	free(values);
	return fclose(out) == 0;
}

bool vm_relation_history_write(const char *path)
{
	if (history.written_conditions == history.kept.conditions && history.written_inputs == history.kept.inputs)
		return true; /* the path is longer, and asks for nothing else */
	history.written_conditions = history.kept.conditions;
	history.written_inputs = history.kept.inputs;
	return vm_history_is_on() && write_values(path, true);
}

/* To look for small values may take a fifth of what one question may.  In any case these values lead along the path. */
bool vm_relation_history_finish(const char *path)
{
	enum { MOST_SMALL = 64, SHARE = 5 };
	bool smallest = true;
	if (!vm_history_is_on() || !history.kept.conditions)
		return true;
	vm_solve_within(vm_this.image.options->conflicts / SHARE);
	for (uint32_t i = 0; i < history.kept.inputs && i < MOST_SMALL && smallest; i++)
		smallest = make_small(history.inputs[i]);
	vm_solve_within(UINT64_MAX);
	return write_values(path, smallest && history.kept.inputs <= MOST_SMALL);
}
