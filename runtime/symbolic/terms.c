/* SPDX-License-Identifier: MIT
 *
 * Symbols and terms, and what instructions make of terms.  A term over few values is a column, on which each operation works row by
 * row.  One over many is a chain of operations on one value; two terms meet only if one of them is the other's value, or has few
 * values, which are told apart first.
 */
#include "relations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

VM_OWN struct vm_symbols vm_symbols;
static VM_OWN vm_symbolic_computer *compute;

void vm_symbolic_open(vm_symbolic_computer *computer)
{
	compute = computer;
}

uint32_t vm_symbol_add(struct vm_symbol symbol)
{
	struct vm_symbols *s = &vm_symbols;
	s->symbols = vm_grow(s->symbols, &s->symbol_capacity, (uint64_t)s->symbol_count + 1, sizeof *s->symbols);
	s->symbols[s->symbol_count] = symbol;
	return s->symbol_count++;
}

uint32_t vm_term_add(struct vm_term term)
{
	struct vm_symbols *s = &vm_symbols;
	assert(term.symbol < s->symbol_count && term.bits && term.bits <= 64);
	if (s->term_count == 0)
		s->term_count = 1;
	s->terms = vm_grow(s->terms, &s->term_capacity, (uint64_t)s->term_count + 1, sizeof *s->terms);
	s->terms[s->term_count] = term;
	return s->term_count++;
}

uint32_t vm_symbolic_new(unsigned bits, uint64_t low, uint64_t high)
{
	assert(bits && bits <= 64 && low <= high && high <= vm_mask(bits));
	struct vm_piece *piece = vm_scratch(sizeof *piece);
	*piece = (struct vm_piece){ low, high, 1 };
	if (vm_relational()) {
		assert(low == 0);
		return vm_relation_new(bits, high);
	}
	uint32_t symbol = vm_symbol_add((struct vm_symbol){ .count = 1, .bits = bits, .pieces = piece });
	vm_history_input(&vm_symbols.symbols[symbol]);
	return vm_term_add((struct vm_term){ .symbol = symbol, .bits = bits });
}

/* ---- operations ---------------------------------------------------------------------------------------------------- */

bool vm_operation_overflows(unsigned op, unsigned bits, uint64_t a, uint64_t b)
{
	__int128 x = vm_signed(a, bits), y = vm_signed(b, bits), sum = op == IMAGE_ADD ? x + y : op == IMAGE_SUB ? x - y : x * y;
	return sum != (__int128)vm_signed((uint64_t)sum & vm_mask(bits), bits);
}

static bool shift_overflows(unsigned bits, uint64_t a, uint64_t count)
{
	return count < bits && vm_signed(a << count & vm_mask(bits), bits) >> count != vm_signed(a, bits);
}

static bool faults(const struct vm_operation *operation, const uint64_t *operands)
{
	uint64_t a = operands[0], b = operands[1];
	unsigned bits = operation->bits;
	int64_t delta;
	switch (operation->op) {
	case IMAGE_UDIV:
	case IMAGE_UREM: return b == 0;
	case IMAGE_SDIV:
	case IMAGE_SREM: return b == 0 || (b == vm_mask(bits) && a == (uint64_t)1 << (bits - 1));
	case IMAGE_SHL:
		return (b >= bits && !vm_this.image.options->optimised) ||
			((operation->aux & IMAGE_NSW) && shift_overflows(bits, a, b));
	case IMAGE_LSHR:
	case IMAGE_ASHR: return b >= bits;
	case IMAGE_ADD:
	case IMAGE_SUB:
	case IMAGE_MUL: return vm_operation_overflows(operation->op, bits, a, b);
	case IMAGE_ABS: return a == (uint64_t)1 << (bits - 1);
	case IMAGE_BOOL: return a > 1;
	case IMAGE_FPTOSI:
	case IMAGE_FPTOUI: return !vm_real_fits(operation, a);
	case IMAGE_INDEX:
		return __builtin_mul_overflow((int64_t)b, (int64_t)operands[2], &delta) || delta >= (int64_t)IMAGE_MAX_SIZE ||
			delta < -(int64_t)IMAGE_MAX_SIZE;
	default: return false;
	}
}

/* Is overflow of this instruction a fault here? */
static bool may_overflow(const struct image_insn *insn)
{
	return vm_this.image.options->overflow && (insn->aux & IMAGE_NSW) && !vm_this.in_library;
}

/* May an instruction be a fault for some values of its operands?  (See arith.c.) */
static bool may_fault(const struct image_insn *insn)
{
	const struct image_options *options = vm_this.image.options;
	bool overflow = may_overflow(insn);
	switch ((enum image_opcode)insn->op) {
	case IMAGE_UDIV:
	case IMAGE_UREM:
	case IMAGE_SDIV:
	case IMAGE_SREM:
	case IMAGE_BOOL: return true;
	case IMAGE_FPTOSI:
	case IMAGE_FPTOUI: return insn->b == 1 && !options->optimised && !vm_this.in_library;
	case IMAGE_SHL: return overflow || !options->optimised;
	case IMAGE_LSHR:
	case IMAGE_ASHR:
	case IMAGE_INDEX: return !options->optimised;
	case IMAGE_ADD:
	case IMAGE_SUB:
	case IMAGE_MUL:
	case IMAGE_ABS: return overflow;
	default: return false;
	}
}

static void fill(const struct vm_operation *operation, uint64_t value, uint64_t *operands)
{
	for (unsigned i = 0; i < 3; i++)
		operands[i] = operation->which >> i & 1 ? value : operation->constants[i];
}

static uint64_t carry_out(const struct vm_operation *operation, const uint64_t *operands)
{
	if (operation->asked == TERM_FAULTS)
		return faults(operation, operands);
	uint64_t registers[4] = { 0 };
	const char *roles = image_opcodes[operation->op].roles;
	uint32_t fields[3];
	for (uint32_t i = 0; i < 3; i++)
		fields[i] = roles[i + 1] == 'x' || roles[i + 1] == 'q' ? IMAGE_CONST | i : operation->immediates[i];
	struct image_insn insn = {
		.op = operation->op, .bits = operation->bits, .aux = operation->aux, .a = fields[0], .b = fields[1], .c = fields[2]
	};
	compute(&insn, registers, operands, false);
	return registers[operation->asked == TERM_SECOND ? 1 : 0];
}

uint64_t vm_operation_value(const struct vm_operation *operation, uint64_t value)
{
	uint64_t operands[3];
	fill(operation, value, operands);
	return carry_out(operation, operands);
}

uint64_t vm_term_value(const struct vm_term *term, uint64_t value)
{
	assert(!term->column);
	for (uint32_t i = 0; i < term->count; i++)
		value = vm_operation_value(&term->operations[i], value);
	return value;
}

uint64_t vm_symbolic_some(uint32_t number)
{
	const struct vm_term *term = &vm_symbols.terms[number];
	if (vm_relational())
		return vm_relation_some(term->node);
	return term->column ? term->column[0] : vm_term_value(term, vm_symbols.symbols[term->symbol].pieces[0].low);
}

bool vm_term_is_constant(uint32_t number, uint64_t *value)
{
	const struct vm_term *term = &vm_symbols.terms[number];
	const struct vm_symbol *symbol = &vm_symbols.symbols[term->symbol];
	assert(number && number < vm_symbols.term_count);
	if (vm_relational()) {
		*value = vm_node(term->node)->value;
		return vm_node_is_constant(term->node);
	}
	if (term->column) {
		*value = term->column[0];
		for (uint32_t i = 1; i < symbol->rows; i++)
			if (term->column[i] != *value)
				return false;
		return true;
	}
	for (uint32_t i = 0; i < symbol->count; i++) {
		bool exact;
		uint64_t modulus;
		struct vm_piece range = vm_term_range(term, symbol->pieces[i], &exact, &modulus);
		if (range.low != range.high || (i && range.low != *value))
			return false;
		*value = range.low;
	}
	return true;
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

/* an operand, where it is in registers */
struct operand {
	bool used, is_term;
	uint32_t at;
	uint64_t value;
};

static unsigned width_of_result(const struct image_insn *insn)
{
	switch (image_opcodes[insn->op].roles[0]) {
	case 'D': return insn->aux;
	case '1': return insn->op == IMAGE_INDEX ? 64 : 1;
	default: return insn->bits;
	}
}

static bool is_floating(const struct image_insn *insn)
{
	return insn->op == IMAGE_FCMP || (insn->op >= IMAGE_FPTOUI && insn->op <= IMAGE_FMA);
}

/* Return how many values a term may have, as far as that is known. */
static uint64_t values_of(uint32_t term)
{
	const struct vm_symbol *symbol = &vm_symbols.symbols[vm_symbols.terms[term].symbol];
	uint64_t all = symbol->rows ? symbol->rows : vm_pieces_size(symbol->pieces, symbol->count, UINT64_MAX - 1);
	unsigned bits = vm_symbols.terms[term].bits;
	return bits < 32 && all > (uint64_t)1 << bits ? (uint64_t)1 << bits : all;
}

static bool is_same(const struct vm_term *a, const struct vm_term *b)
{
	if (vm_relational())
		return a->node == b->node;
	return a->symbol == b->symbol && a->bits == b->bits && !a->column && !b->column && a->count == b->count &&
		(a->count == 0 || memcmp(a->operations, b->operations, a->count * sizeof *a->operations) == 0);
}

/* Return the term that an operation makes of others: of terms[i] where bit i of `which` is set. */
static struct vm_term apply(const struct vm_operation *operation, const uint32_t *terms)
{
	if (vm_relational())
		return vm_relation_apply(operation, terms);
	unsigned first = (unsigned)__builtin_ctz(operation->which);
	const struct vm_term *from = &vm_symbols.terms[terms[first]];
	const struct vm_symbol *symbol = &vm_symbols.symbols[from->symbol];
	struct vm_term result = { .symbol = from->symbol, .bits = operation->width };
	if (from->column) {
		uint64_t *column = vm_scratch(symbol->rows * sizeof *column), operands[3];
		for (uint32_t row = 0; row < symbol->rows; row++) {
			for (unsigned i = 0; i < 3; i++)
				operands[i] = operation->which >> i & 1 ? vm_symbols.terms[terms[i]].column[row] :
									  operation->constants[i];
			column[row] = carry_out(operation, operands);
		}
		result.column = column;
		return result;
	}
	if (from->count >= CHAIN_MOST)
		vm_symbolic_refuse("what is computed from an input, time and again,");
	struct vm_operation *all = vm_scratch((from->count + 1) * sizeof *all);
	if (from->count)
		memcpy(all, from->operations, from->count * sizeof *all);
	all[from->count] = *operation;
	result.operations = all;
	result.count = from->count + 1;
	struct vm_operation *before = from->count ? &all[from->count - 1] : NULL;
	bool add = operation->op == IMAGE_ADD && operation->asked == 0 && operation->which == 1;
	if (add && before && before->op == IMAGE_ADD && before->asked == 0 && before->which == 1 &&
	    before->bits == operation->bits) {
		before->constants[1] = (before->constants[1] + operation->constants[1]) & vm_mask(operation->bits);
		result.count -= before->constants[1] ? 1 : 2;
	}
	return result;
}

/* Put the term, or its only value, into a register. */
static void put(struct vm_term term, uint64_t *value, uint64_t *shadow)
{
	uint64_t only;
	uint32_t number = vm_term_add(term);
	bool constant = vm_term_is_constant(number, &only);
	*value = constant ? only : number;
	*shadow = constant ? 0 : UINT64_MAX;
}

const uint64_t *vm_symbolic_rows(uint32_t number, uint32_t *count)
{
	const struct vm_term *term = &vm_symbols.terms[number];
	*count = term->column ? vm_symbols.symbols[term->symbol].rows : 0;
	return term->column;
}

struct vm_bits64 vm_symbolic_mapped(uint32_t number, const uint64_t *values, unsigned bits)
{
	uint32_t symbol = vm_symbols.terms[number].symbol, rows = vm_symbols.symbols[symbol].rows;
	uint64_t *column = vm_scratch(rows * sizeof *column);
	struct vm_bits64 result;
	put((struct vm_term){ .symbol = symbol, .bits = bits, .column = memcpy(column, values, rows * sizeof *column) },
	    &result.value, &result.shadow);
	return result;
}

/* Let the operand be a number, which is asked for. */
static void settle_operand(struct operand *operand, uint64_t *registers, uint64_t *shadows, const char *what)
{
	if (!operand->is_term)
		return;
	operand->value = registers[operand->at] = vm_symbolic_need((uint32_t)registers[operand->at], ASK_VALUE, 0, 0, what);
	shadows[operand->at] = 0;
	operand->is_term = false;
}

/* Each of so many values of an input is about to be tried, as it meets another.  Give up where these are too many in all: then
 * terms of --inputs symbolic tell more with less work. */
static void note_tried(uint64_t values, const char *what)
{
	static VM_OWN uint64_t tried;
	uint32_t most = vm_this.image.options->max_related;
	if (most == 0 || values > vm_symbolic_most())
		return;
	tried += values;
	if (tried > most)
		vm_inconclusive(LIMIT_RELATED, "%s: more than %u values would be tried", what, (unsigned)most);
}

/* Let all terms among the operands be of one symbol; of a chain, let them be one term. */
static void agree(struct operand *operands, uint64_t *registers, uint64_t *shadows)
{
	for (unsigned i = 0; i < 3 && !vm_relational(); i++)
		for (unsigned k = i + 1; k < 3; k++) {
			struct operand *a = &operands[i], *b = &operands[k];
			if (!a->is_term || !b->is_term || a->value == b->value)
				continue;
			const struct vm_term *x = &vm_symbols.terms[a->value], *y = &vm_symbols.terms[b->value];
			if ((x->symbol == y->symbol && x->column) || is_same(x, y))
				continue;
			const char *what = x->symbol == y->symbol ? "an operation on an input and what is computed from it" :
								    "an operation on two inputs";
			struct operand *fewer = values_of((uint32_t)a->value) < values_of((uint32_t)b->value) ? a : b;
			note_tried(values_of((uint32_t)fewer->value), what);
			settle_operand(fewer, registers, shadows, what);
		}
}

static bool take_operands(const struct image_insn *insn, struct operand *operands, uint64_t *registers, uint64_t *shadows,
			  const uint64_t *constants, bool numbers)
{
	const uint32_t fields[] = { insn->a, insn->b, insn->c };
	bool any = false;
	for (unsigned i = 0; i < 3; i++) {
		char role = image_opcodes[insn->op].roles[i + 1];
		struct operand *o = &operands[i];
		*o = (struct operand){ .used = role == 'x' || role == 'q', .at = fields[i] };
		if (!o->used)
			continue;
		bool constant = o->at & IMAGE_CONST;
		o->value = constant ? constants[o->at & ~IMAGE_CONST] : registers[o->at];
		o->is_term = !constant && vm_is_term(o->value, shadows[o->at]);
		uint64_t only;
		if (o->is_term && vm_term_is_constant((uint32_t)o->value, &only)) {
			registers[o->at] = o->value = only;
			shadows[o->at] = 0;
			o->is_term = false;
		}
		if (numbers && o->is_term)
			settle_operand(o, registers, shadows, "an operation that is done on numbers only");
		bool two = numbers && !constant && role == 'x' && insn->bits > 64;
		if (two && vm_is_term(registers[o->at + 1], shadows[o->at + 1])) {
			struct operand high = { .is_term = true, .at = o->at + 1 };
			settle_operand(&high, registers, shadows, "an operation on more than 64 bits");
		}
		any |= o->is_term;
	}
	return any;
}

/* See to it that the instruction is a fault for all values of its operands, or for none.  If for all, carry it out for one. */
static void look_for_faults(const struct image_insn *insn, struct vm_operation operation, const uint32_t *terms,
			    const struct operand *operands, uint64_t *registers, const uint64_t *constants)
{
	uint64_t value, shadow;
	operation.asked = TERM_FAULTS;
	operation.width = 1;
	if (!may_fault(insn))
		return;
	if (!is_floating(insn)) /* whoever looks at the term later is not where the thread is */
		operation.aux = may_overflow(insn) ? IMAGE_NSW : 0;
	put(apply(&operation, terms), &value, &shadow);
	if (shadow)
		value = vm_symbolic_need((uint32_t)value, ASK_TRUTH, 0, 0, "whether an operation is defined");
	if (!value)
		return;
	uint64_t saved[3];
	for (unsigned i = 0; i < 3; i++)
		saved[i] = operands[i].is_term ? vm_symbolic_some(terms[i]) : 0;
	for (unsigned i = 0; i < 3; i++)
		if (operands[i].is_term)
			registers[operands[i].at] = saved[i];
	compute(insn, registers, constants, true);
	vm_symbolic_refuse("an operation that is a fault");
}

/* Carry out an instruction whose two operands are one term, if its result is the same for all values, or is that term.  For what
 * is compared with itself, no set has to be split. */
static bool compute_of_one(const struct image_insn *insn, const struct operand *operands, uint64_t *registers, uint64_t *shadows)
{
	const struct operand *a = &operands[0], *b = &operands[1];
	if (!a->is_term || !b->is_term || operands[2].used)
		return false;
	if (a->value != b->value && !is_same(&vm_symbols.terms[a->value], &vm_symbols.terms[b->value]))
		return false;
	uint64_t value = 0, shadow = 0;
	switch ((enum image_opcode)insn->op) {
	case IMAGE_SUB:
	case IMAGE_XOR: break;
	case IMAGE_AND:
	case IMAGE_OR:
		value = a->value;
		shadow = UINT64_MAX;
		break;
	case IMAGE_ICMP:
		value = insn->aux == ICMP_EQ || insn->aux == ICMP_UGE || insn->aux == ICMP_ULE || insn->aux == ICMP_SGE ||
			insn->aux == ICMP_SLE;
		break;
	default: return false;
	}
	registers[insn->dst] = value;
	shadows[insn->dst] = shadow;
	return true;
}

/* Ask how all numbers of a term are related to one, if some are so and others are not. */
static void ask_relation(uint32_t term, const struct image_insn *insn, unsigned relation, uint64_t number)
{
	struct vm_operation operation;
	uint64_t value, shadow;
	memset(&operation, 0, sizeof operation); /* it is compared as bytes */
	operation.op = IMAGE_FCMP;
	operation.bits = insn->bits;
	operation.aux = (uint8_t)relation;
	operation.width = operation.which = 1;
	operation.constants[1] = number;
	put(apply(&operation, (const uint32_t[3]){ term }), &value, &shadow);
	if (shadow)
		vm_symbolic_need((uint32_t)value, ASK_TRUTH, 0, 0, "a comparison of two inputs");
}

/* Compare two terms, if all numbers of one are related to all of the other in a way that answers it.  If these are two inputs with
 * many numbers, let each first have only NaNs, or only what is above, below or among all numbers of the other. */
static bool compare_reals(const struct image_insn *insn, const struct operand *operands, uint64_t *registers, uint64_t *shadows)
{
	const struct operand *sides = operands;
	struct vm_reals all[2];
	if (insn->op != IMAGE_FCMP || !sides[0].is_term || !sides[1].is_term)
		return false;
	const struct vm_term *a = &vm_symbols.terms[sides[0].value], *b = &vm_symbols.terms[sides[1].value];
	uint32_t symbols[2] = { a->symbol, b->symbol };
	if ((a->symbol == b->symbol && a->column) || !vm_term_reals(a, &all[0]) || !vm_term_reals(b, &all[1]))
		return false;
	unsigned may = vm_reals_relations(&all[0], &all[1]);
	if (may & insn->aux && may & ~insn->aux) {
		bool many = symbols[0] != symbols[1];
		for (unsigned i = 0; i < 2; i++)
			many = many && values_of((uint32_t)sides[i].value) > vm_symbolic_most();
		for (unsigned i = 0; i < 2 && many; i++) {
			uint32_t term = (uint32_t)sides[i].value;
			ask_relation(term, insn, REAL_UNORDERED, 0);
			ask_relation(term, insn, REAL_LESS, all[1 - i].least);
			ask_relation(term, insn, REAL_GREATER, all[1 - i].greatest);
		}
		return false;
	}
	registers[insn->dst] = (may & insn->aux) != 0;
	shadows[insn->dst] = 0;
	return true;
}

/* An input is not compared with the address of an object that a thread has created.  malloc() gives no object an address that
 * an old value has, so which one it gives would depend on the input. */
static void refuse_addresses(const struct image_insn *insn, const struct operand *operands)
{
	bool compares = insn->op == IMAGE_ICMP || insn->op == IMAGE_SUB || insn->op == IMAGE_XOR;
	for (unsigned i = 0; compares && insn->bits == 64 && i < 2; i++) {
		const struct operand *term = &operands[i], *other = &operands[1 - i];
		if (!term->is_term || other->is_term || (other->at & IMAGE_CONST) || !image_names_dynamic(other->value))
			continue;
		if (!image_names_dynamic(vm_symbolic_some((uint32_t)term->value)))
			vm_symbolic_refuse("a comparison with an address");
	}
}

bool vm_symbolic_compute(const struct image_insn *insn, uint64_t *registers, uint64_t *shadows, const uint64_t *constants)
{
	struct operand operands[3];
	unsigned width = width_of_result(insn);
	bool moves = insn->op == IMAGE_MOV || insn->op == IMAGE_FREEZE || insn->op == IMAGE_SELECT;
	bool known = !is_floating(insn) || (!vm_relational() && vm_real_is_known(insn));
	bool numbers = !moves && (insn->bits > 64 || width > 64 || !known);
	if (!take_operands(insn, operands, registers, shadows, constants, numbers))
		return false;
	unsigned from = 0;
	if (insn->op == IMAGE_SELECT) {
		if (operands[0].is_term)
			operands[0].value = vm_symbolic_need((uint32_t)operands[0].value, ASK_TRUTH, 0, 0, "a condition");
		else if (!(insn->a & IMAGE_CONST) && shadows[insn->a])
			vm_symbolic_refuse("a choice between inputs by an uninitialized value");
		from = operands[0].value & 1 ? 1 : 2;
	}
	if (moves) {
		for (unsigned i = 0; i < (insn->bits > 64 ? 2u : 1u); i++) {
			uint32_t at = operands[from].at;
			bool constant = at & IMAGE_CONST;
			registers[insn->dst + i] = constant ? constants[(at & ~IMAGE_CONST) + i] : registers[at + i];
			shadows[insn->dst + i] = constant ? 0 : shadows[at + i];
		}
		return true;
	}
	if (compute_of_one(insn, operands, registers, shadows))
		return true;
	refuse_addresses(insn, operands);
	if (!vm_relational() && compare_reals(insn, operands, registers, shadows))
		return true;
	agree(operands, registers, shadows);
	struct vm_operation operation;
	memset(&operation, 0, sizeof operation); /* it is compared as bytes */
	operation.op = insn->op;
	operation.bits = insn->bits;
	operation.aux = insn->aux;
	operation.width = width;
	const uint32_t fields[] = { insn->a, insn->b, insn->c };
	uint32_t terms[3] = { 0 };
	for (unsigned i = 0; i < 3; i++) {
		if (operands[i].is_term) {
			operation.which |= 1u << i;
			terms[i] = (uint32_t)operands[i].value;
		} else if (operands[i].used) {
			operation.constants[i] = operands[i].value;
			if (!(fields[i] & IMAGE_CONST) && shadows[fields[i]])
				vm_symbolic_refuse("an operation on an input and an uninitialized value");
		} else {
			operation.immediates[i] = fields[i];
		}
	}
	look_for_faults(insn, operation, terms, operands, registers, constants);
	struct vm_bits64 results[2];
	bool two = image_opcodes[insn->op].roles[0] == 'f';
	put(apply(&operation, terms), &results[0].value, &results[0].shadow);
	operation.asked = TERM_SECOND;
	operation.width = 1;
	if (two)
		put(apply(&operation, terms), &results[1].value, &results[1].shadow);
	for (unsigned i = 0; i < (two ? 2u : 1u); i++) {
		registers[insn->dst + i] = results[i].value;
		shadows[insn->dst + i] = results[i].shadow;
	}
	return true;
}

struct vm_bits64 vm_symbolic_binary(enum image_opcode op, unsigned bits, unsigned aux, struct vm_bits64 a, struct vm_bits64 b)
{
	uint64_t registers[3] = { a.value, b.value }, shadows[3] = { a.shadow, b.shadow };
	struct image_insn insn = { .op = (uint8_t)op, .bits = (uint8_t)bits, .aux = (uint8_t)aux, .dst = 2, .a = 0, .b = 1 };
	if (!vm_symbolic_compute(&insn, registers, shadows, NULL))
		compute(&insn, registers, NULL, false);
	return (struct vm_bits64){ registers[2], shadows[2] };
}
