/* SPDX-License-Identifier: MIT
 *
 * Loops that may be bounded waits: they try something, and give up after a number of rounds.
 *
 *     for (int i = 0; i < 128; i++) {
 *             if (try_lock(l))
 *                     return;
 *             pause();
 *     }
 *
 * Here are the conditions that can be seen in the code; what rounds really do, the search finds out (runtime/search/spins.c).
 *   (1) All that a round hands on to the next one in registers are *counters*: values that are added to, compared with something
 *       that stays the same in the loop, and used for nothing else.
 *   (2) Such a comparison does nothing but end the loop, or not; or it asks behind the loop what its head has asked, as in
 *       `if (i == 128)`.
 * The search relies on these two.  The others only keep it from trying loops in vain:
 *   (3) There is another way out of the loop.
 *   (4) Nothing in the loop surely changes memory.
 */
#include "lower.h"
#include "variables.h"
#include "../runtime/image/policy.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 4 }; /* calls within calls that are looked into */

struct blocks {
	LLVMBasicBlockRef *items;
	size_t count;
	struct map *set;
};

struct loop {
	LLVMBasicBlockRef head;
	struct blocks blocks;
	LLVMValueRef *counters;
	size_t ncounters;
};

static bool contains(const struct blocks *blocks, LLVMBasicBlockRef block)
{
	return map_get(blocks->set, block, NULL);
}

static void add_block(struct blocks *blocks, LLVMBasicBlockRef block)
{
	if (contains(blocks, block))
		return;
	map_put(&blocks->set, block, 1);
	blocks->items = xrealloc(blocks->items, (blocks->count + 1) * sizeof(LLVMBasicBlockRef));
	blocks->items[blocks->count++] = block;
}

static void release(struct blocks *blocks)
{
	free(blocks->items);
	map_free(&blocks->set);
}

/* ---- the blocks of a loop ---------------------------------------------------------------------------------------------- */

/* All that control can come to from the function's entry without passing `head`. */
static struct blocks before(LLVMBasicBlockRef entry, LLVMBasicBlockRef head)
{
	struct blocks found = { 0 };
	if (entry != head)
		add_block(&found, entry);
	for (size_t i = 0; i < found.count; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(found.items[i]);
		for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
			if (LLVMGetSuccessor(end, k) != head)
				add_block(&found, LLVMGetSuccessor(end, k));
	}
	return found;
}

/* Add the blocks from which control goes to `block`, but for those in `not`. */
static void add_predecessors(struct blocks *found, LLVMBasicBlockRef block, const struct blocks * not )
{
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsAInstruction(user) && !(not &&contains(not, LLVMGetInstructionParent(user))))
			add_block(found, LLVMGetInstructionParent(user));
	}
}

/* The natural loop of a head that all ways to its back-edges pass (Aho, Lam, Sethi, Ullman: Compilers, section 9.6.6).  False if
 * there is none. */
static bool find_blocks(struct loop *loop, LLVMBasicBlockRef entry)
{
	struct blocks outside = before(entry, loop->head);
	add_block(&loop->blocks, loop->head);
	add_predecessors(&loop->blocks, loop->head, &outside);
	for (size_t i = 1; i < loop->blocks.count; i++)
		add_predecessors(&loop->blocks, loop->blocks.items[i], NULL);
	bool natural = loop->blocks.count > 1 || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(loop->head)) == 2;
	for (size_t i = 0; i < loop->blocks.count; i++)
		natural = natural && !contains(&outside, loop->blocks.items[i]);
	release(&outside);
	return natural && entry != loop->head;
}

/* ---- counters ---------------------------------------------------------------------------------------------------------- */

static bool is_fixed(const struct loop *loop, LLVMValueRef value)
{
	return LLVMIsConstant(value) || LLVMIsAArgument(value) ||
		(LLVMIsAInstruction(value) && !contains(&loop->blocks, LLVMGetInstructionParent(value)));
}

/* What a phi is when control comes from this block. */
static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMGetIncomingBlock(phi, i) == from)
			return LLVMGetIncomingValue(phi, i);
	return NULL;
}

/* Does the way from one block to the other lead out of the loop?  `i < 128 && !done` is tested in a block of its own, where it is
 * known to be false when control comes from the first test. */
static bool leaves(const struct loop *loop, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	enum { MOST = 8 };
	for (int i = 0; i < MOST; i++) {
		if (!contains(&loop->blocks, to))
			return true;
		LLVMValueRef end = LLVMGetBasicBlockTerminator(to);
		if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMIsAPHINode(LLVMGetCondition(end)) ||
		    LLVMGetInstructionParent(LLVMGetCondition(end)) != to)
			return false;
		LLVMValueRef value = incoming(LLVMGetCondition(end), from);
		if (!value || !LLVMIsAConstantInt(value))
			return false;
		from = to;
		to = LLVMGetSuccessor(end, LLVMConstIntGetZExtValue(value) ? 0 : 1);
	}
	return false;
}

/* Condition (2), first half. */
static bool only_ends_loop(const struct loop *loop, LLVMValueRef comparison)
{
	for (LLVMUseRef use = LLVMGetFirstUse(comparison); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsABranchInst(user) || !contains(&loop->blocks, LLVMGetInstructionParent(user)))
			return false;
		LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
		if (!leaves(loop, from, LLVMGetSuccessor(user, 0)) && !leaves(loop, from, LLVMGetSuccessor(user, 1)))
			return false;
	}
	return true;
}

/* Does the comparison at the loop's head, when it lets a round begin, decide another one of the same values? */
static bool decides(LLVMIntPredicate head, LLVMIntPredicate other)
{
	static const LLVMIntPredicate inverse[][2] = {
		{ LLVMIntEQ, LLVMIntNE },   { LLVMIntSLT, LLVMIntSGE }, { LLVMIntSGT, LLVMIntSLE },
		{ LLVMIntULT, LLVMIntUGE }, { LLVMIntUGT, LLVMIntULE },
	};
	for (size_t i = 0; i < sizeof inverse / sizeof *inverse; i++)
		if ((inverse[i][0] == head && inverse[i][1] == other) || (inverse[i][1] == head && inverse[i][0] == other))
			return true;
	bool strict = head == LLVMIntSLT || head == LLVMIntSGT || head == LLVMIntULT || head == LLVMIntUGT || head == LLVMIntNE;
	return head == other || (strict && (other == LLVMIntEQ || other == LLVMIntNE));
}

/* Condition (2), second half: all rounds that began, and did not end the loop by their number, give the same answer. */
static bool asks_again(const struct loop *loop, LLVMValueRef value, LLVMValueRef comparison)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->head);
	LLVMValueRef asked = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
	if (contains(&loop->blocks, LLVMGetInstructionParent(comparison)) || !asked || !LLVMIsAICmpInst(asked))
		return false;
	return LLVMIsAPHINode(value) && LLVMGetInstructionParent(asked) == loop->head && LLVMGetOperand(asked, 0) == value &&
		LLVMGetOperand(comparison, 0) == value && LLVMGetOperand(asked, 1) == LLVMGetOperand(comparison, 1) &&
		LLVMIsConstant(LLVMGetOperand(asked, 1)) && !leaves(loop, loop->head, LLVMGetSuccessor(end, 0)) &&
		decides(LLVMGetICmpPredicate(asked), LLVMGetICmpPredicate(comparison));
}

static bool is_counter(const struct loop *loop, LLVMValueRef value)
{
	for (size_t i = 0; i < loop->ncounters; i++)
		if (loop->counters[i] == value)
			return true;
	return false;
}

/* Does this use of a counter make another one, in `*counter`, or only end the loop?  It does neither: false. */
static bool use_counts(const struct loop *loop, LLVMValueRef value, LLVMValueRef user, LLVMValueRef *counter)
{
	*counter = user;
	if (!LLVMIsAInstruction(user))
		return false;
	LLVMValueRef other = LLVMGetNumOperands(user) == 2 ? LLVMGetOperand(user, LLVMGetOperand(user, 0) == value) : NULL;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMAdd:
	case LLVMSub: return LLVMIsAConstantInt(other);
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt: return true;
	case LLVMPHI: return LLVMGetInstructionParent(user) == loop->head;
	case LLVMICmp:
		*counter = NULL;
		return is_fixed(loop, other) && (only_ends_loop(loop, user) || asks_again(loop, value, user));
	default: return false;
	}
}

static void add_counter(struct loop *loop, LLVMValueRef value)
{
	if (is_counter(loop, value))
		return;
	loop->counters = xrealloc(loop->counters, (loop->ncounters + 1) * sizeof(LLVMValueRef));
	loop->counters[loop->ncounters++] = value;
}

/* Condition (1). */
static bool find_counters(struct loop *loop)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(loop->head);
	for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
		add_counter(loop, phi);
	for (size_t i = 0; i < loop->ncounters; i++) {
		LLVMValueRef value = loop->counters[i], counter;
		if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
			return false;
		for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
			if (!use_counts(loop, value, LLVMGetUser(use), &counter))
				return false;
			if (counter)
				add_counter(loop, counter);
		}
	}
	return loop->ncounters > 0;
}

/* What comes back to the head in a phi is a counter, not just any value. */
static bool are_closed(const struct loop *loop)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(loop->head);
	for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
		for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
			if (contains(&loop->blocks, LLVMGetIncomingBlock(phi, i)) &&
			    !is_counter(loop, LLVMGetIncomingValue(phi, i)))
				return false;
	return true;
}

/* ---- what keeps the search from trying in vain ------------------------------------------------------------------------- */

static bool tests_counter(const struct loop *loop, LLVMValueRef end)
{
	LLVMValueRef condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
	return condition && LLVMIsAICmpInst(condition) &&
		(is_counter(loop, LLVMGetOperand(condition, 0)) || is_counter(loop, LLVMGetOperand(condition, 1)));
}

/* Condition (3). */
static bool has_other_exit(const struct loop *loop)
{
	for (size_t i = 0; i < loop->blocks.count; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->blocks.items[i]);
		for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
			if (!contains(&loop->blocks, LLVMGetSuccessor(end, k)) && !tests_counter(loop, end))
				return true;
	}
	return false;
}

static bool may_be_quiet(LLVMValueRef function, unsigned depth);

static bool call_may_be_quiet(LLVMValueRef call, unsigned depth)
{
	static const char *const intrinsics[] = { "llvm.dbg.", "llvm.x86.sse2.pause", "llvm.expect.", "llvm.assume" };
	LLVMValueRef called = LLVMGetCalledValue(call);
	if (LLVMIsAInlineAsm(called))
		return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind && LLVMGetNumArgOperands(call) == 0;
	if (!LLVMIsAFunction(called))
		return false;
	if (is_undefined(called))
		return true;
	if (!LLVMIsDeclaration(called))
		return depth < MOST_CALLS && may_be_quiet(called, depth + 1);
	size_t length;
	const char *name = LLVMGetValueName2(called, &length);
	for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
		if (strncmp(name, intrinsics[i], strlen(intrinsics[i])) == 0)
			return true;
	return builtin_may_be_quiet(name);
}

static bool insn_may_be_quiet(LLVMValueRef insn, unsigned depth)
{
	switch (LLVMGetInstructionOpcode(insn)) {
	case LLVMCall: return call_may_be_quiet(insn, depth);
	case LLVMAtomicRMW: {
		LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(insn); /* these may write what is there already */
		return op == LLVMAtomicRMWBinOpXchg || op == LLVMAtomicRMWBinOpOr || op == LLVMAtomicRMWBinOpAnd;
	}
	case LLVMStore:
	case LLVMAlloca:
	case LLVMInvoke:
	case LLVMVAArg: return false;
	default: return true;
	}
}

static bool block_may_be_quiet(LLVMBasicBlockRef block, unsigned depth)
{
	for (LLVMValueRef insn = LLVMGetFirstInstruction(block); insn; insn = LLVMGetNextInstruction(insn))
		if (!insn_may_be_quiet(insn, depth))
			return false;
	return true;
}

/* Is there a way through the function that may change nothing? */
static bool may_be_quiet(LLVMValueRef function, unsigned depth)
{
	struct blocks reached = { 0 };
	bool returns = false;
	add_block(&reached, LLVMGetEntryBasicBlock(function));
	for (size_t i = 0; i < reached.count && !returns; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(reached.items[i]);
		if (!block_may_be_quiet(reached.items[i], depth))
			continue;
		returns = LLVMIsAReturnInst(end) != NULL;
		for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
			add_block(&reached, LLVMGetSuccessor(end, k));
	}
	release(&reached);
	return returns;
}

/* Condition (4). */
static bool is_quiet(const struct loop *loop)
{
	for (size_t i = 0; i < loop->blocks.count; i++)
		if (!block_may_be_quiet(loop->blocks.items[i], 0))
			return false;
	return true;
}

static void add_count(struct emitter *e, LLVMBasicBlockRef block, uint32_t reg)
{
	e->counts = xrealloc(e->counts, (e->ncounts + 1) * sizeof *e->counts);
	e->counts[e->ncounts++] = (struct count){ .block = block, .reg = reg };
	e->t->spins = true;
}

void find_spins(struct emitter *e, LLVMBasicBlockRef head)
{
	struct loop loop = { .head = head };
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
	bool spins = LLVMIsAPHINode(LLVMGetFirstInstruction(head)) && find_blocks(&loop, entry) && find_counters(&loop) &&
		are_closed(&loop) && has_other_exit(&loop) && is_quiet(&loop);
	for (size_t i = 0; spins && i < loop.ncounters; i++)
		for (size_t k = 0; k < loop.blocks.count; k++)
			add_count(e, loop.blocks.items[k], result_of(e, loop.counters[i]));
	release(&loop.blocks);
	free(loop.counters);
}
