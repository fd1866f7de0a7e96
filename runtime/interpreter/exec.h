/* SPDX-License-Identifier: MIT
 *
 * What the files of the interpreter share: exec.c, which runs threads, and access.c, its instructions that access memory.
 */
#ifndef BITSPIN_EXEC_H
#define BITSPIN_EXEC_H

#include "arith.h"
#include "interpreter.h"
#include "../symbolic/symbolic.h"

/* A thread that is running, from rest to rest. */
struct run {
	struct vm_thread *thread;
	struct vm_frame *frame;
	const struct image_insn *code; /* of the frame's function */
	uint64_t *registers;           /* of the frame */
	const uint64_t *constants;
	const struct image_insn *pending; /* the visible operation of this step, until it is done */
	const struct image_insn *jump;    /* last jump taken, to tell a back-edge */
	uint32_t outer;                   /* in the C library: location of the program's call of it; else 0 */
	uint32_t floor;                   /* frames below the ones this run may return from */
	uint64_t value;                   /* result of the outermost frame */
	bool resting;
	bool recalled; /* the call at which the thread is has been made before, and had called back */
};

/* Return an operand's first slot; the shadow of that slot. */
static inline uint64_t exec_operand(const struct run *run, uint32_t operand)
{
	return vm_operand(operand, run->registers, run->constants);
}

static inline uint64_t exec_shadow(const struct run *run, uint32_t operand)
{
	bool constant = operand & IMAGE_CONST;
	return run->thread->shadowed && !constant ? run->thread->shadows[run->frame->base + operand] : 0;
}

static inline unsigned exec_slots(unsigned bits)
{
	return bits > 64 ? 2 : 1;
}

/* Do what the functions below do where the thread has shadows.  Of a term (symbolic/symbolic.h), this is asked. */
uint64_t exec_asked_shadowed(const struct run *run, uint32_t at, enum vm_question question, const char *what);
uint64_t exec_address_shadowed(const struct run *run, uint32_t at, uint64_t size);

/* Return an operand that decides `what`; report a violation if it is not initialized. */
static inline uint64_t exec_asked(const struct run *run, uint32_t at, enum vm_question question, const char *what)
{
	return run->thread->shadowed ? exec_asked_shadowed(run, at, question, what) : exec_operand(run, at);
}

static inline uint64_t exec_deciding(const struct run *run, uint32_t at, const char *what)
{
	return exec_asked(run, at, ASK_VALUE, what);
}

/* Return the address of an access to `size` bytes. */
static inline uint64_t exec_address(const struct run *run, uint32_t at, uint64_t size)
{
	return run->thread->shadowed ? exec_address_shadowed(run, at, size) : exec_operand(run, at);
}

#define MAX_ARGUMENTS 256u /* words of a call */

/* Read `count` operands of a list in the pool, and their shadows. */
void exec_operands(const struct run *run, uint32_t list, uint32_t count, uint64_t *values, uint64_t *shadows);

/* Read the arguments of an external call.  What leaves the program must be initialized. */
void exec_take_arguments(const struct run *run, struct vm_call *call, uint64_t *arguments);

/* Give registers [first, first + count) these shadows. */
void exec_set_shadows(struct run *run, uint32_t first, const uint64_t *shadows, unsigned count);

/* Must the thread rest before this visible operation?  If not, this is the operation to be done now. */
bool exec_rests_before(struct run *run, const struct image_insn *insn);

/* Are plain accesses to shared memory visible here?  With --races ignore all are, else those at places whose races are
 * tolerated. */
bool exec_plain_is_visible(void);

/* Clear the wait of a thread that no longer rests before a call or a choice. */
void exec_clear_wait(struct vm_thread_header *header);

/* Carry out an instruction of access.c, or if it is visible, perhaps rest before it. */
void exec_load(struct run *run, const struct image_insn *insn);
void exec_store(struct run *run, const struct image_insn *insn);
void exec_rmw(struct run *run, const struct image_insn *insn);
void exec_cmpxchg(struct run *run, const struct image_insn *insn);
void exec_block(struct run *run, const struct image_insn *insn); /* memcpy, memmove, memset */

#endif
