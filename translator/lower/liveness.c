/* SPDX-License-Identifier: MIT
 *
 * Live registers, by backward data flow over the lowered code (Aho, Lam, Sethi, Ullman: Compilers, section 9.2.5).
 *
 * A register that is not live at a resting point never enters a state, so states that differ in dead values only are one.
 * Knows instructions by the roles of opcode.def alone.
 */
#include "emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct flow {
	const struct emitter *e;
	struct builder *b;
	struct image_insn *code;
	size_t count, words; /* instructions; words of a set */
	uint64_t *in;        /* live before each block's first instruction; by block */
	uint32_t *block_of;  /* instruction -> block */
	uint32_t *first;     /* block -> first instruction; one more than there are blocks */
	size_t nblocks;
	uint64_t *again; /* live where a call of setjmp may return again; NULL: there is none */
	uint64_t *held;  /* by block, or NULL: pointers that the function holds when it ends the program there */
};

static void add(uint64_t *set, uint32_t reg, unsigned slots)
{
	for (unsigned i = 0; i < slots; i++)
		set[(reg + i) / 64] |= UINT64_C(1) << (reg + i) % 64;
}

static void drop(uint64_t *set, uint32_t reg, unsigned slots)
{
	for (unsigned i = 0; i < slots; i++)
		set[(reg + i) / 64] &= ~(UINT64_C(1) << (reg + i) % 64);
}

static void add_operand(const struct flow *flow, uint64_t *set, uint32_t operand, unsigned slots)
{
	if (operand & IMAGE_CONST)
		return;
	assert((operand + slots - 1) / 64 < flow->words); /* it is a register of the function */
	add(set, operand, slots);
}

static const struct image_function *callee(const struct flow *flow, const struct image_insn *insn)
{
	return insn->op == IMAGE_CALL ? builder_at(flow->b, IMAGE_FUNCTIONS, insn->a) : NULL;
}

static bool returns_twice(const struct flow *flow, const struct image_insn *insn)
{
	const struct image_function *called = callee(flow, insn);
	return called && (called->flags & FUNCTION_TWICE);
}

static void add_used(const struct flow *flow, const struct image_insn *insn, uint64_t *set)
{
	const char *roles = image_opcodes[insn->op].roles;
	const uint32_t fields[] = { insn->dst, insn->a, insn->b, insn->c };
	for (int i = 0; i < 4; i++) {
		if (roles[i] == 'x')
			add_operand(flow, set, fields[i], slots_of_bits(insn->bits));
		else if (roles[i] == 'q')
			add_operand(flow, set, fields[i], 1);
		else if (roles[i] == 'P')
			for (uint32_t k = 0; k < fields[i + 1]; k++)
				add_operand(flow, set, *(uint32_t *)builder_at(flow->b, IMAGE_POOL, fields[i] + k), 1);
	}
}

/* Add what the other return of a setjmp needs to `set`, which is live after `insn`, less its result: any call may end in a
 * longjmp, and so may what interrupts a thread at rest. */
static void mind_jumps(const struct flow *flow, const struct image_insn *insn, uint64_t *set)
{
	bool interrupted = flow->e->t->request->options.interrupts != INTERRUPTS_NONE && image_opcodes[insn->op].rests;
	if (!flow->again || (insn->op != IMAGE_CALL && insn->op != IMAGE_CALLI && !interrupted))
		return;
	for (size_t w = 0; w < flow->words; w++) {
		if (returns_twice(flow, insn))
			flow->again[w] |= set[w];
		set[w] |= flow->again[w];
	}
}

/* Turn the set that is live after `insn` into the one that is live before it. */
static void step_back(const struct flow *flow, const struct image_insn *insn, uint64_t *set)
{
	unsigned slots = slots_defined(flow->b, insn);
	assert(slots == 0 || (insn->dst + slots - 1) / 64 < flow->words);
	drop(set, insn->dst, slots);
	mind_jumps(flow, insn, set);
	add_used(flow, insn, set);
}

/* whom to tell of the successors of an instruction */
struct visitor {
	const struct flow *flow;
	void (*visit)(const struct flow *, uint32_t, void *);
	void *data;
};

static void tell(uint32_t target, void *data)
{
	const struct visitor *visitor = data;
	visitor->visit(visitor->flow, target, visitor->data);
}

/* Call `visit` with each instruction that control may go to after instruction `last`, the last one of a block. */
static void successors(const struct flow *flow, size_t last, void (*visit)(const struct flow *, uint32_t, void *), void *data)
{
	assert(last < flow->count);
	visit_successors(flow->b, &flow->code[last], (uint32_t)last, tell, &(struct visitor){ flow, visit, data });
}

static void mark_leader(const struct flow *flow, uint32_t target, void *data)
{
	bool *leader = data;
	if (target < flow->count)
		leader[target] = true;
}

static void find_blocks(struct flow *flow)
{
	assert(flow->count && image_ends_block(flow->code[flow->count - 1].op)); /* control never runs out of the function */
	bool *leader = calloc(flow->count + 1, sizeof *leader);
	leader[0] = true;
	for (size_t i = 0; i < flow->count; i++)
		if (image_ends_block(flow->code[i].op)) {
			successors(flow, i, mark_leader, leader);
			leader[i + 1] = true;
		}
	flow->block_of = xrealloc(NULL, (flow->count + 1) * sizeof *flow->block_of);
	flow->first = xrealloc(NULL, (flow->count + 2) * sizeof *flow->first);
	for (size_t i = 0; i < flow->count; i++) {
		if (leader[i])
			flow->first[flow->nblocks++] = (uint32_t)i;
		flow->block_of[i] = (uint32_t)flow->nblocks - 1;
	}
	assert(flow->nblocks > 0);
	flow->first[flow->nblocks] = (uint32_t)flow->count;
	free(leader);
}

static void join(const struct flow *flow, uint32_t target, void *data)
{
	uint64_t *set = data;
	if (target >= flow->count)
		return;
	const uint64_t *in = flow->in + flow->block_of[target] * flow->words;
	for (size_t w = 0; w < flow->words; w++)
		set[w] |= in[w];
}

/* Put what is live at the end of `block` into `set`. */
static void live_out(const struct flow *flow, size_t block, uint64_t *set)
{
	assert(block < flow->nblocks);
	memset(set, 0, flow->words * sizeof *set);
	successors(flow, flow->first[block + 1] - 1, join, set);
	for (size_t w = 0; flow->held && w < flow->words; w++)
		set[w] |= flow->held[block * flow->words + w];
}

static void solve(struct flow *flow, uint64_t *set)
{
	bool jumps = flow->again != NULL; /* what they need is complete after one more round */
	for (bool changed = true; changed || jumps;) {
		jumps = changed && flow->again;
		changed = false;
		for (size_t b = flow->nblocks; b-- > 0;) {
			live_out(flow, b, set);
			for (uint32_t i = flow->first[b + 1]; i-- > flow->first[b];)
				step_back(flow, &flow->code[i], set);
			if (memcmp(set, flow->in + b * flow->words, flow->words * sizeof *set) != 0) {
				memcpy(flow->in + b * flow->words, set, flow->words * sizeof *set);
				changed = true;
			}
		}
	}
}

/* ---- what the search for leaks finds in a function that ends the program --------------------------------------------- */

/* Does `block` end the program by a call?  A failed assertion ends it too, but no search for leaks follows. */
static bool ends_program(const struct flow *flow, size_t block)
{
	static const char *const names[] = { "exit", "_exit", "_Exit" };
	uint32_t last = flow->first[block + 1] - 1;
	const struct image_insn *call = &flow->code[last - 1];
	if (flow->code[last].op != IMAGE_UNREACHABLE || last == flow->first[block])
		return false;
	const struct image_function *called = callee(flow, call);
	if (!called)
		return call->op == IMAGE_CALLI;
	return IS_AMONG(builder_at(flow->b, IMAGE_STRINGS, called->name), names) || !(called->flags & FUNCTION_EXTERN);
}

static void meet(const struct flow *flow, uint32_t target, void *data)
{
	const uint64_t *set = data;
	uint64_t *in = flow->held + (target < flow->count ? flow->block_of[target] : 0) * flow->words;
	for (size_t w = 0; target < flow->count && w < flow->words; w++)
		in[w] &= set[w];
}

static bool is_narrow(const struct image_insn *insn)
{
	char role = image_opcodes[insn->op].roles[0];
	return (role == 'd' && insn->bits < 64) || (role == 'D' && insn->aux < 64);
}

/* Find, by forward data flow, the registers that have got a value on every way to the start of each block; the others hold
 * anything. */
static void find_assigned(struct flow *flow, uint32_t parameters, uint64_t *set)
{
	memset(flow->held, 0xff, flow->nblocks * flow->words * sizeof *set);
	memset(flow->held, 0, flow->words * sizeof *set);
	add(flow->held, 0, parameters);
	uint64_t *before = xrealloc(NULL, flow->nblocks * flow->words * sizeof *before);
	do {
		memcpy(before, flow->held, flow->nblocks * flow->words * sizeof *before);
		for (size_t b = 0; b < flow->nblocks; b++) {
			memcpy(set, flow->held + b * flow->words, flow->words * sizeof *set);
			for (uint32_t i = flow->first[b]; i < flow->first[b + 1]; i++)
				add(set, flow->code[i].dst, slots_defined(flow->b, &flow->code[i]));
			successors(flow, flow->first[b + 1] - 1, meet, set);
		}
	} while (memcmp(before, flow->held, flow->nblocks * flow->words * sizeof *before) != 0);
	free(before);
}

/* Let pointers that have been assigned count as used where the function ends the program: it still has its variables there, so what
 * they point to has not leaked. */
static void hold_pointers(struct flow *flow, uint32_t parameters, uint64_t *set)
{
	flow->held = xrealloc(NULL, (flow->nblocks * flow->words + 1) * sizeof *flow->held);
	find_assigned(flow, parameters, set);
	uint64_t *wide = calloc(flow->words, sizeof *wide);
	add(wide, 0, parameters);
	for (size_t i = 0; i < flow->count; i++)
		if (!is_narrow(&flow->code[i]))
			add(wide, flow->code[i].dst, slots_defined(flow->b, &flow->code[i]));
	for (size_t b = 0; b < flow->nblocks; b++) {
		uint64_t *held = flow->held + b * flow->words;
		for (uint32_t i = flow->first[b]; i < flow->first[b + 1]; i++)
			add(held, flow->code[i].dst, slots_defined(flow->b, &flow->code[i]));
		for (size_t w = 0; w < flow->words; w++)
			held[w] = ends_program(flow, b) ? held[w] & wide[w] : 0;
	}
	free(wide);
}

/* ---- the live sets ---------------------------------------------------------------------------------------------------- */

/* Write the registers that count rounds at instruction `at`, and then their number, to `list`.  Return how many words that is. */
static uint32_t list_counters(const struct flow *flow, size_t at, const uint64_t *set, uint32_t *list)
{
	uint32_t n = 0;
	for (size_t i = 0; i < flow->e->ncounts; i++) {
		const struct count *count = &flow->e->counts[i];
		size_t first = count->first + flow->e->nprologue, last = count->last + flow->e->nprologue;
		if (at >= first && at < last && (set[count->reg / 64] >> count->reg % 64 & 1))
			list[n++] = count->reg;
	}
	list[n] = n;
	return n + 1;
}

/* Add `set` to the pool, in the form of live_ok() in image.c, and return where it is. */
static uint32_t pool_set(struct flow *flow, size_t at, const uint64_t *set, uint32_t *list)
{
	uint32_t first = list_counters(flow, at, set, list), n = 0;
	for (size_t w = 0; w < flow->words; w++)
		for (uint64_t bits = set[w]; bits; bits &= bits - 1)
			list[first + ++n] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
	list[first] = n;
	return builder_pool(flow->b, list, first + n + 1) + first;
}

static void write_sets(struct flow *flow, uint64_t *set, uint32_t *list)
{
	uint32_t rest_before = FUNCTION_EXTERN | FUNCTION_ATOMIC | FUNCTION_WATCHED;
	if (flow->e->t->request->options.interrupts != INTERRUPTS_NONE) /* runtime/memory/interrupts.h */
		rest_before |= FUNCTION_LIBRARY;
	for (size_t b = 0; b < flow->nblocks; b++) {
		live_out(flow, b, set);
		for (uint32_t i = flow->first[b + 1]; i-- > flow->first[b];) {
			struct image_insn *insn = &flow->code[i];
			const struct image_function *called = callee(flow, insn);
			assert(insn->live == IMAGE_NONE); /* it is written once */
			drop(set, insn->dst, slots_defined(flow->b, insn));
			mind_jumps(flow, insn, set);
			if (called && !(called->flags & rest_before))
				insn->live = pool_set(flow, i, set, list); /* the frame waits here for the callee */
			add_used(flow, insn, set);
			if (insn->live == IMAGE_NONE && image_opcodes[insn->op].rests)
				insn->live = pool_set(flow, i, set, list);
		}
	}
}

void find_live_registers(const struct emitter *e, struct image_insn *code, size_t count, const struct image_function *f)
{
	uint32_t registers = f->registers;
	struct flow flow = { .e = e, .b = &e->t->builder, .code = code, .count = count, .words = registers / 64 + 1 };
	find_blocks(&flow);
	flow.in = calloc(flow.nblocks * flow.words + 1, sizeof *flow.in);
	uint64_t *set = xrealloc(NULL, flow.words * sizeof *set);
	uint32_t *list = xrealloc(NULL, (registers + e->ncounts + 3) * sizeof *list);
	for (size_t i = 0; i < count && !flow.again; i++)
		if (returns_twice(&flow, &code[i]))
			flow.again = calloc(flow.words, sizeof *flow.again);
	if (e->t->request->options.leaks)
		hold_pointers(&flow, f->parameters, set);
	solve(&flow, set);
	write_sets(&flow, set, list);
	free(list);
	free(set);
	free(flow.in);
	free(flow.again);
	free(flow.held);
	free(flow.block_of);
	free(flow.first);
}
