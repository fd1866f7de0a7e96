/* SPDX-License-Identifier: MIT
 *
 * The order S of seq_cst operations, where it need not be that in which they happen: S contains RC11's psc (Lahav, Vafeiadis,
 * Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11, PLDI 2017) and agrees with happens-before (C17 7.17.3).  An
 * outcome exists iff it leaves psc without a cycle.
 *
 * For each holder h and each location, what psc reaches of the next seq_cst operation of h is a position in modification order:
 * the newest store that must be before that operation.  As K of a store says who knows of it, so more sets of a store say:
 *
 *     TOTAL        before the next seq_cst access of h
 *     FENCED       before whatever h accesses after its next seq_cst fence
 *     NEXT_TOTAL   like TOTAL, but by fences that are behind h already: what they are after, and so
 *     NEXT_FENCED  ... the oldest message that any access of h may meet
 *     BEFORE       the store happens before h; in K are also those who have only read it
 *
 * All of them travel with happens-before, as K does.  Each message has three marks, which are holders in TOTAL and FENCED: what
 * seq_cst accesses are after that met the message; and what fences are after behind which it was read; or written.
 *
 * An access of t at message i of x:
 *     does not exist if t is in NEXT_FENCED of a later store, or, if it is seq_cst, in TOTAL of one
 *     what is before a later store is after this access: who is in TOTAL of one joins what t is after, if the access is seq_cst;
 *         who is in FENCED of one joins what t's fences are after
 *     the mark of the message joins the same
 *     a seq_cst store joins the marks of all messages up to its own, before that
 *
 * A seq_cst fence of t joins, by location, the read marks of the messages before the newest that t knows of, the written marks up
 * to that one, and the marks of accesses before the newest that happens before t.  Then all that happens before t is in TOTAL,
 * all that t knows is in FENCED, and what t is after now is what its fences are after.
 *
 * Why these are the executions with an acyclic psc (and [SC];hb;[SC]): each edge of psc goes into the newest operation, which
 * joins, or out of it to an older one, whose followers join; closing under both keeps what is reached.
 *
 * So what a thread is after depends on the execution and not on the order in which it happened: if an access of another thread
 * comes after the fence, it finds the thread in FENCED or TOTAL of a later store, and the thread joins what it would have found in
 * a mark.  That is a change that others depend on.  The fence itself decides on no outcome.
 *
 * Canonical form.  Of a message that is dropped, all threads that run, and all that will, are past the read and the written
 * mark: each fence joins these.  So one holder, HOLDER_FENCES, keeps them; so it does the written mark of the message that is
 * now the oldest.  A mark of accesses is joined by those that the next store happens before, so a message with one is not
 * dropped before all these are all.  The next message takes the marks over for seq_cst stores.  In a set, a mark makes no
 * difference where one is that is joined whenever it is itself.  In the order written(0), read(0), written(1), ... each of these
 * is joined whenever a later one is, and so it is whenever the mark of accesses of the same or a later message is, which in turn
 * is joined whenever one of a later message is.  So a set keeps one mark of fences, the first, and one of accesses that is
 * before.
 *
 * Where no access is relaxed and none is seq_cst, fences can happen in the order S, as each path of program order and reads-from
 * is happens-before, and nothing of this is kept: a fence knows what earlier ones have known.
 */
#ifndef BITSPIN_TOTAL_H
#define BITSPIN_TOTAL_H

#include "messages.h"

struct location;

/* May a set of messages have members (MESSAGE_TOTAL and others)? */
bool vm_total_keeps(unsigned which);

/* Must the next access of the thread be behind a store, by the order S? */
bool vm_total_binds(struct vm_records *records, uint32_t store, unsigned slot, bool total);

/* Would an access at message `i` close a cycle?  `acquires`: it learns what the message passes on. */
bool vm_total_refuses(struct vm_records *records, const struct location *at, unsigned slot, uint32_t i, bool total, bool acquires,
		      bool writes);

/* A seq_cst store of the running thread is number `i` of its location. */
void vm_total_store(struct vm_records *records, const struct location *at, uint32_t i);

/* An access of the running thread has met message `i`, or written it. */
void vm_total_access(struct vm_records *records, const struct location *at, uint32_t i, bool total, bool writes);

/* Does a seq_cst fence change nothing but what its thread is after?  Then it need not be a step. */
bool vm_total_fences_are_local(void);

/* A seq_cst fence of the running thread. */
void vm_total_fence(struct vm_records *records);

/* May the oldest message be dropped, which no thread that runs can read?  It is dropped. */
bool vm_total_may_drop(struct vm_records *records, const struct location *at, const uint64_t *running);
void vm_total_drop(struct vm_records *records, const struct location *at);

/* Store number `number` is removed, with its message; the message before it is gone if `oldest`. */
void vm_total_remove(struct vm_records *records, uint32_t number, bool oldest);

/* Forget the marks of bytes [low, high) of an object. */
void vm_total_forget(struct vm_records *records, uint32_t object, uint32_t low, uint32_t high);

/* Leave out marks that make no difference. */
void vm_total_canonical(struct vm_records *records, const struct location *at);

/* Do the marks of messages number i and i + 1 keep them apart, in a set? */
bool vm_total_keeps_apart(const struct vm_holders *set, const struct location *at, uint32_t i);

#endif
