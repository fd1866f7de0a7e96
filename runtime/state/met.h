/* SPDX-License-Identifier: MIT
 *
 * What the steps so far have met: functions that ran, how the program ended, and what of the world they looked at that has one
 * value here and others elsewhere.  It is part of no state, as it decides nothing; the command makes notes of it.
 *
 * A step that comes of a summary, or of the cache of transitions, was taken once, so it is here.  Reductions leave out orders of
 * steps, and no step: each step of any schedule, from the same state of its thread and of what it reads, is one of a schedule that
 * is explored too.  What is only tried, and need not happen, is not here: vm_met_hold().
 */
#ifndef BITSPIN_MET_H
#define BITSPIN_MET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vm_untried {
#define UNTRIED(name, text, verdict, note, advice) UNTRIED_##name,
#include "untried.def"
#undef UNTRIED
	VM_UNTRIED_KINDS
};

enum { MET_UNTRIED = 64, MET_NAME = 64 };

/* Something of the world that a call has looked at. */
struct vm_met_untried {
	uint32_t kind;       /* enum vm_untried */
	uint32_t location;   /* of the program's call */
	uint32_t decides;    /* an outcome may depend on what the call got */
	char name[MET_NAME]; /* what the call looked at, where the kind has several */
};

struct vm_met_facts {
	uint32_t main_ends;    /* some step was the end of thread 0, or of the program */
	uint32_t status_place; /* location of the first end with another status than 0 */
	uint64_t statuses[4];  /* with which the program has ended, a bit each */
	uint64_t threads[4];   /* slots of threads that were created, a bit each */
	uint32_t stale;        /* some message was forgotten that could be read (memory/messages.h) */
	uint32_t rounds_place; /* a loop in which a thread can go round for ever, and writes; 0: none was found */
	uint32_t daemon_place; /* a loop that reads nothing that others write, where all others wait; likewise */
	uint32_t drain_place;  /* where stores left a buffer though a machine could delay them; likewise */
	uint32_t timer_place;  /* where the program was when a timer with an interval expired for the first time */
	uint32_t nuntried;
	struct vm_met_untried untried[MET_UNTRIED]; /* each once */
};

struct vm_met {
	uint8_t *functions; /* of each function of the image: has it run?  NULL: nothing is noted */
	uint8_t *code;      /* of each instruction: has it run?  NULL: nobody asks (image_options.coverage) */
	struct vm_met_facts facts;
};

/* Begin to note, after the image has been loaded, as if nothing had run; end. */
void vm_met_open(void);
void vm_met_close(void);

/* Put aside in `held` what was noted; vm_met_release() restores it, and drops what was noted in between. */
void vm_met_hold(struct vm_met *held);
void vm_met_release(const struct vm_met *held);

/* Note that the program ends with this status; that the running thread's call looks at something of the world, of which one value
 * or a few are tried. */
void vm_met_end(int status);
/* Note that a timer expires that has an interval, and so may again. */
void vm_met_timer(void);
void vm_met_untried(enum vm_untried kind, const char *name);

#endif
