/* SPDX-License-Identifier: MIT
 *
 * x86-TSO (Sewell, Sarkar, Owens, Zappa Nardelli, Myreen: x86-TSO, CACM 2010): each thread has a buffer of stores, first in
 * first out, that others do not see yet.  A load reads the thread's own newest store to its bytes, else memory.
 * Read-modify-writes, seq_cst stores and fences, and what synchronises drain the thread's buffer.
 *
 * Buffers are flushed on demand: a store goes to the buffer and is no scheduling point, and nothing leaves a buffer by itself.
 * A thread that is about to read bytes from memory, or to drain, has an outcome for each other thread that has stores to the
 * bytes in question: its buffer is flushed up to the first of these; then the thread rests again at the same place.  Its own
 * buffer may be flushed, too, up to a store to the same bytes.
 *
 * Why that is enough: a flush commutes with whatever does not access its bytes, so each can be put off until something needs it: an
 * access to these bytes or a drain, a later flush of the same buffer, or another thread's flush of the same bytes that comes after
 * it.  So just before an access there is a chain of flushes that ends in what the access itself needs.  The stores of such chains
 * are those that are *needed*: what the access needs; of each thread, those before one that is needed; and the first stores of
 * other threads to the bytes of one that is needed.  Of a buffer, all up to the first store that meets the access or a needed store
 * of another thread can be flushed at once, as the order of those before it shows to nobody; then the chains are looked for anew.
 *
 * The buffers lie in vm_this.records.messages, sorted by thread, oldest store first; `attached` is the thread.  Data races are
 * not looked for: the question is what the compiled program does.  Each access to shared memory is a step.
 *
 * Blocks of a known size that are not large are copied by loads and stores (translator/lower/intrinsics.c).  Before another block
 * of shared memory is copied, and before a call of a function that is not the program's and may touch shared memory, the
 * thread's buffer drains; and as nobody knows which bytes are accessed, any store of others may be flushed.  A machine could delay
 * the stores further, so people are told where the first was not (vm_met_facts.drain_place).
 *
 * Stores to memory of the thread's own do not wait.  When its address is put into a buffer, the memory becomes shared at once:
 * later stores wait behind that address.
 */
#ifndef BITSPIN_BUFFERS_H
#define BITSPIN_BUFFERS_H

#include "memory.h"

/* Do stores wait in buffers? */
static inline bool vm_has_buffers(void)
{
	return vm_this.image.options->memory == MEMORY_TSO;
}

/* An access that a thread is about to make; of 0 bytes: a drain. */
struct vm_buffered {
	uint64_t address;
	unsigned size;
	bool everything; /* it may access all memory */
	bool drains;     /* it is made when the thread's buffer is empty */
	bool partly;     /* ... or when those stores have left it that have some of the bytes of a load, and not all */
};

/* Return how many outcomes the access has now: 1, it is made, and one for each flush that it may demand before. */
unsigned vm_buffers_outcomes(const struct vm_buffered *access, unsigned slot);

/* Let outcome number `choice` happen for the running thread.  Return true if the access is made now, with the thread's buffer
 * drained if need be; false if a buffer, or a part of the thread's own, has been flushed, so that the thread rests again. */
bool vm_buffers_choose(const struct vm_buffered *access, uint32_t choice);

/* Note what it depends on which outcomes there are. */
void vm_buffers_note(const struct vm_buffered *access, unsigned slot);

/* Is the thread's buffer empty? */
bool vm_buffers_empty(unsigned slot);

/* Can a store of the running thread wait?  It cannot if the buffer is full. */
bool vm_buffers_have_room(void);

/* Let a store wait: two words, with two of shadow. */
void vm_buffers_add(uint64_t address, unsigned size, const uint64_t *words, const uint64_t *shadow);

/* Fill in what a thread reads from its own buffer, two words with two of shadow.  Return false if it reads from memory;
 * `partly`: parts of the bytes are in the buffer, so that it has to be drained first. */
bool vm_buffers_read(unsigned slot, uint64_t address, unsigned size, uint64_t *value, bool *partly);

/* Does another thread's buffer have a store to these bytes? */
bool vm_buffers_of_others(uint64_t address, unsigned size);

/* Of a replay: return the steps in which stores of other threads to these bytes were put into the buffers where they wait; and for
 * people which of them is still there, with the fence that would forbid that the running thread reads memory without it.  A fence
 * behind the store would have put it there if its thread has read memory since, which came behind the fence. */
const uint32_t *vm_buffers_steps(uint64_t address, unsigned size, uint32_t *count);
const char *vm_buffers_tell(uint64_t address, unsigned size);

/* Note for that, in a replay, that the running thread reads memory. */
void vm_buffers_passed(void);

/* Drop the stores to an object, which is gone. */
void vm_buffers_forget(struct vm_records *records, uint32_t object);

#endif
