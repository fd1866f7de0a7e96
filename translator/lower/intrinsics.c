/* SPDX-License-Identifier: MIT
 *
 * LLVM's intrinsics, by name: one table of those that do nothing, one of those that are an instruction of the image, and
 * a function each for the rest.
 */
#include "instructions.h"
#include "../read/read.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE       IMAGE_NONE
#define MOST_PARTS 64u /* in which one block is written */

static const char *const ignored[] = {
	"llvm.dbg.",
	"llvm.experimental.noalias.scope.decl",
	"llvm.invariant.end",
	"llvm.donothing",
	"llvm.prefetch",
	"llvm.sideeffect",
	"llvm.var.annotation",
	"llvm.x86.sse2.pause",
	"llvm.x86.sse2.clflush",
	"llvm.x86.clflushopt",
	"llvm.x86.clwb",
	"llvm.va_end",
	"llvm.fake.use",
	"llvm.codeview.annotation",
};

/* Lane by lane, one instruction each; "." ends the name proper. */
static const struct {
	const char *name;
	enum image_opcode op;
	unsigned operands;
} simple[] = {
	{ "llvm.abs.", IMAGE_ABS, 1 },
	{ "llvm.smax.", IMAGE_SMAX, 2 },
	{ "llvm.smin.", IMAGE_SMIN, 2 },
	{ "llvm.umax.", IMAGE_UMAX, 2 },
	{ "llvm.umin.", IMAGE_UMIN, 2 },
	{ "llvm.ctlz.", IMAGE_CTLZ, 1 },
	{ "llvm.cttz.", IMAGE_CTTZ, 1 },
	{ "llvm.ctpop.", IMAGE_CTPOP, 1 },
	{ "llvm.bswap.", IMAGE_BSWAP, 1 },
	{ "llvm.bitreverse.", IMAGE_BITREVERSE, 1 },
	{ "llvm.fshl.", IMAGE_FSHL, 3 },
	{ "llvm.fshr.", IMAGE_FSHR, 3 },
	{ "llvm.sadd.sat.", IMAGE_SADDSAT, 2 },
	{ "llvm.uadd.sat.", IMAGE_UADDSAT, 2 },
	{ "llvm.ssub.sat.", IMAGE_SSUBSAT, 2 },
	{ "llvm.usub.sat.", IMAGE_USUBSAT, 2 },
	{ "llvm.fma.", IMAGE_FMA, 3 },
	{ "llvm.fabs.", IMAGE_FABS, 1 },
	{ "llvm.sqrt.", IMAGE_FSQRT, 1 },
	{ "llvm.floor.", IMAGE_FFLOOR, 1 },
	{ "llvm.ceil.", IMAGE_FCEIL, 1 },
	{ "llvm.trunc.", IMAGE_FTRUNC, 1 },
	{ "llvm.rint.", IMAGE_FRINT, 1 },
	{ "llvm.nearbyint.", IMAGE_FRINT, 1 },
	{ "llvm.roundeven.", IMAGE_FRINT, 1 },
	{ "llvm.round.", IMAGE_FROUND, 1 },
	{ "llvm.sin.", IMAGE_FSIN, 1 },
	{ "llvm.cos.", IMAGE_FCOS, 1 },
	{ "llvm.exp.", IMAGE_FEXP, 1 },
	{ "llvm.exp2.", IMAGE_FEXP2, 1 },
	{ "llvm.log.", IMAGE_FLOG, 1 },
	{ "llvm.log2.", IMAGE_FLOG2, 1 },
	{ "llvm.log10.", IMAGE_FLOG10, 1 },
	{ "llvm.pow.", IMAGE_FPOW, 2 },
	{ "llvm.powi.", IMAGE_FPOWI, 2 },
	{ "llvm.minnum.", IMAGE_FMINNUM, 2 },
	{ "llvm.maxnum.", IMAGE_FMAXNUM, 2 },
	{ "llvm.copysign.", IMAGE_FCOPYSIGN, 2 },
	{ "llvm.expect.", IMAGE_MOV, 1 },
	{ "llvm.annotation.", IMAGE_MOV, 1 },
	{ "llvm.ssa.copy.", IMAGE_MOV, 1 },
	{ "llvm.ptrmask.", IMAGE_AND, 2 },
	{ "llvm.launder.invariant.group", IMAGE_MOV, 1 },
	{ "llvm.strip.invariant.group", IMAGE_MOV, 1 },
	{ "llvm.fptoui.sat.", IMAGE_FPTOUI, 1 },
	{ "llvm.fptosi.sat.", IMAGE_FPTOSI, 1 },
};

static const struct {
	const char *name;
	enum image_opcode op;
} overflowing[] = {
	{ "llvm.sadd.with.overflow.", IMAGE_SADDO }, { "llvm.uadd.with.overflow.", IMAGE_UADDO },
	{ "llvm.ssub.with.overflow.", IMAGE_SSUBO }, { "llvm.usub.with.overflow.", IMAGE_USUBO },
	{ "llvm.smul.with.overflow.", IMAGE_SMULO }, { "llvm.umul.with.overflow.", IMAGE_UMULO },
};

/* The steps of a reduction over the lanes of a vector; the operand that holds it, and whether a start value comes first. */
static const struct {
	const char *name;
	enum image_opcode op;
	bool start;
} reductions[] = {
	{ "llvm.vector.reduce.add.", IMAGE_ADD, false },      { "llvm.vector.reduce.mul.", IMAGE_MUL, false },
	{ "llvm.vector.reduce.and.", IMAGE_AND, false },      { "llvm.vector.reduce.or.", IMAGE_OR, false },
	{ "llvm.vector.reduce.xor.", IMAGE_XOR, false },      { "llvm.vector.reduce.smax.", IMAGE_SMAX, false },
	{ "llvm.vector.reduce.smin.", IMAGE_SMIN, false },    { "llvm.vector.reduce.umax.", IMAGE_UMAX, false },
	{ "llvm.vector.reduce.umin.", IMAGE_UMIN, false },    { "llvm.vector.reduce.fmax.", IMAGE_FMAXNUM, false },
	{ "llvm.vector.reduce.fmin.", IMAGE_FMINNUM, false }, { "llvm.vector.reduce.fadd.", IMAGE_FADD, true },
	{ "llvm.vector.reduce.fmul.", IMAGE_FMUL, true },
};

static LLVMValueRef argument(LLVMValueRef call, unsigned i)
{
	return LLVMGetOperand(call, i);
}

static bool is_conversion(enum image_opcode op)
{
	return op == IMAGE_FPTOUI || op == IMAGE_FPTOSI;
}

/* Return the flags of llvm.abs, which newer clangs make of abs(): is the absolute value of the least integer an overflow? */
static unsigned abs_flags(struct emitter *e, LLVMValueRef call)
{
	bool overflows = LLVMConstIntGetZExtValue(argument(call, 1));
	return overflows && e->t->request->options.overflow ? IMAGE_NSW : 0;
}

static void lower_simple(struct emitter *e, LLVMValueRef call, enum image_opcode op, unsigned operands)
{
	struct leaves leaves = flatten(e->t, LLVMTypeOf(call), call), from = flatten(e->t, LLVMTypeOf(argument(call, 0)), call);
	struct operands lists[3] = { { 0 }, { 0 }, { 0 } };
	for (unsigned k = 0; k < operands; k++)
		operands_value(e, &lists[k], argument(call, k));
	uint32_t result = result_of(e, call);
	assert(leaves.count == from.count || e->t->result->nmessages);
	unsigned flags = op == IMAGE_ABS ? abs_flags(e, call) : 0;
	for (unsigned i = 0; i < leaves.count && i < from.count; i++) {
		uint32_t o[3] = { NONE, NONE, NONE };
		for (unsigned k = 0; k < operands; k++) {
			unsigned slot = from.items[i].slot;
			o[k] = lists[k].items[slot < lists[k].count ? slot : 0]; /* powi: one exponent for all lanes */
		}
		emit(e, op, from.items[i].bits, is_conversion(op) ? leaves.items[i].bits : flags, result + leaves.items[i].slot,
		     o[0], o[1], o[2]);
	}
	for (unsigned k = 0; k < operands; k++)
		free(lists[k].items);
	free(leaves.items);
	free(from.items);
}

/* Emit llvm.fmuladd, which rounds twice on x86-64 without FMA. */
static void lower_fmuladd(struct emitter *e, LLVMValueRef call)
{
	struct leaves leaves = flatten(e->t, LLVMTypeOf(call), call);
	uint32_t result = result_of(e, call);
	for (unsigned i = 0; i < leaves.count; i++) {
		unsigned slot = leaves.items[i].slot, bits = leaves.items[i].bits;
		uint32_t product = new_register(e, slots_of_bits(bits));
		emit(e, IMAGE_FMUL, bits, 0, product, operand_at(e, argument(call, 0), slot),
		     operand_at(e, argument(call, 1), slot), NONE);
		emit(e, IMAGE_FADD, bits, 0, result + slot, product, operand_at(e, argument(call, 2), slot), NONE);
	}
	free(leaves.items);
}

static void lower_overflowing(struct emitter *e, LLVMValueRef call, enum image_opcode op)
{
	LLVMTypeRef type = LLVMTypeOf(argument(call, 0));
	if (bits_of_type(type) == 0) {
		unsupported(e->t, call, "unsupported overflow arithmetic on vectors");
		return;
	}
	uint32_t a = operand_of(e, argument(call, 0)), b = operand_of(e, argument(call, 1));
	emit(e, op, bits_of_type(type), 0, result_of(e, call), a, b, NONE);
}

static void lower_reduction(struct emitter *e, LLVMValueRef call, enum image_opcode op, bool start)
{
	unsigned bits = bits_of_type(LLVMTypeOf(call));
	struct operands lanes = { 0 };
	if (start)
		operands_value(e, &lanes, argument(call, 0));
	operands_value(e, &lanes, argument(call, start ? 1 : 0));
	uint32_t result = result_of(e, call);
	if (lanes.count == 0) /* flatten() has complained */
		return;
	assert(lanes.count % slots_of_bits(bits) == 0);
	emit(e, IMAGE_MOV, bits, 0, result, lanes.items[0], NONE, NONE);
	for (unsigned i = slots_of_bits(bits); i < lanes.count; i += slots_of_bits(bits))
		emit(e, op, bits, 0, result, result, lanes.items[i], NONE);
	free(lanes.items);
}

static uint64_t alignment_of_argument(LLVMValueRef call, unsigned i)
{
	LLVMAttributeRef align = attribute_of(call, i + 1, "align");
	uint64_t bytes = align ? LLVMGetEnumAttributeValue(align) : 1;
	return bytes < 8 ? bytes : 8;
}

/* Return how many of the `bytes` of a block are written at once.  A signal may interrupt the assignment of a structure, and its
 * handler sees what has been written by then: members that are aligned as the structure is are written one by one, if there are not
 * too many. */
static uint64_t bytes_at_once(struct emitter *e, LLVMValueRef call, enum image_opcode op, uint64_t bytes)
{
	uint64_t to = alignment_of_argument(call, 0), from = op == IMAGE_MEMSET ? to : alignment_of_argument(call, 1),
		 least = to < from ? to : from, parts = (bytes + least - 1) / least;
	if (e->t->request->options.interrupts == INTERRUPTS_NONE || is_library(e->function) || op == IMAGE_MEMMOVE)
		return bytes;
	return least * ((parts + MOST_PARTS - 1) / MOST_PARTS);
}

/* Load `size` bytes of a block into a new register, and return that. */
static uint32_t load_part(struct emitter *e, uint32_t source, uint64_t at, uint64_t size)
{
	uint32_t value = new_register(e, 1);
	emit(e, IMAGE_LOAD, 8 * (unsigned)size, 0, value, add_offset(e, source, at), NONE, NONE);
	return value;
}

/* Where stores wait in buffers (runtime/memory/buffers.h): copy or fill a block, unless it is large, by single loads and stores, as
 * the machine does, one part after the other.  The two blocks of memmove() may overlap, so there all loads come first.  Return
 * false if the block is large. */
static bool lower_buffered_block(struct emitter *e, LLVMValueRef call, enum image_opcode op)
{
	uint64_t to = alignment_of_argument(call, 0), from = op == IMAGE_MEMSET ? to : alignment_of_argument(call, 1);
	uint64_t part = to < from ? to : from, bytes = LLVMConstIntGetZExtValue(argument(call, 2));
	bool filled = op == IMAGE_MEMSET && LLVMIsAConstantInt(argument(call, 1)), copied = op != IMAGE_MEMSET;
	if (e->t->request->options.memory != MEMORY_TSO || bytes > part * MOST_PARTS || !(filled || copied))
		return false;
	uint64_t byte = filled ? LLVMConstIntGetZExtValue(argument(call, 1)) & UINT8_MAX : 0;
	uint32_t values[MOST_PARTS], target = operand_of(e, argument(call, 0)),
				     source = copied ? operand_of(e, argument(call, 1)) : NONE;
	for (uint64_t at = 0; op == IMAGE_MEMMOVE && at < bytes; at += part)
		values[at / part] = load_part(e, source, at, part < bytes - at ? part : bytes - at);
	for (uint64_t at = 0; at < bytes; at += part) {
		uint64_t size = part < bytes - at ? part : bytes - at,
			 all = byte * (UINT64_MAX / UINT8_MAX) & low_ones(8 * (unsigned)size);
		uint32_t value = op == IMAGE_MEMSET ? number(e, all) :
			op == IMAGE_MEMMOVE         ? values[at / part] :
						      load_part(e, source, at, size);
		emit(e, IMAGE_STORE, 8 * (unsigned)size, 0, NONE, add_offset(e, target, at), value, NONE);
	}
	return true;
}

static void lower_block_operation(struct emitter *e, LLVMValueRef call, enum image_opcode op)
{
	LLVMValueRef length = argument(call, 2);
	if (LLVMIsAConstantInt(length) && lower_buffered_block(e, call, op))
		return;
	uint32_t to = operand_of(e, argument(call, 0)), from = operand_of(e, argument(call, 1));
	if (!LLVMIsAConstantInt(length)) {
		emit(e, op, 64, 0, NONE, to, from, zero_extended(e, length));
		return;
	}
	uint64_t bytes = LLVMConstIntGetZExtValue(length), part = bytes_at_once(e, call, op, bytes);
	assert(bytes == 0 || part > 0);
	for (uint64_t at = 0; at < bytes; at += part)
		emit(e, op, 64, 0, NONE, add_offset(e, to, at), op == IMAGE_MEMSET ? from : add_offset(e, from, at),
		     number(e, part < bytes - at ? part : bytes - at));
}

/* Fill in the va_list of the System V ABI: gp_offset and fp_offset, overflow_arg_area, reg_save_area. */
static void lower_va_start(struct emitter *e, LLVMValueRef call)
{
	uint32_t list = operand_of(e, argument(call, 0));
	assert(e->area != NONE); /* the verifier has seen to it */
	emit(e, IMAGE_STORE, 64, 0, NONE, list, e->area + 2, NONE);
	emit(e, IMAGE_STORE, 64, 0, NONE, add_offset(e, list, 8), e->area, NONE);
	emit(e, IMAGE_STORE, 64, 0, NONE, add_offset(e, list, 16), e->area + 1, NONE);
}

/* Let the life of the variable at `address` begin or end, if the variable has a place for the whole call. */
static void lower_lifetime(struct emitter *e, LLVMValueRef address, bool begins)
{
	LLVMValueRef variable = LLVMIsABitCastInst(address) ? LLVMGetOperand(address, 0) : address;
	if (LLVMIsAAllocaInst(variable))
		emit_lifetime(e, operand_of(e, variable), begins);
}

static void constant_result(struct emitter *e, LLVMValueRef call, uint64_t value)
{
	unsigned bits = bits_of_type(LLVMTypeOf(call));
	emit(e, IMAGE_MOV, 64, 0, result_of(e, call), number(e, value & low_ones(bits)), NONE, NONE);
}

static LLVMValueRef without_casts(LLVMValueRef value)
{
	while (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMBitCast)
		value = LLVMGetOperand(value, 0);
	return value;
}

/* Return what `element` of a table of distances is the distance to: X in trunc(sub(ptrtoint(X), ptrtoint(table))); NULL if it has
 * another form. */
static LLVMValueRef target_of(LLVMValueRef element, LLVMValueRef table)
{
	static const LLVMOpcode path[] = { LLVMTrunc, LLVMSub, LLVMPtrToInt };
	LLVMValueRef value = element, from = NULL;
	for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
		if (!LLVMIsAConstantExpr(value) || LLVMGetConstOpcode(value) != path[i])
			return NULL;
		if (path[i] == LLVMSub)
			from = LLVMGetOperand(value, 1);
		value = LLVMGetOperand(value, 0);
	}
	bool known = LLVMIsAConstantExpr(from) && LLVMGetConstOpcode(from) == LLVMPtrToInt && LLVMGetOperand(from, 0) == table;
	return known ? value : NULL;
}

/* Make a constant with the addresses that the table of distances `table` stands for, and put its number into *index.  Return false
 * if it is no such table. */
static bool table_of_addresses(struct emitter *e, LLVMValueRef table, LLVMValueRef call, uint32_t *index)
{
	LLVMValueRef distances = LLVMIsAGlobalVariable(table) ? LLVMGetInitializer(table) : NULL;
	if (!distances || !LLVMIsGlobalConstant(table) || LLVMGetTypeKind(LLVMTypeOf(distances)) != LLVMArrayTypeKind)
		return false;
	if (map_get(e->t->globals, distances, index))
		return true;
	unsigned count = LLVMGetArrayLength(LLVMTypeOf(distances));
	uint64_t *addresses = calloc(count + 1, sizeof *addresses);
	bool known = true;
	for (unsigned i = 0; i < count && known; i++) {
		LLVMValueRef target = target_of(constant_element(distances, i), table);
		struct constant address = { .tls = IMAGE_NONE };
		known = target && constant_leaves(e->t, target, &address, 1, call) && address.tls == IMAGE_NONE &&
			!address.computed;
		addresses[i] = address.low;
	}
	if (known) {
		*index = make_global(e->t, "a table of addresses", addresses, count * sizeof *addresses,
				     GLOBAL_CONSTANT | GLOBAL_INTERNAL);
		map_put(&e->t->globals, distances, *index);
	}
	free(addresses);
	return known;
}

/* Emit llvm.load.relative.  The optimiser makes of a table of addresses one of distances of 32 bits from the table, too few for the
 * distance of two of our objects.  So the addresses are read from a table of 64 bits again. */
static void lower_load_relative(struct emitter *e, LLVMValueRef call)
{
	uint32_t table, at = new_register(e, 1);
	if (!table_of_addresses(e, without_casts(argument(call, 0)), call, &table)) {
		unsupported(e->t, call, "a table of distances that is not the optimizer's is not supported");
		return;
	}
	uint32_t base = number(e, image_global_address(table, 0));
	emit(e, IMAGE_INDEX, 64, 0, at, base, sign_extended(e, argument(call, 1)), number(e, sizeof(uint64_t) / sizeof(uint32_t)));
	emit(e, IMAGE_LOAD, 64, 0, result_of(e, call), at, NONE, NONE);
}

static void lower_fpclass(struct emitter *e, LLVMValueRef call)
{
	LLVMValueRef value = argument(call, 0);
	if (bits_of_type(LLVMTypeOf(value)) == 0)
		unsupported(e->t, call, "unsupported classification of a vector");
	emit(e, IMAGE_FCLASS, bits_of_type(LLVMTypeOf(value)), 0, result_of(e, call), operand_of(e, value),
	     (uint32_t)LLVMConstIntGetZExtValue(argument(call, 1)), NONE);
}

void call_abort(struct emitter *e)
{
	emit(e, IMAGE_CALL, 0, 0, NONE, extern_index(e->t, e->t->abort_in_c ? "__bitspin_abort" : "abort", 0, 0), 0, 0);
}

static bool lower_tables(struct emitter *e, LLVMValueRef call, const char *name)
{
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		if (begins(name, ignored[i]))
			return true;
	for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
		if (begins(name, simple[i].name)) {
			lower_simple(e, call, simple[i].op, simple[i].operands);
			return true;
		}
	for (size_t i = 0; i < sizeof overflowing / sizeof *overflowing; i++)
		if (begins(name, overflowing[i].name)) {
			lower_overflowing(e, call, overflowing[i].op);
			return true;
		}
	for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
		if (begins(name, reductions[i].name)) {
			lower_reduction(e, call, reductions[i].op, reductions[i].start);
			return true;
		}
	return false;
}

bool lower_intrinsic(struct emitter *e, LLVMValueRef call, const char *name)
{
	if (lower_tables(e, call, name) || lower_machine(e, call, name))
		return true;
	if (begins(name, "llvm.memcpy."))
		lower_block_operation(e, call, IMAGE_MEMCPY);
	else if (begins(name, "llvm.memmove."))
		lower_block_operation(e, call, IMAGE_MEMMOVE);
	else if (begins(name, "llvm.memset."))
		lower_block_operation(e, call, IMAGE_MEMSET);
	else if (begins(name, "llvm.fmuladd."))
		lower_fmuladd(e, call);
	else if (strcmp(name, "llvm.assume") == 0)
		lower_promise(e, call);
	else if (begins(name, "llvm.lifetime."))
		lower_lifetime(e, argument(call, 1), begins(name, "llvm.lifetime.start"));
	else if (begins(name, "llvm.va_start"))
		lower_va_start(e, call);
	else if (begins(name, "llvm.va_copy"))
		emit(e, IMAGE_MEMCPY, 64, 0, NONE, operand_of(e, argument(call, 0)), operand_of(e, argument(call, 1)),
		     number(e, 24));
	else if (begins(name, "llvm.stacksave"))
		emit(e, IMAGE_STACKSAVE, 64, 0, result_of(e, call), NONE, NONE, NONE);
	else if (begins(name, "llvm.stackrestore"))
		emit(e, IMAGE_STACKRESTORE, 64, 0, NONE, operand_of(e, argument(call, 0)), NONE, NONE);
	else if (begins(name, "llvm.threadlocal.address"))
		emit(e, IMAGE_MOV, 64, 0, result_of(e, call), operand_of(e, argument(call, 0)), NONE, NONE);
	else if (begins(name, "llvm.invariant.start"))
		constant_result(e, call, 0);
	else if (begins(name, "llvm.objectsize.")) /* unknown: all ones, or 0 if the least is asked for */
		constant_result(e, call, LLVMConstIntGetZExtValue(argument(call, 1)) ? 0 : UINT64_MAX);
	else if (begins(name, "llvm.ptr.annotation"))
		emit(e, IMAGE_MOV, 64, 0, result_of(e, call), operand_of(e, argument(call, 0)), NONE, NONE);
	else if (begins(name, "llvm.is.constant"))
		constant_result(e, call, 0);
	else if (begins(name, "llvm.is.fpclass"))
		lower_fpclass(e, call);
	else if (begins(name, "llvm.load.relative"))
		lower_load_relative(e, call);
	else if (begins(name, "llvm.trap") || begins(name, "llvm.debugtrap") || begins(name, "llvm.ubsantrap"))
		call_abort(e);
	else
		return false;
	return true;
}
