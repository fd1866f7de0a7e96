/* SPDX-License-Identifier: MIT
 *
 * The operands of inline assembly: what its constraints ask for, what its text names, and access to them.
 *
 * Memory is accessed atomically under a lock prefix, by xchg, and whenever the statement clobbers memory: then it is meant to
 * synchronise.
 */
#include "assembly.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static const char *const fixed_names[FIXED][7] = {
	{ "{ax}", "~{rax}", "%al", "%ax", "%eax", "%rax" },  { "{dx}", "~{rdx}", "%dl", "%dx", "%edx", "%rdx" },
	{ "{bx}", "~{rbx}", "%bl", "%bx", "%ebx", "%rbx" },  { "{cx}", "~{rcx}", "%cl", "%cx", "%ecx", "%rcx" },
	{ "{di}", "~{rdi}", "%dil", "%di", "%edi", "%rdi" }, { "{si}", "~{rsi}", "%sil", "%si", "%esi", "%rsi" },
};

/* ---- operands by constraint ----------------------------------------------------------------------------------------- */

static uint32_t new_value(struct assembly *a, uint32_t initial)
{
	uint32_t reg = new_register(a->e, 1);
	emit(a->e, IMAGE_MOV, 64, 0, reg, initial, NONE, NONE);
	return reg;
}

static unsigned width_of(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 64 : bits_of_type(type);
}

/* Return the type of direct output number `n`; NULL if `call` has fewer, which LLVM's verifier does not look at. */
static LLVMTypeRef output_type(LLVMValueRef call, unsigned n)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return n == 0 ? type : NULL;
	return n < LLVMCountStructElementTypes(type) ? LLVMStructGetTypeAtIndex(type, n) : NULL;
}

/* Note that the next cell is in the register that `constraint` names, if it names one, and return the cell that was in that
 * register before, or -1. */
static int note_fixed(struct assembly *a, const char *constraint)
{
	assert(a->count < MOST_CELLS);
	for (int i = 0; i < FIXED; i++)
		if (strstr(constraint, fixed_names[i][0])) {
			int before = a->fixed[i];
			a->fixed[i] = (int)a->count;
			return before;
		}
	return -1;
}

/* Add a cell for the register that `constraint` says the statement may overwrite.  Return false if there is no room. */
static bool add_clobber(struct assembly *a, const char *constraint)
{
	a->clobbers_memory = a->clobbers_memory || strcmp(constraint, "~{memory}") == 0;
	for (int i = 0; i < FIXED; i++) {
		if (strcmp(constraint, fixed_names[i][1]) != 0)
			continue;
		if (a->count == MOST_CELLS)
			return false;
		a->fixed[i] = (int)a->count;
		a->cells[a->count++] = (struct cell){ CELL_VALUE, new_value(a, number(a->e, 0)), 64, false };
	}
	return true;
}

static bool add_output(struct assembly *a, const char *constraint)
{
	assert(a->count < MOST_CELLS && a->noutputs <= a->count);
	LLVMTypeRef type = output_type(a->call, a->noutputs);
	const char *flag = strstr(constraint, "{@cc");
	if (!type || width_of(type) == 0 || width_of(type) > 64)
		return false;
	if (flag) {
		bool equal = !strcmp(flag, "{@cce}") || !strcmp(flag, "{@ccz}");
		bool unequal = !strcmp(flag, "{@ccne}") || !strcmp(flag, "{@ccnz}");
		if (!equal && !unequal)
			return false;
		a->flag_outputs[a->noutputs] = true;
		a->inverted[a->noutputs] = unequal;
	}
	a->outputs[a->noutputs++] = a->count;
	note_fixed(a, constraint);
	a->cells[a->count++] = (struct cell){ CELL_VALUE, new_value(a, number(a->e, 0)), width_of(type), false };
	return true;
}

static bool add_input(struct assembly *a, const char *constraint, LLVMValueRef value)
{
	unsigned bits = width_of(LLVMTypeOf(value));
	assert(a->count < MOST_CELLS);
	if (bits == 0 || bits > 64)
		return false;
	if (isdigit((unsigned char)constraint[0])) {
		unsigned tied = (unsigned)atoi(constraint);
		if (tied >= a->count || a->cells[tied].kind == CELL_STACK)
			return false;
		if (a->cells[tied].kind == CELL_MEMORY) { /* "+rm": what the output begins with */
			emit(a->e, IMAGE_STORE, bits, 0, NONE, a->cells[tied].at, operand_of(a->e, value), NONE);
			a->cells[a->count++] = a->cells[tied];
			return true;
		}
		emit(a->e, IMAGE_MOV, 64, 0, a->cells[tied].at, operand_of(a->e, value), NONE, NONE);
		a->cells[a->count++] = a->cells[tied];
		return true;
	}
	int same = note_fixed(a, constraint); /* an output in the same register: what is written to one is the other's */
	if (same >= 0) {
		if (a->cells[same].bits != bits)
			return false;
		emit(a->e, IMAGE_MOV, 64, 0, a->cells[same].at, operand_of(a->e, value), NONE, NONE);
		a->cells[a->count++] = a->cells[same];
		return true;
	}
	a->cells[a->count++] = (struct cell){ CELL_VALUE, new_value(a, operand_of(a->e, value)), bits, true };
	return true;
}

static bool add_constraint(struct assembly *a, const char *constraint, unsigned *argument)
{
	if (constraint[0] == '~')
		return add_clobber(a, constraint);
	if (a->count == MOST_CELLS || constraint[0] == '!' || strchr(constraint, '|'))
		return false;
	bool output = constraint[0] == '=', indirect = strchr(constraint, '*') != NULL;
	if (output && !indirect)
		return add_output(a, constraint);
	if (*argument >= LLVMGetNumArgOperands(a->call))
		return false;
	LLVMValueRef value = LLVMGetOperand(a->call, (*argument)++);
	if (!indirect)
		return add_input(a, constraint, value);
	a->cells[a->count++] = (struct cell){ CELL_MEMORY, operand_of(a->e, value), 0, false };
	return true;
}

bool read_constraints(struct assembly *a, char *constraints)
{
	unsigned argument = 0;
	char *rest = constraints, *one;
	while ((one = strsep(&rest, ",")))
		if (*one && !add_constraint(a, one, &argument))
			return false;
	return true;
}

/* ---- operands in the text ------------------------------------------------------------------------------------------- */

static bool numbered(const struct assembly *a, const char *text, const char **end, struct cell *cell)
{
	if (text[0] != '$')
		return false;
	const char *p = text + 1 + (text[1] == '{');
	char *after;
	unsigned long n = strtoul(p, &after, 10);
	if (after == p || n >= a->count)
		return false;
	*cell = a->cells[n];
	if (text[1] == '{') {
		unsigned bits = 0;
		if (*after == ':')
			bits = after[1] == 'b' ? 8 : after[1] == 'w' ? 16 : after[1] == 'k' ? 32 : after[1] == 'q' ? 64 : 0;
		after = strchr(after, '}');
		if (!after)
			return false;
		after++;
		if (bits && cell->kind == CELL_VALUE && bits != cell->bits && bits > cell->bits)
			return false;
	}
	*end = after;
	return true;
}

bool is_word(const char *text, const char *const words[])
{
	for (; *words; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

char *cut_operand(char **rest)
{
	char *begin = *rest, *end = begin;
	for (int depth = 0; *end && (*end != ',' || depth); end++)
		depth += (*end == '(') - (*end == ')');
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return begin;
}

/* Read a register of 64 bits, "$1" or "%rdi", from `text` on, and let *end point behind it. */
static bool address_register(const struct assembly *a, const char *text, const char **end, struct cell *cell)
{
	for (int i = 0; i < FIXED; i++) {
		const char *name = fixed_names[i][5];
		if (a->fixed[i] < 0 || !begins(text, name))
			continue;
		*cell = a->cells[a->fixed[i]];
		*end = text + strlen(name);
		return cell->kind == CELL_VALUE && cell->bits == 64;
	}
	return numbered(a, text, end, cell) && cell->kind == CELL_VALUE && cell->bits == 64;
}

/* Read "8($1)", "8($1,$2,4)" or "(,$2,4)": put the memory at that address into *cell. */
static bool indirect(const struct assembly *a, const char *text, struct cell *cell)
{
	static const char *const stack[] = { "(%rsp)", "(%esp)", NULL };
	char *open;
	const char *end;
	long offset = strtol(text, &open, 0);
	if (*open != '(')
		return false;
	if (is_word(open, stack)) {
		*cell = (struct cell){ .kind = CELL_STACK };
		return true;
	}
	struct cell base = { CELL_VALUE, number(a->e, 0), 64, true }, index;
	if (open[1] != ',' && !address_register(a, open + 1, &end, &base))
		return false;
	end = open[1] == ',' ? open + 1 : end;
	uint32_t address = base.at;
	if (*end == ',') {
		if (!address_register(a, end + 1, &end, &index))
			return false;
		long scale = 1;
		char *after = (char *)end;
		if (*end == ',')
			scale = strtol(end + 1 + strspn(end + 1, "$"), &after, 10); /* "$$4" is LLVM's 4 */
		end = after;
		address = emit_binary(a->e, IMAGE_ADD, 64, base.at,
				      emit_binary(a->e, IMAGE_MUL, 64, index.at, number(a->e, (uint64_t)scale)));
		address = emit_binary(a->e, IMAGE_ADD, 64, address, number(a->e, (uint64_t)offset)); /* lea adds any numbers */
		offset = 0;
		if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
			return false;
	}
	if (strcmp(end, ")") != 0)
		return false;
	*cell = (struct cell){ CELL_MEMORY, add_offset(a->e, address, (uint64_t)offset), 0, false };
	return true;
}

/* Read "%fs:$1": the word of the thread's control block whose distance from the begin is the address of an operand.  Only the
 * first word is known, which points to the block.  A path that asks for another is refused. */
static bool word_of_thread(const struct assembly *a, const char *text, struct cell *cell)
{
	static const char other_word[] = "unsupported inline assembly: of %fs, only the word at 0 is known";
	struct cell place;
	const char *end;
	if (!begins(text, "%fs:") || !numbered(a, text + 4, &end, &place) || *end || place.kind != CELL_MEMORY)
		return false;
	uint32_t first = new_register(a->e, 1), known = new_label(a->e), unknown = new_label(a->e);
	emit(a->e, IMAGE_ICMP, 64, ICMP_EQ, first, place.at, number(a->e, 0), NONE);
	emit(a->e, IMAGE_BRCOND, 0, 0, NONE, first, known, unknown);
	place_label(a->e, unknown);
	emit(a->e, IMAGE_REFUSE, 0, 0, NONE, builder_string(&a->e->t->builder, other_word, strlen(other_word)), NONE, NONE);
	place_label(a->e, known);
	*cell = (struct cell){ CELL_VALUE, thread_pointer(a->e), 64, true };
	return true;
}

bool read_operand(const struct assembly *a, const char *text, struct cell *cell)
{
	const char *end;
	if (numbered(a, text, &end, cell))
		return *end == '\0';
	if (text[0] == '$' && text[1] == '$') {
		char *after;
		long long value = strtoll(text + 2, &after, 0);
		*cell = (struct cell){ CELL_VALUE, number(a->e, (uint64_t)value), 64, true };
		return after != text + 2 && *after == '\0';
	}
	static const char *const thread[] = { "%fs:0", "%fs:0x0", "%fs:(0)", NULL }; /* where the thread's pointer to itself is */
	if (is_word(text, thread)) {
		*cell = (struct cell){ CELL_VALUE, thread_pointer(a->e), 64, true };
		return true;
	}
	if (word_of_thread(a, text, cell))
		return true;
	for (int i = 0; i < FIXED; i++)
		if (a->fixed[i] >= 0 && is_word(text, fixed_names[i] + 2)) {
			*cell = a->cells[a->fixed[i]];
			return true;
		}
	return indirect(a, text, cell);
}

/* ---- access --------------------------------------------------------------------------------------------------------- */

static unsigned atomic_flag(const struct assembly *a)
{
	return a->lock || a->clobbers_memory ? IMAGE_ATOMIC : 0;
}

uint32_t get(struct assembly *a, const struct cell *cell, unsigned bits)
{
	assert(cell->kind != CELL_STACK && bits >= 8 && bits <= 64);
	uint32_t value = new_register(a->e, 1);
	if (cell->kind == CELL_MEMORY)
		emit(a->e, IMAGE_LOAD, bits, atomic_flag(a), value, cell->at, NONE, NONE);
	else if (bits < cell->bits)
		emit(a->e, IMAGE_TRUNC, cell->bits, bits, value, cell->at, NONE, NONE);
	else
		emit(a->e, IMAGE_MOV, 64, 0, value, cell->at, NONE, NONE);
	return value;
}

bool put(struct assembly *a, const struct cell *cell, unsigned bits, uint32_t value)
{
	assert(bits >= 8 && bits <= 64);
	if (cell->kind == CELL_MEMORY) {
		emit(a->e, IMAGE_STORE, bits, atomic_flag(a), NONE, cell->at, value, NONE);
		return true;
	}
	if (cell->kind != CELL_VALUE || cell->constant || (cell->at & IMAGE_CONST))
		return false;
	if (bits >= 32 || bits >= cell->bits) {
		if (bits > cell->bits)
			emit(a->e, IMAGE_TRUNC, bits, cell->bits, cell->at, value, NONE, NONE);
		else
			emit(a->e, IMAGE_MOV, 64, 0, cell->at, value, NONE, NONE);
		return true;
	}
	emit(a->e, IMAGE_AND, 64, 0, cell->at, cell->at, number(a->e, ~low_ones(bits)), NONE);
	emit(a->e, IMAGE_OR, 64, 0, cell->at, cell->at, value, NONE);
	return true;
}

bool put_fixed(struct assembly *a, int fixed, uint32_t value)
{
	assert(fixed >= 0 && fixed < FIXED && a->fixed[fixed] >= 0);
	struct cell changed = a->cells[a->fixed[fixed]];
	changed.constant = false;
	return put(a, &changed, 64, value);
}
