/* SPDX-License-Identifier: MIT
 *
 * Super-steps: from a state, every enabled thread runs alone for as long as that loses nothing; the ends of the runs are
 * the successors of the state.  Zaks and Joshi, "Verifying multi-threaded C programs with SPIN" (SPIN 2008), section 5;
 * Florian's thesis on SCALE (2010), algorithm 6.
 */
#ifndef BITSPIN_SUPERSTEP_H
#define BITSPIN_SUPERSTEP_H

#include "../bitspin_vm.h"
#include "sections.h"

/* of a thread, from a state on, with one outcome of its first step */
struct superstep {
	unsigned slot, length;
	uint32_t choice;
	bool closed;             /* cannot be extended */
	bool conflicts;          /* ... since a step depends on another thread's run */
	bool at_end;             /* the thread's next step is its end, which nobody but who joins it can notice */
	unsigned transacted;     /* steps that rule T has added */
	bool ended;              /* the last step is that end, which is no part of what other runs are compared with */
	bool ends;               /* its last step must not become an intermediate one: formulas could tell */
	bool visible;            /* it must not be offered alone: formulas could tell that it comes before all else */
	vm_ref end;              /* 0: the last step did not come to rest */
	vm_ref kept;             /* the end that pan gets, in the table proper; 0: it does not get it */
	bool sorted;             /* ... which has its threads in other slots (symmetry.h) */
	vm_ref passed;           /* a state on the way, after a number of steps that is a power of two */
	struct footprint *steps; /* `length` of them */
	unsigned capacity;
	struct footprint all;     /* of all steps together, or more: what is independent of it is independent of each */
	struct sections sections; /* of the steps; empty unless sections are left out */
	struct {                  /* as it was before vm_run_on() */
		unsigned length;
		bool at_end;
		vm_ref end;
	} before;
};

/* the runs of a state */
struct expansion {
	vm_ref state;
	unsigned count, capacity;
	struct superstep *runs;
};

/* how a run is made */
enum vm_way { VM_AS_RUN, VM_AS_TRANSACTION, VM_AS_SECTIONS };

/* The way that an option of pan's asks for; bitspin_vm.h. */
static inline enum vm_way vm_way_of(uint32_t option)
{
	return option == VM_TRANSACTION ? VM_AS_TRANSACTION : option == VM_SECTIONS ? VM_AS_SECTIONS : VM_AS_RUN;
}

/* Steps that make up the super-step of thread `slot` with outcome `choice` of its first step, in `state`; and, unless the
 * last of them ends in a violation or the like, the state after them, else 0.  Whether it is a transaction is known, but in a
 * replay. */
unsigned vm_superstep(vm_ref state, unsigned slot, uint32_t choice, enum vm_way way, vm_ref *end);

/* How many steps the model's option stands for, which the state offers the thread; 1 without super-steps. */
unsigned vm_superstep_length(vm_ref state, unsigned slot, uint32_t option);

/* Must the steps of this thread, which is enabled, be looked at in `state`, as a transaction or not?  The answer for a state is
 * always the same. */
bool vm_offers(vm_ref state, unsigned slot, enum vm_way way);

/* Let the only run of a thread go on until it has unlocked the mutexes that it has locked, whatever the others' runs are.  False:
 * it is as it was, as there is nothing to unlock, or it cannot, or there are several.  vm_run_back() makes it as it was. */
bool vm_run_on(unsigned slot);
void vm_run_back(unsigned slot);

/* The table has been renewed: the runs of no state are known any more. */
void vm_superstep_forget(void);

/* Take one step, and its footprint; 0 and a footprint of everything if it does not come to rest. */
vm_ref vm_try_step(vm_ref state, unsigned slot, uint32_t choice, struct footprint *footprint);

#endif
