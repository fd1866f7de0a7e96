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
 * Here are the conditions that can be seen in the code; what rounds really do, the search finds out
 * (runtime/search/step/bounded_waits.c).
 *   (1) All that a round hands on to the next one in registers are *counters*: values that are added to, compared with something
 *       that stays the same in the loop, and used for nothing else.
 *   (2) Such a comparison does nothing but end the loop, or not; or it asks behind the loop what its head has asked, as in
 *       `if (i == 128)`.
 * The search relies on these two.  The others only keep it from trying loops in vain:
 *   (3) There is another way out of the loop.
 *   (4) Nothing in the loop surely changes memory.
 *
 * How many rounds there will be can be computed, where each round changes a variable of the loop by the same: the search need not
 * take them one by one.  What is compared is then that variable, with a number added, as a narrower or a wider integer.
 */
#include "instructions.h"
#include "../read/variables.h"
#include "../../runtime/image/policy.h"

#include <assert.h>
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

/* A counter as a function of the phi that it is made of; see struct image_bound. */
struct form {
	LLVMValueRef phi;
	unsigned bits, wide_bits;
	bool negated, wide_negated;
	uint64_t add, wide_add;
	enum image_extension extension;
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

/* Return all blocks that control can come to from `entry` without passing `head`. */
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
	assert(!contains(&found, head));
	return found;
}

/* Add the blocks from which control goes to `block`, except those in `not`. */
static void add_predecessors(struct blocks *found, LLVMBasicBlockRef block, const struct blocks * not )
{
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (LLVMIsAInstruction(user) && !(not &&contains(not, LLVMGetInstructionParent(user))))
			add_block(found, LLVMGetInstructionParent(user));
	}
}

/* Find the natural loop of the head, which all ways to its back-edges pass (Aho, Lam, Sethi, Ullman: Compilers, section 9.6.6).
 * Return false if there is none. */
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

/* Return the initial value of the variable that `load` reads, if nobody writes it, else NULL. */
static LLVMValueRef loaded_constant(LLVMValueRef load)
{
	LLVMValueRef global = LLVMIsALoadInst(load) && !LLVMGetVolatile(load) ? LLVMGetOperand(load, 0) : NULL;
	if (!global || !LLVMIsAGlobalVariable(global) || LLVMIsThreadLocal(global) || !LLVMGetInitializer(global) ||
	    LLVMTypeOf(LLVMGetInitializer(global)) != LLVMTypeOf(load) || !LLVMIsAConstantInt(LLVMGetInitializer(global)))
		return NULL;
	bool written = !LLVMIsGlobalConstant(global) && LLVMGetLinkage(global) != LLVMInternalLinkage;
	for (LLVMUseRef use = LLVMGetFirstUse(global); use && !LLVMIsGlobalConstant(global); use = LLVMGetNextUse(use))
		written = written || !LLVMIsALoadInst(LLVMGetUser(use));
	return written ? NULL : LLVMGetInitializer(global);
}

/* Is `value` the same in all rounds?  Each round may compute it again. */
static bool is_fixed(const struct loop *loop, LLVMValueRef value, unsigned depth)
{
	enum { MOST = 8 };
	if (LLVMIsConstant(value) || LLVMIsAArgument(value) || loaded_constant(value))
		return true;
	if (!LLVMIsAInstruction(value) || !contains(&loop->blocks, LLVMGetInstructionParent(value)))
		return LLVMIsAInstruction(value);
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
		return depth < MOST && is_fixed(loop, LLVMGetOperand(value, 0), depth + 1) &&
			is_fixed(loop, LLVMGetOperand(value, 1), depth + 1);
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt: return depth < MOST && is_fixed(loop, LLVMGetOperand(value, 0), depth + 1);
	default: return false;
	}
}

/* Does the way from the block `from` to the block `to` lead out of the loop?  `i < 128 && !done` is tested in a block of its own,
 * where it is known to be false when control comes from the first test. */
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

/* Return the branch for which `user` only computes the condition; `user` itself if there is none.  In `!done && i < 128`, a phi or
 * what the optimiser has made of it lies between. */
static LLVMValueRef branch_behind(const struct loop *loop, LLVMValueRef user)
{
	enum { MOST = 8 };
	for (int i = 0; i < MOST && LLVMIsAInstruction(user); i++) {
		LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
		LLVMUseRef use = LLVMGetFirstUse(user);
		bool joins = opcode == LLVMPHI || opcode == LLVMSelect || opcode == LLVMAnd || opcode == LLVMOr ||
			opcode == LLVMXor;
		if (!joins || !use || LLVMGetNextUse(use) || !contains(&loop->blocks, LLVMGetInstructionParent(user)) ||
		    (opcode == LLVMPHI && LLVMGetUser(use) != LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(user))))
			break;
		user = LLVMGetUser(use);
	}
	return user;
}

/* Does `comparison` only decide whether the loop ends?  Condition (2), first half. */
static bool only_ends_loop(const struct loop *loop, LLVMValueRef comparison)
{
	for (LLVMUseRef use = LLVMGetFirstUse(comparison); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = branch_behind(loop, LLVMGetUser(use));
		if (!LLVMIsABranchInst(user) || !contains(&loop->blocks, LLVMGetInstructionParent(user)))
			return false;
		LLVMBasicBlockRef from = LLVMGetInstructionParent(user);
		if (!leaves(loop, from, LLVMGetSuccessor(user, 0)) && !leaves(loop, from, LLVMGetSuccessor(user, 1)))
			return false;
	}
	return true;
}

/* Does the comparison `head` at the head of the loop, where it lets a round begin, decide the comparison `other` of the same
 * values? */
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

/* Does `comparison` ask behind the loop what its head has asked of `value`?  Condition (2), second half: all rounds that began, and
 * did not end the loop by their number, give the same answer. */
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

/* Does `user` make another counter of the counter `value`, put into *counter, or only end the loop? */
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
		return is_fixed(loop, other, 0) && (only_ends_loop(loop, user) || asks_again(loop, value, user));
	default: return false; /* it is used for something else */
	}
}

static void add_counter(struct loop *loop, LLVMValueRef value)
{
	if (is_counter(loop, value))
		return;
	loop->counters = xrealloc(loop->counters, (loop->ncounters + 1) * sizeof(LLVMValueRef));
	loop->counters[loop->ncounters++] = value;
}

/* Find the counters of the loop.  Return false if condition (1) does not hold. */
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

/* Is each value that comes back to the head in a phi a counter? */
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

/* Is there a way out of the loop that no counter decides?  Condition (3). */
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
		if (begins(name, intrinsics[i]))
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

/* Is there a way through `function` that may change nothing? */
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

/* May a round change nothing?  Condition (4). */
static bool is_quiet(const struct loop *loop)
{
	for (size_t i = 0; i < loop->blocks.count; i++)
		if (!block_may_be_quiet(loop->blocks.items[i], 0))
			return false;
	return true;
}

/* ---- how many rounds there are ----------------------------------------------------------------------------------------- */

static unsigned width(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* Add `number` to the form, or with `negated` subtract the form from `number`. */
static void shift(struct form *form, uint64_t number, bool negated)
{
	bool *sign = form->extension ? &form->wide_negated : &form->negated;
	uint64_t *add = form->extension ? &form->wide_add : &form->add;
	*sign ^= negated;
	*add = (negated ? number - *add : number + *add) & low_ones(form->wide_bits);
}

/* Cut the form to `bits`.  The low bits of a sum are the sum of the low bits. */
static void truncate_to(struct form *form, unsigned bits)
{
	assert(bits < form->wide_bits);
	form->wide_bits = bits;
	if (form->extension && bits > form->bits) {
		form->wide_add &= low_ones(bits);
		return;
	}
	if (form->extension) {
		form->add = form->wide_negated ? form->wide_add - form->add : form->wide_add + form->add;
		form->negated ^= form->wide_negated;
		form->wide_add = 0;
		form->wide_negated = false;
		form->extension = EXTENSION_NONE;
	}
	form->bits = bits;
	form->add &= low_ones(bits);
}

static bool extend_to(struct form *form, unsigned bits, enum image_extension extension)
{
	bool again = form->extension != EXTENSION_NONE;
	assert(bits > form->wide_bits);
	if (again && (form->wide_negated || form->wide_add || form->extension != extension))
		return false;
	form->extension = extension;
	form->wide_bits = bits;
	return true;
}

static bool find_form(const struct loop *loop, LLVMValueRef value, unsigned depth, struct form *form)
{
	enum { MOST = 16 };
	if (LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == loop->head) {
		*form = (struct form){ .phi = value, .bits = width(value), .wide_bits = width(value) };
		return true;
	}
	LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
	if (depth == MOST ||
	    !(opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt))
		return false;
	bool swapped = LLVMIsAConstantInt(LLVMGetOperand(value, 0)) != NULL;
	LLVMValueRef other = LLVMGetNumOperands(value) == 2 ? LLVMGetOperand(value, !swapped) : NULL;
	if (!find_form(loop, LLVMGetOperand(value, swapped), depth + 1, form) || (other && !LLVMIsAConstantInt(other)))
		return false;
	uint64_t number = other ? LLVMConstIntGetZExtValue(other) : 0;
	if (opcode == LLVMAdd)
		shift(form, number, false);
	else if (opcode == LLVMSub)
		shift(form, swapped ? number : -number, swapped);
	else if (opcode == LLVMTrunc)
		truncate_to(form, width(value));
	else
		return extend_to(form, width(value), opcode == LLVMZExt ? EXTENSION_ZERO : EXTENSION_SIGN);
	assert(form->wide_bits == width(value));
	return true;
}

static bool is_exact(const struct form *form)
{
	return !form->extension && !form->negated && form->bits == width(form->phi);
}

/* Does each round add a number to each variable?  Which number it is may depend on the way through the round.  Two variables that
 * change places are not steady. */
static bool are_steady(const struct loop *loop)
{
	struct form form;
	LLVMValueRef phi = LLVMGetFirstInstruction(loop->head);
	for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
		for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
			if (contains(&loop->blocks, LLVMGetIncomingBlock(phi, i)) &&
			    !(find_form(loop, LLVMGetIncomingValue(phi, i), 0, &form) && form.phi == phi && is_exact(&form)))
				return false;
	return true;
}

static void add_words(struct operands *list, const void *words, size_t size)
{
	for (size_t i = 0; i < size / sizeof(uint32_t); i++)
		operands_add(list, ((const uint32_t *)words)[i]);
}

/* Return the number of the variable `phi`; `first` is that of the first variable of the loop. */
static uint32_t variable_of(const struct loop *loop, LLVMValueRef phi, uint32_t first)
{
	for (LLVMValueRef other = LLVMGetFirstInstruction(loop->head); other != phi; other = LLVMGetNextInstruction(other)) {
		assert(LLVMIsAPHINode(other)); /* `phi` is among those of the head */
		first++;
	}
	return first;
}

static enum image_icmp predicate_of(LLVMValueRef comparison, bool swapped)
{
	/* clang-format off */
	switch (LLVMGetICmpPredicate(comparison)) {
	case LLVMIntEQ: case LLVMIntNE: return ICMP_EQ; /* they change together */
	case LLVMIntUGT: return swapped ? ICMP_ULT : ICMP_UGT;
	case LLVMIntUGE: return swapped ? ICMP_ULE : ICMP_UGE;
	case LLVMIntULT: return swapped ? ICMP_UGT : ICMP_ULT;
	case LLVMIntULE: return swapped ? ICMP_UGE : ICMP_ULE;
	case LLVMIntSGT: return swapped ? ICMP_SLT : ICMP_SGT;
	case LLVMIntSGE: return swapped ? ICMP_SLE : ICMP_SGE;
	case LLVMIntSLT: return swapped ? ICMP_SGT : ICMP_SLT;
	case LLVMIntSLE: return swapped ? ICMP_SGE : ICMP_SLE;
	}
	/* clang-format on */
	return ICMP_PREDICATES;
}

/* What a variable is compared with, as a function of a register; see struct image_bound. */
struct limit {
	LLVMValueRef from; /* NULL: there is none */
	unsigned bits;     /* of it, that are extended */
	enum image_extension extension;
	uint64_t factor, add;
};

static bool extend_limit(struct limit *limit, unsigned bits, enum image_extension extension)
{
	if (!limit->from) {
		uint64_t value = limit->add & low_ones(bits), sign = UINT64_C(1) << (bits - 1);
		limit->add = extension == EXTENSION_SIGN ? (value ^ sign) - sign : value;
		return true;
	}
	if (limit->extension || limit->factor != 1 || limit->add)
		return false;
	limit->bits = bits;
	limit->extension = extension;
	return true;
}

static bool join_limits(struct limit *a, const struct limit *b, LLVMOpcode opcode)
{
	uint64_t sign = opcode == LLVMSub ? UINT64_MAX : 1, factor_a = opcode == LLVMMul ? b->add : 1,
		 factor_b = opcode == LLVMMul ? a->add : sign;
	if (a->from && b->from)
		return false;
	assert(a->from || a->factor == 1); /* what is made of constants only is all in `add` */
	struct limit joint = b->from ? *b : *a;
	joint.factor *= b->from ? factor_b : factor_a;
	joint.add = opcode == LLVMMul ? a->add * b->add : a->add + sign * b->add;
	*a = joint;
	return true;
}

static bool find_limit(const struct loop *loop, LLVMValueRef value, struct limit *limit)
{
	LLVMValueRef constant = LLVMIsAConstantInt(value) ? value : loaded_constant(value);
	*limit = (struct limit){ .bits = width(value), .factor = 1 };
	if (constant) {
		limit->add = LLVMConstIntGetZExtValue(constant);
		return true;
	}
	if (LLVMIsConstant(value) || width(value) > 64)
		return false;
	if (LLVMIsAArgument(value) || !contains(&loop->blocks, LLVMGetInstructionParent(value))) {
		limit->from = value;
		return true;
	}
	struct limit other;
	LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
	LLVMValueRef first = LLVMGetOperand(value, 0);
	switch (opcode) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
		return find_limit(loop, first, limit) && find_limit(loop, LLVMGetOperand(value, 1), &other) &&
			join_limits(limit, &other, opcode);
	case LLVMTrunc: return find_limit(loop, first, limit);
	case LLVMZExt: return find_limit(loop, first, limit) && extend_limit(limit, width(first), EXTENSION_ZERO);
	case LLVMSExt: return find_limit(loop, first, limit) && extend_limit(limit, width(first), EXTENSION_SIGN);
	default: return false;
	}
}

static bool add_bound(struct emitter *e, const struct loop *loop, LLVMValueRef value, LLVMValueRef comparison,
		      struct operands *list)
{
	struct form form;
	bool swapped = LLVMGetOperand(comparison, 1) == value;
	struct limit limit;
	if (!find_form(loop, value, 0, &form) || !find_limit(loop, LLVMGetOperand(comparison, !swapped), &limit))
		return false;
	struct image_bound bound = {
		.variable = variable_of(loop, form.phi, e->nvariables),
		.bits = form.bits,
		.negated = form.negated,
		.add = { (uint32_t)form.add, (uint32_t)(form.add >> 32) },
		.extension = form.extension,
		.wide_bits = form.wide_bits,
		.wide_negated = form.wide_negated,
		.wide_add = { (uint32_t)form.wide_add, (uint32_t)(form.wide_add >> 32) },
		.predicate = predicate_of(comparison, swapped),
		.reg = limit.from ? result_of(e, limit.from) : IMAGE_NONE,
		.reg_bits = limit.bits,
		.reg_extension = limit.extension,
		.limit_factor = { (uint32_t)limit.factor, (uint32_t)(limit.factor >> 32) },
		.limit_add = { (uint32_t)limit.add, (uint32_t)(limit.add >> 32) },
	};
	assert(bound.predicate < ICMP_PREDICATES);
	add_words(list, &bound, sizeof bound);
	return true;
}

/* Append the bounds of the loop to `list`.  Return false if one has another form than struct image_bound. */
static bool find_bounds(struct emitter *e, const struct loop *loop, struct operands *list)
{
	for (size_t i = 0; i < loop->ncounters; i++)
		for (LLVMUseRef use = LLVMGetFirstUse(loop->counters[i]); use; use = LLVMGetNextUse(use)) {
			LLVMValueRef user = LLVMGetUser(use);
			if (LLVMIsAICmpInst(user) && contains(&loop->blocks, LLVMGetInstructionParent(user)) &&
			    !add_bound(e, loop, loop->counters[i], user, list))
				return false;
		}
	return true;
}

static void add_counters(struct emitter *e, const struct loop *loop)
{
	struct form form;
	for (size_t i = 0; i < loop->ncounters; i++) {
		if (!find_form(loop, loop->counters[i], 0, &form) || form.extension)
			continue;
		struct image_counter counter = {
			.reg = result_of(e, loop->counters[i]),
			.bits = form.bits,
			.variable = variable_of(loop, form.phi, e->nvariables),
			.exact = is_exact(&form),
			.offset = { (uint32_t)form.add, (uint32_t)(form.add >> 32) },
		};
		add_words(&e->counters, &counter, sizeof counter);
	}
}

static void describe(struct emitter *e, const struct loop *loop)
{
	struct operands bounds = { 0 };
	if (are_steady(loop) && find_bounds(e, loop, &bounds)) {
		add_counters(e, loop);
		add_words(&e->bounds, bounds.items, bounds.count * sizeof *bounds.items);
		e->nvariables += (uint32_t)loop->ncounters;
	}
	free(bounds.items);
}

uint32_t add_waits(struct emitter *e)
{
	struct image_waits waits = {
		.counters = e->counters.count / (sizeof(struct image_counter) / sizeof(uint32_t)),
		.bounds = e->bounds.count / (sizeof(struct image_bound) / sizeof(uint32_t)),
	};
	struct operands all = { 0 };
	assert(waits.counters * sizeof(struct image_counter) == e->counters.count * sizeof(uint32_t));
	assert(waits.bounds * sizeof(struct image_bound) == e->bounds.count * sizeof(uint32_t));
	if (e->counters.count == 0)
		return 0;
	add_words(&all, &waits, sizeof waits);
	add_words(&all, e->counters.items, e->counters.count * sizeof(uint32_t));
	add_words(&all, e->bounds.items, e->bounds.count * sizeof(uint32_t));
	uint32_t at = builder_pool(&e->t->builder, all.items, all.count);
	free(all.items);
	return at;
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
	if (spins)
		describe(e, &loop);
	release(&loop.blocks);
	free(loop.counters);
}
