/* SPDX-License-Identifier: MIT
 *
 * Peeking (after Kusano and Wang, ASE 2014): mutexes that order nothing that matters are passed over.
 *
 * All mutexes in global variables are *elided* at first: to lock or unlock one is no scheduling point, leaves nothing in footprints
 * that two of them depend on, and does not close the open segment.  An access inside carries the mutex as a *token*, in segments
 * and footprints.  Two accesses with the same token are no race; and they are independent if nothing that is checked depends on
 * what they write (*unseen* writes, translator/relevance.c).  The search takes a mutex back, and the check begins again with it,
 * when
 *
 *  (1) a thread comes to rest while it holds it, as before any visible operation, another lock that stays, or its end;
 *  (2) another mutex is locked while it is held;
 *  (3) it is not free where it is locked, or another thread's where it is unlocked, or is robust;
 *  (4) it is used in another way (tried, with a deadline, waited with, initialized, destroyed), while other threads run;
 *  (5) two threads make conflicting accesses with it as their token, and one writes what matters.  The end of memory matters.
 *
 * Why the verdict stays: call the mutexes that are never taken back the elided ones, and look at a run of the program itself.  By
 * (1) to (4) a section of an elided mutex waits for nothing and is over before its thread rests, so nobody ever waits for one at
 * rest.  So each step of this search is a number of real steps of the same thread: what it finds is real, and so are its deadlocks.
 * Conversely, sections of one elided mutex commute: by (5) they do not touch what the other writes, but for data that no check
 * depends on; and so do a section and what other threads do meanwhile, unless that is a race.  So for each real run there is one in
 * which steps are not interrupted at elided mutexes, with the same relevant data, that is wrong in some way if the first is.  An
 * event that takes a mutex back counts as a violation does: it depends on all steps, so reductions do not lose it.
 *
 * Races: as no order through an elided mutex is ever forced, two accesses that only such an order keeps apart can really be made
 * unordered.  But perhaps on another path.  So what looks like a race ends the search, and the check begins again without this
 * reduction, which finds that race or another error.
 *
 * It keeps whether something is wrong, not each thing that is.  A thread that starves at an elided mutex is not seen, nor who holds
 * it.  So it is off for properties, under bounds, --all, suppressions, views and the like, where operations order less than they
 * see (records.h), with signals that interrupt, and with several processes, which would have to agree on the numbers of tokens.
 *
 * A replay has two states, as for slicing (search/slices.h): the one of the search, and the program's, which takes all steps.
 */
#ifndef BITSPIN_PEEKING_H
#define BITSPIN_PEEKING_H

#include "../state/state.h"

/* a mutex in a global variable that has been locked */
struct vm_elided {
	uint32_t object, offset;
	bool kept, told;   /* it is no elided one (any more); this search has found out */
	char why[200];     /* ... and why */
	uint32_t location; /* where */
};

/* Is this mutex passed over, when it is locked, or unlocked? */
bool vm_peek_elides(uint64_t address);

/* The running thread is about to lock or unlock such a mutex; it has.  `suits`: it is free, and can be locked by anybody. */
void vm_peek_lock(uint64_t address, bool suits);
void vm_peek_unlock(uint64_t address);
void vm_peek_done(void);

/* It uses a mutex in another way. */
void vm_peek_use(uint64_t address);

/* A thread begins a step; it comes to rest. */
void vm_peek_begin(unsigned slot);
void vm_peek_rest(void);

/* Two conflicting accesses have this token, and one of them writes what matters; they are to what `address` says. */
_Noreturn void vm_peek_conflict(uint32_t token, uint64_t address);

/* Two threads race; only returns if that has nothing to do with elided mutexes. */
void vm_peek_race(void);

/* Steps of the program itself that the last step stands for, less one: of the thread that it began with, and of one that was born
 * in it (its slot, or max_threads). */
struct vm_passed {
	unsigned slot, own, born, by_born;
};
struct vm_passed vm_peek_passed(void);

/* All mutexes so far; how many. */
const struct vm_elided *vm_peek_all(uint32_t *count);

/* Has one been taken back in this search? */
bool vm_peek_took_back(void);

#endif
