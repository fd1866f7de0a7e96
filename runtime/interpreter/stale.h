/* SPDX-License-Identifier: MIT
 *
 * Atomic accesses that may meet a value which is not the newest (memory/messages.h), as the instructions of access.c make
 * them.  Where memory is sequentially consistent these functions do what the plain ones do.
 */
#ifndef BITSPIN_STALE_H
#define BITSPIN_STALE_H

#include "../memory/buffers.h"
#include "../memory/messages.h"
#include "../trace/trace.h"
#include "exec.h"

struct stale {
	bool buffers; /* stores wait in buffers (memory/buffers.h): of such an access there are */
	struct vm_buffered access;
	bool waits;       /* it is a store that waits in the buffer */
	bool own;         /* it is a load that reads from the thread's own buffer: */
	uint64_t kept[4]; /* this, two words with two of shadow */
	bool on;          /* it may meet a value that is not the newest (memory/messages.h) */
	struct vm_atomic atomic;
	struct vm_pick pick;
	uint64_t old[4], new[4]; /* of a write: what memory had and what is stored, two words each with two of shadow */
	const uint32_t *stores;  /* if there is a story: steps of stores (memory/causes.h) */
	uint32_t nstores;
	const uint32_t *waiting; /* likewise, of stores that wait in buffers (memory/buffers.h) */
	uint32_t nwaiting;
};

/* Could an access by `insn` have more than one outcome? */
static inline bool exec_may_be_stale(const struct image_insn *insn)
{
	return (insn->order & IMAGE_STALE) || vm_has_buffers();
}

/* Fill in `stale` for the access `insn`.  If it has more than one outcome now, then it is visible, whoever else can see the
 * location; and the thread is prepared to rest before it.  Of inputs that are sets, it may ask for numbers. */
void exec_stale_look(struct run *run, const struct image_insn *insn, bool *visible, struct stale *stale);
static inline void exec_stale_begin(struct run *run, const struct image_insn *insn, bool *visible, struct stale *stale)
{
	stale->buffers = stale->waits = stale->own = stale->on = false;
	if (vm_this.image.options->memory != MEMORY_SC)
		exec_stale_look(run, insn, visible, stale);
}

/* Choose the outcome of the access; `chosen`: the thread has rested before it.  Return true if the access is made now; false if the
 * thread rests again, as a buffer has been flushed. */
bool exec_stale_choose(struct run *run, struct stale *stale, bool chosen);
static inline bool exec_stale_pick(struct run *run, struct stale *stale, bool chosen)
{
	return !(stale->on || stale->buffers) || exec_stale_choose(run, stale, chosen);
}

/* Let an operand that is a term be a number; `what`, for people: what depends on it. */
void exec_settle_operand(struct run *run, uint32_t at, const char *what);

/* Note that stores reach memory before the instruction at which the thread is, though a machine could delay them; `writes`: or that
 * stores of the instruction itself may. */
void exec_note_drain(const struct vm_thread *thread, bool writes);

/* Does what the thread has stored come before the call for all?  It does where the call synchronises; and where it may read or
 * write what is shared, as the call itself finds nothing in buffers: people are told of those.  To sleep, to let others run, or to
 * get an input touches no memory. */
bool exec_call_drains(const struct vm_call *call);

/* Drain the thread's buffer before `insn`, which others notice.  Return true if the thread rests before that.  If `insn` may access
 * all memory, it does so in any case, as others may put stores into their buffers before. */
bool exec_drains(struct run *run, const struct image_insn *insn);

/* Do what vm_order_read() does, and vm_order_write() after the write. */
void exec_stale_read(const struct stale *stale, uint64_t address, bool acquires, const char *what);
void exec_stale_written(const struct stale *stale, uint64_t address, bool releases, bool modifies, const char *what);

/* Return what is read; `newest` is what memory has. */
struct vm_bytes exec_stale_bytes(const struct stale *stale, struct vm_bytes newest);

/* Write as vm_write() does; what is put behind another value in modification order is gone at once. */
void exec_stale_write(struct stale *stale, uint64_t address, const uint64_t *words, const uint64_t *shadow, unsigned size,
		      enum vm_access access);

/* Return what is to be said of an access in a story, as a text that goes on the description of what it does; "" if the value is the
 * newest.  Fill in `stores`.  Call it before the access.  exec_stale_story: ... if there is a story. */
const char *exec_stale_tell(struct stale *stale);
static inline const char *exec_stale_story(struct stale *stale)
{
	return vm_tracing ? exec_stale_tell(stale) : "";
}

/* Carry out a fence, or rest before it. */
void exec_fence(struct run *run, const struct image_insn *insn);

#endif
