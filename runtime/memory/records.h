/* SPDX-License-Identifier: MIT
 *
 * Happens-before where it is less than the order in which things happen.
 *
 * Open segments (race.c) suffice while whatever one thread sees of another happens before what it does next.  A relaxed store or
 * load, an exchange that only acquires, a failed attempt to lock: through these a thread learns something and synchronises with
 * nobody.  Then an access of a closed segment may still race, and no other schedule shows it.  So in programs that have such
 * operations (ORDER_WEAK in the image) a segment that closes leaves records, which are part of the state.
 *
 * A record is (bytes of an object, kind of access, K).  K is the set of *holders* that the access happens before: threads; the
 * view that a release fence of a thread has left; the view that an acquire fence of a thread would bring; the view that an atomic
 * location or a lock passes on.  It is a vector clock transposed: it has no numbers, and does not name the thread that made the
 * access, so states that differ in nothing else are one.  A new access has K = {its thread}.  An access races iff a record that
 * conflicts with it has a K without its thread.
 *
 *     acquire from L             if L in K, add t
 *     relaxed read of L          if L in K, add pending(t)
 *     release store, unlock      L in K iff t in K
 *     relaxed store              L in K iff fence(t) in K: it ends the release sequence, as since C20
 *     read-modify-write          add L if t in K (it releases), or if fence(t) in K (it does not); L stays in K
 *     plain write to L           take L out of K
 *     acquire fence              add t if pending(t) in K
 *     release fence              fence(t) in K iff t in K
 *     a failed attempt           nothing
 *     create, join               the child is in K iff its parent is; add t if the joined thread is in K
 *
 * These are the rules of C17 5.1.2.4 with the release sequences of C++20 and C23.  Memory stays sequentially consistent.
 *
 * Canonical form: a record that all running threads are in is dropped, as whoever is started later is in it too; so is one that
 * another hides, which has the same bytes, conflicts with as much, and has a K that is a subset.  Every rule adds a holder by
 * an "or" of what was in K, or takes one out of all, so the inclusion lasts.  pending(t) is nothing beside t.
 */
#ifndef BITSPIN_RECORDS_H
#define BITSPIN_RECORDS_H

#include "memory.h"

/* Does the program need records? */
static inline bool vm_has_records(void)
{
	return (vm_this.image.options->order & ORDER_WEAK) && vm_this.image.options->races == RACES_REPORT;
}

/* Store the records of the working state, and return their ref; 0 if there are none. */
vm_ref vm_records_store(void);

/* Do two states differ in their records only, and does whatever races in the second race in the first? */
bool vm_records_subsume(vm_ref first, vm_ref second);

/* ---- what accesses need; all of these do nothing in a program without weak pairs ------------------------------------ */

/* Report a race of an access that the running thread makes with a record. */
void vm_records_check(uint32_t object, uint32_t low, uint32_t high, uint32_t kind); /* the kind as in race.h */

/* Make records of the open segment of a thread, which closes. */
void vm_records_close(struct vm_thread *thread);

/* Forget what was done to an object, which is gone or begins anew. */
void vm_records_forget(uint32_t object);

/* Forget what atomic locations in these bytes passed on, because plain writes overwrite them. */
void vm_order_overwrite(uint32_t object, uint32_t low, uint32_t high);

/* ---- what synchronisation does, for the running thread; `what` names the operation in a report ------------------------ */

/* Do what a read of an atomic location does, or getting a lock; call it before that. */
void vm_order_read(uint64_t address, bool acquires, const char *what);

/* Do what a write of an atomic location does, or giving a lock back; call it after that.  `modifies`: the write is part of a
 * read-modify-write, which continues a release sequence. */
void vm_order_write(uint64_t address, bool releases, bool modifies, const char *what);

/* Forget what a location passes on. */
void vm_order_reset(uint64_t address);

/* Do what getting a lock does that others can see without synchronizing; what being refused a lock does; or, before an attempt, the
 * one or the other, as `succeeds` says. */
void vm_order_taken(uint64_t address, const char *what);
void vm_order_refused(uint64_t address, const char *what);
void vm_order_attempt(uint64_t address, bool succeeds, const char *what, const char *refused);

/* Do what entering an atomic section does, or leaving one: atomic sections exclude one another. */
void vm_order_section(bool enters);

void vm_order_fence(bool acquires, bool releases);

/* Let what happens before thread `from` happen before all that thread `to` does from now on. */
void vm_order_follow(unsigned from, unsigned to, const char *what);

/* Do what the start of the thread in a slot by the running one does; what its end does; what leaving its slot does. */
void vm_order_start(unsigned slot);
void vm_order_end(unsigned slot);
void vm_order_leave(unsigned slot);

#endif
