/* SPDX-License-Identifier: MIT
 *
 * What a run of pan has left: how pan has ended, what it has printed (output.c), what the VM in it has written (records.c), and
 * what follows from these (verdict.c).
 */
#ifndef BITSPIN_OUTCOME_H
#define BITSPIN_OUTCOME_H

#include "../base/base.h"
#include "pan.h"

#define PROCESS_DIED 72 /* exit status of pan: one of its processes was killed (runtime/search/pan/several.c) */

struct outcome {
	const struct job *job; /* whose pan it was */
	enum process_end end;
	int status;
	unsigned long depth; /* with which pan ran */
	bool more_threads;   /* a model with more threads is possible */

	/* by pan's word */
	bool has_states, has_transitions, has_vector, has_elapsed; /* figures that were there */
	bool incomplete, too_deep, out_of_memory, interrupted;
	unsigned claim;  /* errors of the never claim's */
	bool in_message; /* the lines of an error message, which the program may have written */
	double errors, megabytes, matches;
	double array;  /* MB that the array of a bitstate search has */
	char *unknown; /* the first line that is not understood; NULL: there is none */

	/* by the VM's word */
	struct list cuts;      /* reasons to cut paths, with their places; some of them, if there are many */
	double paths, reasons; /* paths cut, and how many reasons there were */
	double taken;          /* steps of several pans that share a set of visited states; 0: see pan's figures */
	double skipped;        /* steps that lead to visited states, which pan was not offered */
	double counted, left;  /* states that several processes have been led to, and of these, those not looked at */
	bool several;          /* ... which there are */
	limit_set met;
	char *stopped;          /* what was going on when the search was stopped; NULL if nothing is worth telling */
	bool finished;          /* its last record was there: none is lost */
	bool own_search;        /* it has searched by itself, pan has only walked */
	double stored, matched; /* pan's counts of states, all digits */
};

void outcome_release(struct outcome *outcome);
static inline bool outcome_met(const struct outcome *outcome, enum vm_limit limit)
{
	return (outcome->met & limit_bit(limit)) != 0;
}

/* output.c: read what pan has printed. */
void read_output(struct job *job, struct outcome *outcome, const char *output);
/* records.c: read the file of results. */
void read_records(struct job *job, struct outcome *outcome);

/* verdict.c: has a limit ended the search, so that pan may not have said all that it says at the end? */
bool ended_early(const struct job *job, const struct outcome *outcome);
/* Put into the job what follows. */
enum search_end judge(struct job *job, const struct outcome *outcome);
void conclude(struct job *job, enum verdict verdict, char *reason);
/* Say of a verdict that is inconclusive what was covered. */
void tell_coverage(struct job *job, const struct outcome *outcome);
void tell_told_apart(struct job *job);

#endif
