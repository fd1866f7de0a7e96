/* SPDX-License-Identifier: MIT
 *
 * Values that are not the newest: C11's memory model, in the reading of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing
 * sequential consistency in C/C++11, PLDI 2017), explored with states.
 *
 * An atomic location has a list of *messages*, the values that were stored there, in modification order.  The newest one is in
 * memory.  Of each older one that can still be read, the store behind it is kept: what it has replaced, and who knows of it.
 * So a store is a record (records.h): its set K is who has read it or later ones, or comes after it in happens-before.  It has
 * the same rules, with two changes: the holder "location" is a holder for each message, which passes on what its store
 * released; and who reads a message knows of the stores up to it (coherence).
 *
 *     load        may read any message from the newest one that the thread knows of on
 *     store       may be put behind any such message, unless the next one is attached to it
 *     read-modify-write   reads such a message, and is put behind it, attached
 *
 * Each of these is an outcome of the step, the newest message first.  A plain access reads and writes memory: if it can meet
 * an older value then it races, and that is found.  What is decided at locks, futexes and in properties is decided by the
 * newest values.
 *
 * Why these are the executions of RC11, for programs without seq_cst: a thread knows of the newest store w with w -rf?->
 * -hb?-> it, and no access goes below that one, so no cycle of hb and eco comes to be; attachment is atomicity; a load reads
 * what is there, so po and rf have no cycle (no load buffering).  The other way round: take the events of an execution in any
 * order that extends po and rf, and put stores where its modification order has them; whatever rule refused an event would be
 * such a cycle.
 *
 * Sequentially consistent accesses and fences have an order S that need not be that in which they happen: total.h.
 *
 * Canonical form.  A message that no running thread can read is dropped, and with it the store behind it: positions are places
 * in the list.  A thread that accesses the location no more is not asked (later.h).  A thread at a join knows what the thread
 * knows that it waits for, whether there are older values or not: what is left may not depend on when a message was dropped.  A
 * read-modify-write that changes nothing is one with the message before it, if both pass on the same: between them nothing can be
 * put, and no other read-modify-write can read the former.  So a spin lock by exchange has finitely many states.  Tests leave out
 * each of these rules (rule.def): outcomes stay the same.
 *
 * Bounded staleness: of each location only the newest messages are kept, as many as --memory c11:K says.  Who knows only of
 * older ones is taken for one that has read the oldest that is kept, without acquiring: that is a possible execution, so each
 * one that is explored is real.  If nothing was forgotten, all were explored.
 */
#ifndef BITSPIN_MESSAGES_H
#define BITSPIN_MESSAGES_H

#include "memory.h"

/* May a thread read values that are not the newest? */
static inline bool vm_has_messages(void)
{
	return vm_this.image.options->order & ORDER_STALE;
}

enum { MOST_PICKS = 2 * IMAGE_MOST_STALENESS };

/* An atomic access that a thread is about to make. */
struct vm_atomic {
	uint64_t address;
	unsigned size; /* bytes */
	bool reads, writes, compares;
	bool acquires, acquires_failing, releases, total, total_failing; /* failing: of a compare-exchange */
	bool may_fail;                                                   /* a compare-exchange, for no reason */
	uint64_t expected[2];
};

/* An outcome: the access reads message number `message` of the location, or is put behind it. */
struct vm_pick {
	uint32_t message, newest; /* the number of the newest message */
	bool fails, spurious;     /* of a compare-exchange: for no reason */
};

/* Fill in the outcomes of an access by the thread in `slot`, at most MOST_PICKS, and return how many there are, at least 1. */
unsigned vm_message_picks(const struct vm_atomic *atomic, unsigned slot, struct vm_pick *picks);

/* Fill in the value of a message that is not the newest: two words each, with shadow. */
void vm_message_value(const struct vm_atomic *atomic, const struct vm_pick *pick, uint64_t *words, uint64_t *shadow);

/* Return the first word of the message behind it. */
uint64_t vm_message_next(const struct vm_atomic *atomic, const struct vm_pick *pick);

/* Do what reading a message does for the running thread, before the access; and what a store does, after it: `old` is what memory
 * had before, `new` what is stored. */
void vm_message_read(const struct vm_atomic *atomic, const struct vm_pick *pick, const char *what);
void vm_message_write(const struct vm_atomic *atomic, const struct vm_pick *pick, const uint64_t old[4], const uint64_t new[4],
		      const char *what);

/* Do what a seq_cst fence does beside acquiring, before it, and releasing, after it. */
void vm_message_fence(void);

/* Let the thread in slot `waiting`, which does nothing else before, know what the thread in slot `joined` knows. */
void vm_messages_await(unsigned waiting, unsigned joined);

/* Are older values kept in the working state? */
bool vm_has_older_values(void);

/* Call `each` for every word of a value that is kept, in an object; 0: in all. */
void vm_messages_words(uint32_t object, void (*each)(uint64_t word, void *context), void *context);

/* ---- for records.c ------------------------------------------------------------------------------------------------------- */

/* Load `count` stored messages from `from`, whose sets are numbered from `first` on. */
void vm_messages_unpack(struct vm_records *records, const uint8_t *from, uint32_t count, uint32_t first);

/* Forget the messages of bytes [low, high) of an object. */
void vm_messages_forget(struct vm_records *records, uint32_t object, uint32_t low, uint32_t high);

/* Let the thread of each slot be in slot to[slot]: sort the messages anew.  Return the number that each store has then. */
const uint32_t *vm_messages_move(struct vm_records *records, const uint8_t *to);

/* Return how many words of a value may be addresses: those that are aligned and whole. */
static inline unsigned vm_message_names(const struct vm_message *store)
{
	return store->low % 8 ? 0 : store->size / 8;
}

/* Drop what nobody can read, and merge what is alike. */
void vm_messages_canonical(struct vm_records *records, const uint64_t *running);

#endif
