/* SPDX-License-Identifier: MIT
 *
 * Super-steps: from a state, every enabled thread runs alone for as long as that loses nothing; the ends of the runs are
 * the successors of the state.  Zaks and Joshi, "Verifying multi-threaded C programs with SPIN" (SPIN 2008), section 5;
 * Florian's thesis on SCALE (2010), algorithm 6.
 */
#ifndef BITSPIN_SUPERSTEP_H
#define BITSPIN_SUPERSTEP_H

#include "../../bitspin_vm.h"
#include "../../state/symmetry.h"
#include "sections.h"

#include <assert.h>

/* A run: steps of one thread from a state on, with one outcome of the first step. */
struct superstep {
	unsigned slot, length;
	uint32_t choice;
	bool closed;                 /* the run cannot be extended */
	bool conflicts;              /* it cannot because a step depends on another thread's run */
	bool at_end;                 /* the thread's next step is its end, which only a thread that joins it can notice */
	unsigned transacted;         /* steps that rule T has added */
	bool ended;                  /* the last step is the thread's end, which is not compared with other runs */
	bool ends;                   /* the last step must not become an intermediate one: formulas could tell */
	bool visible;                /* the run must not be offered alone: formulas could tell that it comes before all else */
	vm_ref end;                  /* the state after the run; 0: the last step did not come to rest */
	vm_ref kept;                 /* that state in the table proper, as pan gets it; 0: pan does not get it */
	bool sorted;                 /* `kept` has its threads in other slots (symmetry.h) */
	uint8_t to[SYMMETRIC_SLOTS]; /* where the thread of each slot is in `kept`; only where threads are symmetric */
	struct footprint joins;      /* what main's joins touch that come after the run, where threads are symmetric */
	vm_ref passed;               /* a state on the way, after a number of steps that is a power of two */
	struct footprint *steps;     /* `length` of them */
	unsigned capacity;
	struct footprint all;     /* of all steps together, or more: a step independent of it is independent of each step */
	struct sections sections; /* of the steps; empty unless sections are left out */
	struct {                  /* the run as it was before vm_run_on() or vm_expand_transactions(); length 0: it is as it was */
		unsigned length;
		bool at_end, conflicts;
		vm_ref end, passed;
	} before;
};

/* The runs of a state. */
struct expansion {
	vm_ref state;
	bool sections; /* the sections of runs are looked at */
	bool quiet;    /* no run changes more than its own thread and mutexes: the state may hang (hangs.h) */
	unsigned count, capacity;
	struct superstep *runs;
};

/* Make the runs of a state, each as far as it goes by the first rules, and the expansion the current one.  Their states are
 * transient. */
void vm_expand(struct expansion *expansion, vm_ref state);

/* Return the number of the first run of the thread in `slot`, which has one. */
static inline unsigned vm_first_run(const struct expansion *expansion, unsigned slot)
{
	unsigned i = 0;
	while (expansion->runs[i].slot != slot)
		i++;
	assert(i < expansion->count);
	return i;
}

/* Make a run of one step of one thread, which goes on by rule E only, and the expansion the current one. */
void vm_expand_one(struct expansion *expansion, vm_ref state, unsigned slot, uint32_t choice);

/* Extend the runs that another thread's run has stopped, by rule T; extend the runs that are at their threads' ends by these. */
void vm_expand_transactions(void);
void vm_expand_ends(void);

/* Undo vm_expand_transactions(). */
void vm_expand_back(void);

/* Let the only run of a thread go on until it has unlocked the mutexes that it has locked, whatever the others' runs are.  False:
 * it is as it was, as there is nothing to unlock, or it cannot, or there are several.  vm_run_back() makes it as it was. */
bool vm_run_on(unsigned slot);
void vm_run_back(unsigned slot);

#endif
