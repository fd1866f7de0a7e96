/* SPDX-License-Identifier: MIT
 *
 * Inline assembly for x86-64: the instructions that C programs use it for, moves, read-modify-writes with and without a lock
 * prefix, fences, bits, shifts, set-on-equal, registers of the thread, sums and products of several words, strings.  All else is
 * refused with its text where it stands.
 *
 * The text is read one instruction at a time.  An operand ($0, $1...) is a cell: a register of the VM, or memory at an address
 * that the call passes (assembly.h).  Of the flags only Z is known, as a register that is 1 when the last result was zero, and C
 * after the test of a bit, or a sum or difference in a text that adds carries.
 */
#include "assembly.h"
#include "instructions.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

enum { MOST_OPERANDS = 3 };

/* ---- the text ------------------------------------------------------------------------------------------------------- */

static int hex(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Return the next string in quotes from *at on, with LLVM's escapes undone, and move *at behind it; NULL if there is none.  The
 * caller frees the string. */
static char *quoted(const char **at)
{
	const char *p = strchr(*at, '"'), *end = p ? strchr(p + 1, '"') : NULL;
	if (!end)
		return NULL;
	char *text = xrealloc(NULL, (size_t)(end - p)), *out = text;
	for (p++; p < end; p++) {
		if (p[0] == '\\' && p + 2 < end && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2])) {
			*out++ = (char)(hex(p[1]) * 16 + hex(p[2]));
			p += 2;
		} else {
			*out++ = *p;
		}
	}
	*out = '\0';
	*at = end + 1;
	return text;
}

static char *trim(char *text)
{
	text += strspn(text, " \t");
	size_t n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* ---- flags ---------------------------------------------------------------------------------------------------------- */

/* Return the register with the Z flag, which is about to be set; the C flag is not known then. */
static uint32_t zero_flag(struct assembly *a)
{
	if (a->zero == NONE)
		a->zero = new_register(a->e, 1);
	a->carry = NONE;
	return a->zero;
}

static void set_zero(struct assembly *a, unsigned bits, uint32_t result)
{
	emit(a->e, IMAGE_ICMP, bits, ICMP_EQ, zero_flag(a), result, number(a->e, 0), NONE);
}

/* ---- instructions --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum image_opcode op;
	enum image_rmw rmw;
} binary[] = {
	{ "add", IMAGE_ADD, RMW_ADD }, { "sub", IMAGE_SUB, RMW_SUB }, { "and", IMAGE_AND, RMW_AND },
	{ "or", IMAGE_OR, RMW_OR },    { "xor", IMAGE_XOR, RMW_XOR },
};

/* Emit target = target op value, and put the register with the new value into *result; NONE if there is none. */
static bool change(struct assembly *a, enum image_opcode op, enum image_rmw rmw, unsigned bits, const struct cell *target,
		   uint32_t value, uint32_t *result)
{
	uint32_t old;
	*result = NONE;
	if (target->kind == CELL_STACK) { /* lock; addl $0, (%rsp) */
		emit_machine_fence(a->e, IMAGE_ACQUIRES | IMAGE_RELEASES);
		return true;
	}
	*result = new_register(a->e, 1);
	if (target->kind == CELL_MEMORY && a->lock) {
		old = new_register(a->e, 1);
		emit(a->e, IMAGE_RMW, bits, IMAGE_ATOMIC, old, target->at, value, rmw);
	} else {
		old = get(a, target, bits);
	}
	emit(a->e, op, bits, 0, *result, old, value, NONE);
	return (target->kind == CELL_MEMORY && a->lock) || put(a, target, bits, *result);
}

/* Do what change() does, and set the flags by the result. */
static bool combine(struct assembly *a, enum image_opcode op, enum image_rmw rmw, unsigned bits, const struct cell *target,
		    uint32_t value)
{
	uint32_t result;
	bool done = change(a, op, rmw, bits, target, value, &result);
	if (result != NONE)
		set_zero(a, bits, result);
	return done;
}

static uint32_t is_less(struct assembly *a, unsigned bits, uint32_t x, uint32_t y)
{
	uint32_t less = new_register(a->e, 1);
	emit(a->e, IMAGE_ICMP, bits, ICMP_ULT, less, x, y, NONE);
	return less;
}

/* Emit add, adc, sub or sbb, and the carry. */
static bool carry_on(struct assembly *a, bool subtract, bool with, unsigned bits, const struct cell *target, uint32_t value)
{
	if (a->lock || target->kind == CELL_STACK || (with && a->carry == NONE))
		return false;
	enum image_opcode op = subtract ? IMAGE_SUB : IMAGE_ADD;
	uint32_t old = get(a, target, bits), result = emit_binary(a->e, op, bits, old, value);
	uint32_t carry = subtract ? is_less(a, bits, old, value) : is_less(a, bits, result, old);
	if (with) {
		uint32_t first = result;
		result = emit_binary(a->e, op, bits, first, a->carry);
		uint32_t more = subtract ? is_less(a, bits, first, a->carry) : is_less(a, bits, result, first);
		carry = emit_binary(a->e, IMAGE_OR, 64, carry, more);
	}
	set_zero(a, bits, result);
	a->carry = carry;
	return put(a, target, bits, result);
}

/* Emit mul or imul of one operand: dx:ax becomes the product of ax and `factor`.  No flag is known then. */
static bool multiply(struct assembly *a, bool is_signed, unsigned bits, const struct cell *factor)
{
	struct emitter *e = a->e;
	if (a->lock || bits != 64 || factor->kind == CELL_STACK || a->fixed[AX] < 0 || a->fixed[DX] < 0)
		return false;
	uint32_t x = new_register(e, 2), y = new_register(e, 2), product = new_register(e, 2);
	enum image_opcode extend = is_signed ? IMAGE_SEXT : IMAGE_ZEXT;
	emit(e, extend, 64, 128, x, get(a, &a->cells[a->fixed[AX]], 64), NONE, NONE);
	emit(e, extend, 64, 128, y, get(a, factor, 64), NONE, NONE);
	emit(e, IMAGE_MUL, 128, 0, product, x, y, NONE);
	a->zero = a->carry = NONE;
	return put_fixed(a, AX, product) && put_fixed(a, DX, product + 1);
}

/* Emit div: dx:ax is divided by `by`, ax becomes the quotient and dx the remainder.  If the quotient does not fit, the processor
 * does as for a division by zero.  No flag is known then. */
static bool divide(struct assembly *a, unsigned bits, const struct cell *by)
{
	struct emitter *e = a->e;
	if (a->lock || bits != 64 || by->kind == CELL_STACK || a->fixed[AX] < 0 || a->fixed[DX] < 0)
		return false;
	uint32_t value = new_register(e, 2), divisor = new_register(e, 2), quotient = new_register(e, 2), rest = new_register(e, 2);
	uint32_t high = get(a, &a->cells[a->fixed[DX]], 64), given = get(a, by, 64), chosen = new_register(e, 1);
	emit(e, IMAGE_MOV, 64, 0, value, get(a, &a->cells[a->fixed[AX]], 64), NONE, NONE);
	emit(e, IMAGE_MOV, 64, 0, value + 1, high, NONE, NONE);
	emit(e, IMAGE_SELECT, 64, 0, chosen, is_less(a, 64, high, given), given, number(e, 0));
	emit(e, IMAGE_ZEXT, 64, 128, divisor, chosen, NONE, NONE);
	emit(e, IMAGE_UDIV, 128, 0, quotient, value, divisor, NONE);
	emit(e, IMAGE_UREM, 128, 0, rest, value, divisor, NONE);
	a->zero = a->carry = NONE;
	return put_fixed(a, AX, quotient) && put_fixed(a, DX, rest);
}

/* Emit a conditional move on Z or C, with `inverted` on their contrary. */
static bool move_if(struct assembly *a, uint32_t flag, bool inverted, unsigned bits, const struct cell *from, const struct cell *to)
{
	if (flag == NONE || a->lock || bits == 8 || to->kind != CELL_VALUE)
		return false;
	uint32_t moved = get(a, from, bits), kept = get(a, to, bits), chosen = new_register(a->e, 1);
	emit(a->e, IMAGE_SELECT, 64, 0, chosen, flag, inverted ? kept : moved, inverted ? moved : kept);
	return put(a, to, bits, chosen);
}

static bool exchange(struct assembly *a, unsigned bits, const struct cell *x, const struct cell *y)
{
	const struct cell *memory = x->kind == CELL_MEMORY ? x : y, *other = memory == x ? y : x;
	uint32_t value = get(a, other, bits), old;
	if (memory->kind == CELL_MEMORY) { /* always locked */
		old = new_register(a->e, 1);
		emit(a->e, IMAGE_RMW, bits, IMAGE_ATOMIC, old, memory->at, value, RMW_XCHG);
		return other->kind == CELL_VALUE && put(a, other, bits, old);
	}
	old = get(a, memory, bits);
	return put(a, memory, bits, value) && put(a, other, bits, old);
}

static bool exchange_and_add(struct assembly *a, unsigned bits, const struct cell *value, const struct cell *target)
{
	if (value->kind != CELL_VALUE)
		return false;
	uint32_t add = get(a, value, bits), old = new_register(a->e, 1), sum = new_register(a->e, 1);
	if (target->kind == CELL_MEMORY && a->lock) {
		emit(a->e, IMAGE_RMW, bits, IMAGE_ATOMIC, old, target->at, add, RMW_ADD);
		emit(a->e, IMAGE_ADD, bits, 0, sum, old, add, NONE);
	} else {
		old = get(a, target, bits);
		emit(a->e, IMAGE_ADD, bits, 0, sum, old, add, NONE);
		if (!put(a, target, bits, sum))
			return false;
	}
	set_zero(a, bits, sum);
	return put(a, value, bits, old);
}

static bool compare_and_exchange(struct assembly *a, unsigned bits, const struct cell *value, const struct cell *target)
{
	if (a->fixed[AX] < 0 || !a->lock || target->kind != CELL_MEMORY || value->kind != CELL_VALUE)
		return false;
	const struct cell *ax = &a->cells[a->fixed[AX]];
	uint32_t expected = get(a, ax, bits), wanted = get(a, value, bits), old = new_register(a->e, 2);
	emit(a->e, IMAGE_CMPXCHG, bits, IMAGE_ATOMIC, old, target->at, expected, wanted);
	emit(a->e, IMAGE_MOV, 64, 0, zero_flag(a), old + 1, NONE, NONE);
	struct cell changed = *ax;
	changed.constant = false;
	return put(a, &changed, bits, old);
}

/* Emit cmpxchg16b: dx:ax holds what is expected, and then what was found; cx:bx holds what to write. */
static bool compare_and_exchange_pair(struct assembly *a, const struct cell *target)
{
	for (int i = 0; i < GENERAL; i++)
		if (a->fixed[i] < 0)
			return false;
	if (!a->lock || target->kind != CELL_MEMORY)
		return false;
	uint32_t expected = new_register(a->e, 2), wanted = new_register(a->e, 2), old = new_register(a->e, 3);
	emit(a->e, IMAGE_MOV, 64, 0, expected, get(a, &a->cells[a->fixed[AX]], 64), NONE, NONE);
	emit(a->e, IMAGE_MOV, 64, 0, expected + 1, get(a, &a->cells[a->fixed[DX]], 64), NONE, NONE);
	emit(a->e, IMAGE_MOV, 64, 0, wanted, get(a, &a->cells[a->fixed[BX]], 64), NONE, NONE);
	emit(a->e, IMAGE_MOV, 64, 0, wanted + 1, get(a, &a->cells[a->fixed[CX]], 64), NONE, NONE);
	emit(a->e, IMAGE_CMPXCHG, 128, IMAGE_ATOMIC, old, target->at, expected, wanted);
	emit(a->e, IMAGE_MOV, 64, 0, zero_flag(a), old + 2, NONE, NONE);
	for (int i = AX; i <= DX; i++) {
		if (!put_fixed(a, i, old + (uint32_t)i))
			return false;
	}
	return true;
}

/* Emit bts, btr or btc, which set, reset or complement a bit, or bt (`kind` is 0); its old value is then the carry.  A bit number
 * in a register reaches words of memory before and behind `target`; a number in the text, or of a bit in a register, is taken
 * modulo the width. */
static bool change_bit(struct assembly *a, char kind, unsigned bits, const struct cell *index, const struct cell *target)
{
	if (bits == 8 || index->kind != CELL_VALUE || target->kind == CELL_STACK || (a->lock && !kind))
		return false;
	struct cell place = *target;
	bool immediate = index->at & IMAGE_CONST;
	uint32_t n = get(a, index, bits), bit = emit_binary(a->e, IMAGE_AND, 64, n, number(a->e, bits - 1));
	if (place.kind == CELL_MEMORY && !immediate) {
		uint32_t wide = n;
		if (bits < 64) {
			wide = new_register(a->e, 1);
			emit(a->e, IMAGE_SEXT, bits, 64, wide, n, NONE, NONE);
		}
		uint32_t words = emit_binary(a->e, IMAGE_ASHR, 64, wide, number(a->e, bits == 64 ? 6 : bits == 32 ? 5 : 4));
		place.at = new_register(a->e, 1);
		emit(a->e, IMAGE_INDEX, 64, 0, place.at, target->at, words, number(a->e, bits / 8));
	}
	uint32_t mask = emit_binary(a->e, IMAGE_SHL, bits, number(a->e, 1), bit), old;
	if (kind == 'r')
		mask = emit_binary(a->e, IMAGE_XOR, bits, mask, number(a->e, low_ones(bits)));
	enum image_opcode op = kind == 's' ? IMAGE_OR : kind == 'r' ? IMAGE_AND : IMAGE_XOR;
	enum image_rmw rmw = kind == 's' ? RMW_OR : kind == 'r' ? RMW_AND : RMW_XOR;
	bool atomic = place.kind == CELL_MEMORY && a->lock;
	if (atomic) {
		old = new_register(a->e, 1);
		emit(a->e, IMAGE_RMW, bits, IMAGE_ATOMIC, old, place.at, mask, rmw);
	} else {
		old = get(a, &place, bits);
	}
	a->carry = emit_binary(a->e, IMAGE_AND, 64, emit_binary(a->e, IMAGE_LSHR, bits, old, bit), number(a->e, 1));
	return atomic || !kind || put(a, &place, bits, emit_binary(a->e, op, bits, old, mask));
}

static bool set_on_carry(struct assembly *a, const struct cell *target)
{
	return a->carry != NONE && put(a, target, 8, a->carry);
}

static bool set_on_equal(struct assembly *a, bool equal, const struct cell *target)
{
	if (a->zero == NONE)
		return false;
	uint32_t value = new_register(a->e, 1);
	emit(a->e, IMAGE_XOR, 8, 0, value, a->zero, number(a->e, equal ? 0 : 1), NONE);
	return put(a, target, 8, value);
}

static bool unary(struct assembly *a, const char *name, unsigned bits, const struct cell *cell)
{
	uint32_t inverse;
	if (strcmp(name, "inc") == 0)
		return combine(a, IMAGE_ADD, RMW_ADD, bits, cell, number(a->e, 1));
	if (strcmp(name, "dec") == 0)
		return combine(a, IMAGE_SUB, RMW_SUB, bits, cell, number(a->e, 1));
	if (strcmp(name, "not") == 0)
		return change(a, IMAGE_XOR, RMW_XOR, bits, cell, number(a->e, low_ones(bits)),
			      &inverse); /* leaves the flags alone */
	if (a->lock)
		return false;
	uint32_t value = get(a, cell, bits), result = new_register(a->e, 1);
	if (strcmp(name, "neg") == 0)
		emit(a->e, IMAGE_SUB, bits, 0, result, number(a->e, 0), value, NONE);
	else if (strcmp(name, "bswap") == 0 && bits >= 32)
		emit(a->e, IMAGE_BSWAP, bits, 0, result, value, NONE, NONE);
	else
		return false;
	if (name[0] == 'n')
		set_zero(a, bits, result);
	return put(a, cell, bits, result);
}

/* Emit bsf or bsr: put the number of the lowest or highest bit of `from` that is set into `to`, which stays as it was if none is.
 * */
static bool find_bit(struct assembly *a, bool lowest, unsigned bits, const struct cell *from, const struct cell *to)
{
	if (bits == 8 || to->kind != CELL_VALUE)
		return false;
	uint32_t value = get(a, from, bits), before = get(a, to, bits), found = new_register(a->e, 1),
		 chosen = new_register(a->e, 1);
	emit(a->e, lowest ? IMAGE_CTTZ : IMAGE_CTLZ, bits, 0, found, value, NONE, NONE);
	if (!lowest)
		found = emit_binary(a->e, IMAGE_XOR, 64, found, number(a->e, bits - 1));
	set_zero(a, bits, value);
	emit(a->e, IMAGE_SELECT, 64, 0, chosen, a->zero, before, found);
	return put(a, to, bits, chosen);
}

/* Cut the suffix off `name` and return its width: "addl" becomes "add", 32.  Without a suffix, return the width of the first
 * operand that is a register. */
static unsigned width(char *name, const struct cell *operands, unsigned count)
{
	static const char *const plain[] = { "add",   "sub",    "and",    "or",    "xor",    "mov", "xchg", "xadd", "cmpxchg",
					     "inc",   "dec",    "neg",    "not",   "bswap",  "bts", "btr",  "btc",  "rol",
					     "ror",   "shl",    "sal",    "shr",   "sar",    "mul", "imul", "div",  "cmove",
					     "cmovz", "cmovne", "cmovnz", "cmovc", "cmovnc", "adc", "sbb",  NULL };
	static const char suffixes[] = "bwlq";
	size_t n = strlen(name);
	char *suffix = n ? strchr(suffixes, name[n - 1]) : NULL;
	bool whole = is_word(name, plain);
	if (!whole && suffix && *suffix) {
		name[n - 1] = '\0';
		return 8u << (suffix - suffixes);
	}
	for (unsigned i = 0; i < count; i++)
		if (operands[i].kind == CELL_VALUE && !(operands[i].at & IMAGE_CONST))
			return operands[i].bits;
	return 0;
}

/* Emit popcnt, lzcnt or tzcnt. */
static bool count_bits(struct assembly *a, char kind, unsigned bits, const struct cell *from, const struct cell *to)
{
	if (bits == 8 || to->kind != CELL_VALUE)
		return false;
	uint32_t value = get(a, from, bits), count = new_register(a->e, 1);
	emit(a->e, kind == 'p' ? IMAGE_CTPOP : kind == 'l' ? IMAGE_CTLZ : IMAGE_CTTZ, bits, 0, count, value, NONE, NONE);
	set_zero(a, bits, count);
	return put(a, to, bits, count);
}

/* Emit a shift or a rotation of `target`; `count` is NULL for one bit.  Neither flag is known then; rotations leave Z. */
static bool shift(struct assembly *a, const char *name, unsigned bits, const struct cell *count, const struct cell *target)
{
	struct emitter *e = a->e;
	if (a->lock || target->kind == CELL_STACK || (count && count->kind != CELL_VALUE))
		return false;
	bool rotates = name[0] == 'r', left = name[2] == 'l', sign = strcmp(name, "sar") == 0;
	uint32_t value = get(a, target, bits), wide = value, result = new_register(e, 1);
	uint32_t by = emit_binary(a->e, IMAGE_AND, 64, count ? get(a, count, 8) : number(e, 1), number(e, bits == 64 ? 63 : 31));
	a->carry = NONE;
	if (rotates) {
		by = emit_binary(a->e, IMAGE_AND, 64, by, number(e, bits - 1));
		emit(e, left ? IMAGE_FSHL : IMAGE_FSHR, bits, 0, result, value, value, by);
		return put(a, target, bits, result);
	}
	a->zero = NONE;
	if (sign && bits < 64) {
		wide = new_register(e, 1);
		emit(e, IMAGE_SEXT, bits, 64, wide, value, NONE, NONE);
	}
	wide = emit_binary(a->e, left ? IMAGE_SHL : sign ? IMAGE_ASHR : IMAGE_LSHR, 64, wide, by);
	if (bits < 64)
		emit(e, IMAGE_TRUNC, 64, bits, result, wide, NONE, NONE);
	return put(a, target, bits, bits < 64 ? result : wide);
}

/* Emit cmp or test, of which only Z is known. */
static bool compare(struct assembly *a, enum image_opcode op, unsigned bits, const struct cell *x, const struct cell *y)
{
	set_zero(a, bits, emit_binary(a->e, op, bits, get(a, y, bits), get(a, x, bits)));
	return !a->lock;
}

/* Emit stmxcsr, or with `store` false ldmxcsr. */
static bool move_control(struct assembly *a, bool store, const struct cell *cell)
{
	struct cell control = { CELL_MEMORY, float_control(a->e), 32, false };
	return cell->kind == CELL_MEMORY && put(a, store ? cell : &control, 32, get(a, store ? &control : cell, 32));
}

static bool emit_of_two(struct assembly *a, const char *name, unsigned bits, const struct cell *o)
{
	static const char *const shifts[] = { "rol", "ror", "shl", "sal", "shr", "sar", NULL };
	static const char *const counts[] = { "popcnt", "lzcnt", "tzcnt", NULL };
	bool with = strcmp(name, "adc") == 0 || strcmp(name, "sbb") == 0;
	if (with || (a->carries && (strcmp(name, "add") == 0 || strcmp(name, "sub") == 0)))
		return carry_on(a, name[0] == 's', with, bits, &o[1], get(a, &o[0], bits));
	for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
		if (strcmp(name, binary[i].name) == 0)
			return combine(a, binary[i].op, binary[i].rmw, bits, &o[1], get(a, &o[0], bits));
	if (o[1].kind == CELL_STACK)
		return false;
	if (strcmp(name, "bt") == 0 || strcmp(name, "bts") == 0 || strcmp(name, "btr") == 0 || strcmp(name, "btc") == 0)
		return change_bit(a, name[2], bits, &o[0], &o[1]);
	if (strcmp(name, "bsf") == 0 || strcmp(name, "bsr") == 0)
		return find_bit(a, name[2] == 'f', bits, &o[0], &o[1]);
	if (is_word(name, counts))
		return count_bits(a, name[0], bits, &o[0], &o[1]);
	if (is_word(name, shifts))
		return shift(a, name, bits, &o[0], &o[1]);
	if (strcmp(name, "cmp") == 0 || strcmp(name, "test") == 0)
		return compare(a, name[0] == 'c' ? IMAGE_SUB : IMAGE_AND, bits, &o[0], &o[1]);
	if (strcmp(name, "lea") == 0)
		return !a->lock && bits == 64 && o[0].kind == CELL_MEMORY && put(a, &o[1], 64, o[0].at);
	if (strcmp(name, "mov") == 0)
		return !a->lock && put(a, &o[1], bits, get(a, &o[0], bits));
	if (strcmp(name, "cmove") == 0 || strcmp(name, "cmovz") == 0 || strcmp(name, "cmovne") == 0 || strcmp(name, "cmovnz") == 0)
		return move_if(a, a->zero, name[4] == 'n', bits, &o[0], &o[1]);
	if (strcmp(name, "cmovc") == 0 || strcmp(name, "cmovnc") == 0)
		return move_if(a, a->carry, name[4] == 'n', bits, &o[0], &o[1]);
	if (strcmp(name, "xchg") == 0)
		return exchange(a, bits, &o[0], &o[1]);
	if (strcmp(name, "xadd") == 0)
		return exchange_and_add(a, bits, &o[0], &o[1]);
	return strcmp(name, "cmpxchg") == 0 && compare_and_exchange(a, bits, &o[0], &o[1]);
}

static bool emit_instruction(struct assembly *a, char *name, const struct cell *o, unsigned count)
{
	if (count == 1 && (strcmp(name, "sete") == 0 || strcmp(name, "setz") == 0))
		return set_on_equal(a, true, &o[0]);
	if (count == 1 && (strcmp(name, "setne") == 0 || strcmp(name, "setnz") == 0))
		return set_on_equal(a, false, &o[0]);
	if (count == 1 && (strcmp(name, "setc") == 0 || strcmp(name, "setb") == 0))
		return set_on_carry(a, &o[0]);
	if (count == 1 && strcmp(name, "cmpxchg16b") == 0)
		return compare_and_exchange_pair(a, &o[0]);
	if (count == 1 && (strcmp(name, "stmxcsr") == 0 || strcmp(name, "ldmxcsr") == 0))
		return !a->lock && move_control(a, name[0] == 's', &o[0]);
	unsigned bits = width(name, o, count);
	if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
		return false;
	if (o[0].kind == CELL_STACK)
		return false;
	if (count == 1 && (strcmp(name, "mul") == 0 || strcmp(name, "imul") == 0))
		return multiply(a, name[0] == 'i', bits, &o[0]);
	if (count == 1 && strcmp(name, "div") == 0)
		return divide(a, bits, &o[0]);
	if (count == 1)
		return strlen(name) == 3 && strchr("rs", name[0]) ? shift(a, name, bits, NULL, &o[0]) : unary(a, name, bits, &o[0]);
	return count == 2 && emit_of_two(a, name, bits, o);
}

/* Emit rdtsc, or rdtscp, which tells the number of the processor, too.  The counter stands still, as clocks do. */
static bool read_counter(struct assembly *a, bool names_processor)
{
	if (a->fixed[AX] < 0 || a->fixed[DX] < 0 || (names_processor && a->fixed[CX] < 0))
		return false;
	note_counter(a->e->t);
	if (names_processor && !put_fixed(a, CX, number(a->e, 0)))
		return false;
	return put_fixed(a, AX, number(a->e, 0)) && put_fixed(a, DX, number(a->e, 0));
}

/* Emit cpuid: a processor that has nothing but its base. */
static bool identify(struct assembly *a)
{
	for (int i = 0; i < GENERAL; i++)
		if (a->fixed[i] < 0 || !put_fixed(a, i, number(a->e, 0)))
			return false;
	note_processor(a->e->t);
	return true;
}

/* Emit xgetbv: of the extended states, the system saves those of x87 and SSE, which the base has. */
static bool read_extended(struct assembly *a)
{
	enum { X87 = 1, SSE = 2 };
	if (a->fixed[AX] < 0 || a->fixed[DX] < 0)
		return false;
	note_processor(a->e->t);
	return put_fixed(a, AX, number(a->e, X87 | SSE)) && put_fixed(a, DX, number(a->e, 0));
}

/* ---- strings ---------------------------------------------------------------------------------------------------------- */

static void move_on(struct assembly *a, int fixed, unsigned bytes)
{
	uint32_t next = new_register(a->e, 1), at = a->cells[a->fixed[fixed]].at;
	emit(a->e, IMAGE_INDEX, 64, 0, next, at, number(a->e, 1), number(a->e, bytes));
	emit(a->e, IMAGE_MOV, 64, 0, at, next, NONE, NONE);
}

/* Emit stos or movs, upwards, as the flag D is clear in C; with `repeat` as often as cx says.  These are plain accesses, whatever
 * the statement clobbers.  Return false if `name` is none of them. */
static bool string_operation(struct assembly *a, const char *name, bool repeat)
{
	static const char suffixes[] = "bwlq";
	const int needed[] = { DI, repeat ? CX : DI, begins(name, "movs") ? SI : AX };
	const char *suffix = strlen(name) == 5 ? strchr(suffixes, name[4]) : NULL;
	if (!suffix || a->lock || (!begins(name, "movs") && !begins(name, "stos")))
		return false;
	unsigned bytes = 1u << (suffix - suffixes);
	for (unsigned i = 0; i < 3; i++) {
		const struct cell *cell = a->fixed[needed[i]] < 0 ? NULL : &a->cells[a->fixed[needed[i]]];
		if (!cell || (needed[i] == AX ? cell->bits < 8 * bytes : cell->bits != 64))
			return false;
	}
	struct emitter *e = a->e;
	uint32_t head = new_label(e), body = new_label(e), behind = new_label(e), value = new_register(e, 1), more = NONE,
		 count = NONE;
	uint32_t to = a->cells[a->fixed[DI]].at, from = needed[2] == SI ? a->cells[a->fixed[SI]].at : NONE;
	if (repeat) {
		count = a->cells[a->fixed[CX]].at;
		more = new_register(e, 1);
		place_label(e, head);
		emit(e, IMAGE_LOOP, 0, 0, NONE, NONE, NONE, NONE);
		emit(e, IMAGE_ICMP, 64, ICMP_NE, more, count, number(e, 0), NONE);
		emit(e, IMAGE_BRCOND, 1, 0, NONE, more, body, behind);
	}
	place_label(e, body);
	if (from == NONE)
		value = get(a, &a->cells[a->fixed[AX]], 8 * bytes);
	else
		emit(e, IMAGE_LOAD, 8 * bytes, 0, value, from, NONE, NONE);
	emit(e, IMAGE_STORE, 8 * bytes, 0, NONE, to, value, NONE);
	move_on(a, DI, bytes);
	if (from != NONE)
		move_on(a, SI, bytes);
	if (repeat) {
		emit(e, IMAGE_SUB, 64, 0, count, count, number(e, 1), NONE);
		emit(e, IMAGE_BR, 0, 0, NONE, head, NONE, NONE);
		place_label(e, behind);
	}
	return true;
}

/* Is the text the one of <cpuid.h>, which saves rbx, as compilers may need that?  Then an operand is where rbx is after cpuid. */
static bool identifies(struct assembly *a, const char *text)
{
	unsigned before, after;
	int end = 0;
	if (sscanf(text, " xchgq %%rbx,${%u:q} cpuid xchgq %%rbx,${%u:q} %n", &before, &after, &end) != 2 || end == 0 ||
	    text[end] || before != after || before >= a->count || a->cells[before].kind != CELL_VALUE || a->fixed[BX] >= 0)
		return false;
	a->fixed[BX] = (int)before;
	return true;
}

/* Is the text a request to Valgrind?  A processor does nothing for it: the rotations of rdi make up two whole turns.  So the output
 * keeps what the constraints tie it to. */
static bool asks_valgrind(const char *text)
{
	static const char request[] = "rolq$$3,%rdirolq$$13,%rdirolq$$61,%rdirolq$$51,%rdixchgq%rbx,%rbx";
	const char *at = request;
	for (; *text; text++) {
		if (strchr(" \t\n;", *text))
			continue;
		if (*text != *at)
			return false;
		at++;
	}
	return !*at;
}

static bool lower_instruction(struct assembly *a, char *text)
{
	static const char *const nothing[] = { "nop", "pause", NULL };
	static const char *const fences[] = { "lfence", "sfence", "mfence", NULL }; /* in the order of enum image_flag's sets */
	text = trim(text);
	if (*text == '\0' || strcmp(text, "rep nop") == 0 || strcmp(text, "rep") == 0)
		return true;
	bool prefix = begins(text, "lock") && (text[4] == '\0' || text[4] == ' ' || text[4] == '\t');
	if (prefix) {
		a->lock = true;
		return lower_instruction(a, text + 4);
	}
	char *rest = text, *name = strsep(&rest, " \t"), *one;
	struct cell operands[MOST_OPERANDS];
	unsigned count = 0;
	if (!rest && is_word(name, nothing))
		return true;
	for (unsigned i = 0; !rest && fences[i]; i++)
		if (strcmp(name, fences[i]) == 0) {
			emit_machine_fence(a->e, i + 1);
			return true;
		}
	if (!rest && (strcmp(name, "rdtsc") == 0 || strcmp(name, "rdtscp") == 0))
		return read_counter(a, name[5] == 'p');
	if (!rest && strcmp(name, "xgetbv") == 0)
		return read_extended(a);
	if (!rest && strcmp(name, "cld") == 0)
		return true;
	if (rest && strcmp(name, "rep") == 0)
		return string_operation(a, trim(rest), true);
	if (!rest && string_operation(a, name, false))
		return true;
	if (!rest && strcmp(name, "cpuid") == 0)
		return identify(a);
	if (!rest && strcmp(name, "ud2") == 0) { /* an instruction that no processor has: a trap */
		call_abort(a->e);
		return true;
	}
	while (rest && (one = cut_operand(&rest)))
		if (count == MOST_OPERANDS || !read_operand(a, trim(one), &operands[count++]))
			return false;
	bool done = emit_instruction(a, name, operands, count);
	a->lock = false;
	return done;
}

/* Emit all instructions of `text`.  "rep" may stand on a line of its own before nop, where it makes pause of it, or
 * before stos and movs. */
static bool lower_text(struct assembly *a, char *text)
{
	bool rep = false;
	char *rest = text, *one;
	if (asks_valgrind(text))
		return true;
	if (identifies(a, text))
		return identify(a);
	while ((one = strsep(&rest, ";\n"))) {
		one = trim(one);
		if (*one == '\0')
			continue;
		bool repeated = rep && strcmp(one, "nop") != 0;
		rep = strcmp(one, "rep") == 0;
		if (!(repeated ? string_operation(a, one, true) : lower_instruction(a, one)))
			return false;
	}
	return !rep && !a->lock;
}

static bool finish_outputs(struct assembly *a)
{
	struct leaves leaves = flatten(a->e->t, LLVMTypeOf(a->call), a->call);
	bool done = leaves.count == a->noutputs;
	uint32_t result = done && leaves.slots ? result_of(a->e, a->call) : NONE;
	for (unsigned i = 0; done && i < a->noutputs; i++) {
		if (a->flag_outputs[i])
			done = set_on_equal(a, !a->inverted[i], &a->cells[a->outputs[i]]);
		emit(a->e, IMAGE_MOV, 64, 0, result + leaves.items[i].slot, a->cells[a->outputs[i]].at, NONE, NONE);
	}
	free(leaves.items);
	return done;
}

void lower_assembly(struct emitter *e, LLVMValueRef call)
{
	char *printed = LLVMPrintValueToString(LLVMGetCalledValue(call));
	const char *at = printed;
	char *text = quoted(&at), *constraints = quoted(&at), *shown = xstrdup(text ? text : "");
	struct assembly a = { .e = e, .call = call, .fixed = { -1, -1, -1, -1, -1, -1 }, .zero = NONE, .carry = NONE };
	bool intel = strstr(printed, "inteldialect") != NULL;
	a.carries = text && (strstr(text, "adc") || strstr(text, "sbb") || strstr(text, "cmovc") || strstr(text, "cmovnc"));
	bool done = text && constraints && !intel && read_constraints(&a, constraints) && lower_text(&a, text) &&
		finish_outputs(&a);
	for (char *p = shown; *p; p++)
		*p = *p == '\n' || *p == '\t' ? ' ' : *p;
	add_use(e, USE_ASSEMBLY, shown, call, done);
	if (!done)
		unsupported(e->t, call, "unsupported inline assembly \"%s\"", shown);
	free(text);
	free(constraints);
	free(shown);
	LLVMDisposeMessage(printed);
}
