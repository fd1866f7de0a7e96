/* SPDX-License-Identifier: MIT
 *
 * What x86-64 has beside C: fences, counters, registers of a thread, and the instructions of <immintrin.h> that clang leaves as
 * intrinsics.  What an instruction does is Intel's "Software Developer's Manual", volume 2.
 */
#include "instructions.h"
#include "../symbols/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE IMAGE_NONE

static LLVMValueRef argument(LLVMValueRef call, unsigned i)
{
	return LLVMGetOperand(call, i);
}

/* Convert `value` from one width to another by `op`: ZEXT, SEXT or TRUNC. */
static uint32_t convert(struct emitter *e, enum image_opcode op, unsigned from, unsigned to, uint32_t value)
{
	uint32_t result = new_register(e, 1);
	emit(e, op, from, to, result, value, NONE, NONE);
	return result;
}

/* ---- registers of a thread -------------------------------------------------------------------------------------------- */

static uint32_t address_for_thread(struct emitter *e, const char *name, const void *initial, uint64_t size)
{
	uint32_t address = new_register(e, 1);
	emit(e, IMAGE_TLSADDR, 64, 0, address, provide(e->t, initial, name, initial, size, GLOBAL_THREAD_LOCAL), NONE, NONE);
	return address;
}

uint32_t thread_pointer(struct emitter *e)
{
	static const uint64_t block[2];
	return address_for_thread(e, "the control block of a thread", block, sizeof block);
}

uint32_t float_control(struct emitter *e)
{
	static const uint32_t control = 0x1f80; /* all exceptions masked, to nearest */
	add_note_once(e->t, "floating point rounds to nearest and knows denormal numbers, whatever ldmxcsr has set");
	return address_for_thread(e, "the control register of floating point", &control, sizeof control);
}

static void move_float_control(struct emitter *e, LLVMValueRef call, bool store)
{
	uint32_t control = float_control(e), memory = operand_of(e, argument(call, 0)), value = new_register(e, 1);
	emit(e, IMAGE_LOAD, 32, 0, value, store ? control : memory, NONE, NONE);
	emit(e, IMAGE_STORE, 32, 0, NONE, store ? memory : control, value, NONE);
}

/* Return the address of a place in the code, of which only the address is there. */
static uint32_t code_address(struct emitter *e)
{
	static const uint8_t byte;
	return number(e, image_global_address(provide(e->t, &byte, "a return address", &byte, sizeof byte, GLOBAL_CONSTANT), 0));
}

void emit_machine_fence(struct emitter *e, unsigned orders)
{
	emit(e, IMAGE_FENCE, 0, orders, NONE, NONE, NONE, NONE);
	e->code[e->count - 1].order = orders == (IMAGE_ACQUIRES | IMAGE_RELEASES) ? IMAGE_TOTAL : 0;
}

static void read_cycles(struct emitter *e, LLVMValueRef call)
{
	if (e->t->request->options.clock_step) {
		add_note_once(e->t, "the counter of the processor's cycles (rdtsc) counts nanoseconds of the clock");
		emit(e, IMAGE_CALL, 0, 0, result_of(e, call), extern_index(e->t, "__bitspin_clock_read", 0, 1), 0, 0);
		return;
	}
	note_counter(e->t);
	emit(e, IMAGE_MOV, 64, 0, result_of(e, call), number(e, 0), NONE, NONE);
}

/* Emit rdtscp: the counter, and the number of the processor, which is the first. */
static void read_cycles_and_processor(struct emitter *e, LLVMValueRef call)
{
	read_cycles(e, call);
	emit(e, IMAGE_MOV, 64, 0, result_of(e, call) + 1, number(e, 0), NONE, NONE);
}

/* ---- check sums -------------------------------------------------------------------------------------------------------- */

/* Emit crc32: add `bits` bits of data to a check sum, by the polynomial of Castagnoli, bit by bit, the lowest first. */
static void lower_crc32(struct emitter *e, LLVMValueRef call)
{
	const uint64_t polynomial = 0x82f63b78;
	unsigned bits = bits_of_type(LLVMTypeOf(argument(call, 1)));
	uint32_t data = bits < 64 ? convert(e, IMAGE_ZEXT, bits, 64, operand_of(e, argument(call, 1))) :
				    operand_of(e, argument(call, 1));
	uint32_t sum = emit_binary(e, IMAGE_AND, 64, operand_of(e, argument(call, 0)), number(e, UINT32_MAX));
	sum = emit_binary(e, IMAGE_XOR, 64, sum, data);
	for (unsigned i = 0; i < bits; i++) {
		uint32_t low = emit_binary(e, IMAGE_AND, 64, sum, number(e, 1));
		uint32_t mask = emit_binary(e, IMAGE_AND, 64, emit_binary(e, IMAGE_SUB, 64, number(e, 0), low),
					    number(e, polynomial));
		sum = emit_binary(e, IMAGE_XOR, 64, emit_binary(e, IMAGE_LSHR, 64, sum, number(e, 1)), mask);
	}
	emit(e, IMAGE_MOV, 64, 0, result_of(e, call), sum, NONE, NONE);
}

/* ---- vectors ----------------------------------------------------------------------------------------------------------- */

/* The lanes of a vector of numbers, a register or constant for each. */
struct lanes {
	struct operands list;
	unsigned bits;
};

static struct lanes lanes_of(struct emitter *e, LLVMValueRef vector)
{
	struct lanes lanes = { .bits = bits_of_type(LLVMGetElementType(LLVMTypeOf(vector))) };
	operands_value(e, &lanes.list, vector);
	return lanes;
}

/* Emit pmovmskb and its kin: gather the top bits of all lanes. */
static void lower_top_bits(struct emitter *e, LLVMValueRef call)
{
	struct lanes from = lanes_of(e, argument(call, 0));
	uint32_t mask = number(e, 0);
	for (unsigned i = 0; i < from.list.count; i++) {
		uint32_t top = emit_binary(e, IMAGE_LSHR, from.bits, from.list.items[i], number(e, from.bits - 1));
		mask = emit_binary(e, IMAGE_OR, 64, mask, emit_binary(e, IMAGE_SHL, 64, top, number(e, i)));
	}
	emit(e, IMAGE_MOV, 64, 0, result_of(e, call), mask, NONE, NONE);
	free(from.list.items);
}

/* Emit psadbw: for each eight bytes, the sum of the differences. */
static void lower_differences(struct emitter *e, LLVMValueRef call)
{
	struct lanes a = lanes_of(e, argument(call, 0)), b = lanes_of(e, argument(call, 1));
	uint32_t result = result_of(e, call), sum = NONE;
	for (unsigned i = 0; i < a.list.count; i++) {
		uint32_t most = emit_binary(e, IMAGE_UMAX, 8, a.list.items[i], b.list.items[i]);
		uint32_t least = emit_binary(e, IMAGE_UMIN, 8, a.list.items[i], b.list.items[i]);
		uint32_t difference = emit_binary(e, IMAGE_SUB, 64, most, least);
		sum = i % 8 ? emit_binary(e, IMAGE_ADD, 64, sum, difference) : difference;
		if (i % 8 == 7)
			emit(e, IMAGE_MOV, 64, 0, result + i / 8, sum, NONE, NONE);
	}
	free(a.list.items);
	free(b.list.items);
}

/* Emit pmulhw, pmulhuw: the upper halves of products; `extend` says which. */
static void lower_high_products(struct emitter *e, LLVMValueRef call, enum image_opcode extend)
{
	struct lanes a = lanes_of(e, argument(call, 0)), b = lanes_of(e, argument(call, 1));
	uint32_t result = result_of(e, call);
	for (unsigned i = 0; i < a.list.count; i++) {
		uint32_t product = emit_binary(e, IMAGE_MUL, 32, convert(e, extend, 16, 32, a.list.items[i]),
					       convert(e, extend, 16, 32, b.list.items[i]));
		emit(e, IMAGE_LSHR, 32, 0, result + i, product, number(e, 16), NONE);
	}
	free(a.list.items);
	free(b.list.items);
}

/* Emit pmaddwd: the sums of two neighbouring products each. */
static void lower_sums_of_products(struct emitter *e, LLVMValueRef call)
{
	struct lanes a = lanes_of(e, argument(call, 0)), b = lanes_of(e, argument(call, 1));
	uint32_t result = result_of(e, call), before = NONE;
	for (unsigned i = 0; i < a.list.count; i++) {
		uint32_t product = emit_binary(e, IMAGE_MUL, 32, convert(e, IMAGE_SEXT, 16, 32, a.list.items[i]),
					       convert(e, IMAGE_SEXT, 16, 32, b.list.items[i]));
		if (i % 2)
			emit(e, IMAGE_ADD, 32, 0, result + i / 2, before, product, NONE);
		before = product;
	}
	free(a.list.items);
	free(b.list.items);
}

/* Emit packsswb and its kin: halve the lanes of two vectors; signed ones that do not fit become the nearest that does. */
static void lower_pack(struct emitter *e, LLVMValueRef call, bool into_unsigned)
{
	struct lanes halves[] = { lanes_of(e, argument(call, 0)), lanes_of(e, argument(call, 1)) };
	uint32_t result = result_of(e, call);
	unsigned wide = halves[0].bits, narrow = wide / 2;
	uint64_t most = low_ones(into_unsigned ? narrow : narrow - 1), least = into_unsigned ? 0 : ~most & low_ones(wide);
	for (unsigned h = 0; h < 2; h++) {
		for (unsigned i = 0; i < halves[h].list.count; i++) {
			uint32_t value = emit_binary(e, IMAGE_SMIN, wide, halves[h].list.items[i], number(e, most));
			value = emit_binary(e, IMAGE_SMAX, wide, value, number(e, least));
			emit(e, IMAGE_TRUNC, wide, narrow, result++, value, NONE, NONE);
		}
		free(halves[h].list.items);
	}
}

/* Emit a shift of all lanes by one count, which may be too large: then nothing is left but the sign, where it is copied. */
static void lower_vector_shift(struct emitter *e, LLVMValueRef call, enum image_opcode op)
{
	struct lanes a = lanes_of(e, argument(call, 0));
	uint32_t result = result_of(e, call), count = operand_of(e, argument(call, 1)); /* of a vector: its low 64 bits */
	unsigned bits = a.bits, counted = LLVMGetTypeKind(LLVMTypeOf(argument(call, 1))) == LLVMVectorTypeKind ? 64 : 32;
	struct lanes low = { .bits = 64 };
	if (counted == 64) {
		low = lanes_of(e, argument(call, 1));
		count = low.list.items[0];
		for (unsigned i = 1; i * low.bits < 64; i++)
			count = emit_binary(e, IMAGE_OR, 64, count,
					    emit_binary(e, IMAGE_SHL, 64, low.list.items[i], number(e, i * low.bits)));
	}
	uint32_t large = new_register(e, 1), kept = emit_binary(e, IMAGE_UMIN, counted, count, number(e, bits - 1));
	emit(e, IMAGE_ICMP, counted, ICMP_UGE, large, count, number(e, bits), NONE);
	for (unsigned i = 0; i < a.list.count; i++) {
		uint32_t shifted = emit_binary(e, op, bits, a.list.items[i], kept);
		if (op == IMAGE_ASHR)
			emit(e, IMAGE_MOV, 64, 0, result + i, shifted, NONE, NONE);
		else
			emit(e, IMAGE_SELECT, bits, 0, result + i, large, number(e, 0), shifted);
	}
	free(a.list.items);
	free(low.list.items);
}

static bool lower_vectors(struct emitter *e, LLVMValueRef call, const char *name)
{
	static const struct {
		const char *name;
		enum image_opcode op;
	} shifts[] = { { "psll", IMAGE_SHL }, { "psrl", IMAGE_LSHR }, { "psra", IMAGE_ASHR } };
	static const char sse2[] = "llvm.x86.sse2.";
	if (begins(name, "llvm.x86.sse.movmsk.ps")) {
		lower_top_bits(e, call);
		return true;
	}
	if (begins(name, "llvm.x86.sse41.packusdw")) {
		lower_pack(e, call, true);
		return true;
	}
	if (!begins(name, sse2))
		return false;
	name += sizeof sse2 - 1;
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
		if (begins(name, shifts[i].name) && !strstr(name, ".dq")) {
			lower_vector_shift(e, call, shifts[i].op);
			return true;
		}
	if (begins(name, "pmovmskb.128") || begins(name, "movmsk.pd"))
		lower_top_bits(e, call);
	else if (begins(name, "psad.bw"))
		lower_differences(e, call);
	else if (begins(name, "pmulh.w") || begins(name, "pmulhu.w"))
		lower_high_products(e, call, begins(name, "pmulhu") ? IMAGE_ZEXT : IMAGE_SEXT);
	else if (begins(name, "pmadd.wd"))
		lower_sums_of_products(e, call);
	else if (begins(name, "packsswb.128") || begins(name, "packssdw.128") || begins(name, "packuswb.128"))
		lower_pack(e, call, begins(name, "packus"));
	else
		return false;
	return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------- */

bool lower_machine(struct emitter *e, LLVMValueRef call, const char *name)
{
	if (begins(name, "llvm.x86.sse2.lfence"))
		emit_machine_fence(e, IMAGE_ACQUIRES);
	else if (begins(name, "llvm.x86.sse.sfence"))
		emit_machine_fence(e, IMAGE_RELEASES);
	else if (begins(name, "llvm.x86.sse2.mfence"))
		emit_machine_fence(e, IMAGE_ACQUIRES | IMAGE_RELEASES);
	else if (strcmp(name, "llvm.x86.rdtsc") == 0 || begins(name, "llvm.readcyclecounter"))
		read_cycles(e, call);
	else if (strcmp(name, "llvm.x86.rdtscp") == 0)
		read_cycles_and_processor(e, call);
	else if (strcmp(name, "llvm.x86.xgetbv") == 0) { /* the states of x87 and SSE */
		note_processor(e->t);
		emit(e, IMAGE_MOV, 64, 0, result_of(e, call), number(e, 3), NONE, NONE);
	} else if (begins(name, "llvm.frameaddress") || begins(name, "llvm.addressofreturnaddress")) /* a place that nobody uses */
		emit(e, IMAGE_MOV, 64, 0, result_of(e, call), static_object(e, 16, 16, NONE, true), NONE, NONE);
	else if (begins(name, "llvm.returnaddress"))
		emit(e, IMAGE_MOV, 64, 0, result_of(e, call), code_address(e), NONE, NONE);
	else if (begins(name, "llvm.thread.pointer"))
		emit(e, IMAGE_MOV, 64, 0, result_of(e, call), thread_pointer(e), NONE, NONE);
	else if (begins(name, "llvm.x86.sse.stmxcsr") || begins(name, "llvm.x86.sse.ldmxcsr"))
		move_float_control(e, call, begins(name, "llvm.x86.sse.st"));
	else if (begins(name, "llvm.x86.sse42.crc32."))
		lower_crc32(e, call);
	else
		return lower_vectors(e, call, name);
	return true;
}
