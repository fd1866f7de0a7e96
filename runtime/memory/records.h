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
#include "../state/symmetry.h"

/* Does the program need records? */
static inline bool vm_has_records(void)
{
	return (vm_this.image.options->order & ORDER_WEAK) && vm_this.image.options->races == RACES_REPORT;
}

/* Store the records of the working state, and return their ref; 0 if there are none. */
vm_ref vm_records_store(void);

/* Make the records of the working state canonical, where outcomes depend on them (messages.h). */
void vm_records_settle(void);

/* Do two states differ in their records only, and does whatever races in the second race in the first? */
bool vm_records_subsume(vm_ref first, vm_ref second);

/* ---- what accesses need; all of these do nothing in a program without weak pairs ------------------------------------ */

/* ---- records apart from states (search/reduce/histories.h) ---------------------------------------------------------------- */

/* What a step does to records, one operation after the other. */
enum vm_order_what {
	ORDER_CHECK,     /* the thread accesses bytes [low, high) of an object; `kind` as in race.h */
	ORDER_BORN,      /* ... which is recorded */
	ORDER_READ,      /* the thread reads location (object, low); ORDER_SYNCHRONIZES: it acquires */
	ORDER_WRITE,     /* the thread has written it; ORDER_SYNCHRONIZES: it releases, ORDER_MODIFIES */
	ORDER_OVERWRITE, /* what locations [low, high) of an object pass on is gone */
	ORDER_FORGET,    /* ... and so is what was done to the object */
	ORDER_FENCE,     /* ORDER_ACQUIRES, ORDER_RELEASES */
	ORDER_FOLLOW,    /* what happens before the thread happens before what thread `low` does next */
	ORDER_LEAVE,     /* the thread leaves its slot */
	ORDER_RUNNING,   /* a thread starts or ends */
};
enum { ORDER_SYNCHRONIZES = 1, ORDER_MODIFIES = 2, ORDER_ACQUIRES = 1, ORDER_RELEASES = 2 }; /* `kind` of what is no access */

struct vm_order_op {
	uint32_t what, slot, object, low, high, kind;
};

enum { RECORDS_RUNNING = VM_MAX_SLOTS / 64 }; /* words of a set of slots */

struct vm_script {
	uint64_t running[RECORDS_RUNNING]; /* threads that run after the step, a bit each */
	const uint8_t *to;                 /* then the thread of each slot goes to this one, of SYMMETRIC_SLOTS; NULL: none does */
	uint32_t count;
	const struct vm_order_op *ops;
};

struct vm_record_race {
	bool races;
	vm_ref record; /* it alone, of one byte, as it is when the access happens */
};

/* Begin to note what a step does; return the `count` operations that have been noted, which stay until the next begin. */
void vm_records_ask(void);
const struct vm_order_op *vm_records_told(uint32_t *count);

/* Let the operations that are noted next be those of another step, and return how many were noted before.  vm_records_tell: note
 * operations that such a step is known to do. */
uint32_t vm_records_ask_next(void);
void vm_records_tell(const struct vm_order_op *ops, uint32_t count);

/* Return the operations that have been noted from number `from` on, `count` of them. */
const struct vm_order_op *vm_records_told_from(uint32_t from, uint32_t *count);

/* Forget all operations but the first `count`, and return how many are left. */
uint32_t vm_records_tell_only(uint32_t count);

/* Fill in which threads run in the working state: RECORDS_RUNNING words. */
void vm_records_running(uint64_t *running);

/* Begin to follow the steps that are taken from the first state on, `on`, so that they report races with what has come before; or
 * end that.  A replay follows the steps that it tells. */
void vm_records_follow(bool on);

/* Leave out the steps that are taken next, `on` false, or follow steps again. */
void vm_records_follow_on(bool on);

/* Note that the threads of the path that is followed have gone to other slots, as in struct vm_script. */
void vm_records_follow_moves(const uint8_t *to);

/* Return the ref of what becomes of stored records, 0: none, by a step; *race tells whether one of its accesses races with one of
 * them, and then the result is 0.  vm_records_unite: return the ref of all records of both. */
vm_ref vm_records_change(vm_ref records, const struct vm_script *script, struct vm_record_race *race);
vm_ref vm_records_unite(vm_ref a, vm_ref b);

/* Does whatever races with a record of `b` race with one of `a`? */
bool vm_records_cover(vm_ref a, vm_ref b);

/* Return the ref of stored records after the thread of each slot has gone to slot to[slot].  `renamed`: return what becomes of a
 * word that may be the address of an object.  The working state stays as it is. */
vm_ref vm_records_exchange(vm_ref ref, const uint8_t *to, uint64_t (*renamed)(uint64_t word, const void *context),
			   const void *context);

/* Return a record of `all` by itself, of the byte that the only record of `byte` is of; 0: there are no more.  `to`: threads are
 * exchanged between the two; NULL: they are not.  *next is 0 at first, and says which the next is. */
vm_ref vm_records_of_byte(vm_ref all, vm_ref byte, const uint8_t *to, uint32_t *next);

/* ---- accesses ------------------------------------------------------------------------------------------------------------ */

/* Does anybody ask for what the step under way does to records?  Else only open segments matter. */
bool vm_records_are_told(void);

/* Record an access of the running thread without an open segment. */
void vm_records_born(uint32_t object, uint32_t low, uint32_t high, uint32_t kind);

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
