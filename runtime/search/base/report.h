/* SPDX-License-Identifier: MIT
 *
 * What the search reports to the glue: violations, limits, states of a replay, statistics.  The contract is in bitspin_vm.h.
 */
#ifndef BITSPIN_REPORT_H
#define BITSPIN_REPORT_H

#include "search.h"

/* What each reduction has saved so far, in the unit of its row in reduction.def. */
extern uint64_t vm_saved[REDUCTIONS];
/* states in which reductions rested (reduce/worth.h) */
extern uint64_t vm_rested;

/* Report a violation.  `waits` returns what a thread that is not blocked waits for, NULL if for nothing; it may be NULL. */
void vm_report_violation(enum vm_violation_kind kind, const char *message, uint32_t location, const struct vm_thread *thread,
			 const char *(*waits)(unsigned slot));
/* Report a fault that the user has suppressed; each is reported once. */
void vm_report_suppressed(enum vm_violation_kind kind, uint32_t suppression, const struct vm_thread *thread, uint32_t location,
			  bool ends);
void vm_report_inconclusive(enum vm_limit limit, const char *reason, uint32_t location); /* 0: nowhere in particular */
/* Report that all schedules with up to `preemptions` preemptions are done. */
void vm_report_bound(unsigned preemptions, uint64_t states, uint64_t transitions, double seconds);
/* Report that another process had done them, from whose snapshot this one goes on. */
void vm_report_restored(unsigned preemptions);
/* Report why the snapshot of another process could not be used, or none could be left for another process. */
void vm_report_snapshot(const char *trouble);
void vm_report_statistics(void);

/* The figures of a search that the VM does by itself (bound/, compare/), which count in place of the driver's. */
struct vm_figures {
	uint64_t states, transitions, runs; /* runs: paths, each up to a state that was known or that offers nothing */
	uint64_t depth, bytes;              /* most steps of a path; memory beside the table; 0: not known */
};

/* Return them; NULL: the driver searches.  Set by the search when it begins. */
extern struct vm_figures (*vm_own_figures)(void);

/* Report, in a replay under a formula, the state after a step of a thread: what has become true or false, and the threads.
 * `number` is equal for states that are the same to the formula from here on. */
void vm_report_state(vm_ref before, vm_ref state, unsigned slot, uint64_t number);

const char *vm_violation_name(enum vm_violation_kind kind);

#endif
