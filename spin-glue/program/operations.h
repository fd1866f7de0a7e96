/* SPDX-License-Identifier: MIT
 *
 * The operations of `bitspin linearize`: those of each thread, and the table of their results in one piece.
 */
#ifndef BITSPIN_OPERATIONS_PLAN_H
#define BITSPIN_OPERATIONS_PLAN_H

#include "program.h"

#include <stdint.h>

struct operation {
	unsigned thread; /* from 0 */
	unsigned
		lane; /* the thread that it is to the table: its thread, or where the order in a thread does not count, one of its own */
	char *call; /* as the user has written it */
};

struct operations {
	struct operation *items; /* thread by thread, in order */
	size_t count;
	unsigned threads, lanes;
	unsigned condition; /* enum condition */
	struct list calls;  /* of all items, for the harness */
	unsigned progress;  /* enum way_on */
	unsigned rounds;    /* how often each thread makes its calls, while their steps are counted; 0: they are not */
	const char *slow;   /* the call that may take no more than `limit` steps; NULL: all may take any number */
	unsigned limit;
	char *steps;     /* of each call, for the verdict */
	bool own;        /* main is the program's: what operations there are is found out in phase 1 */
	bool spec;       /* the table is that of --spec */
	uint32_t *table; /* words, see runtime/image/operations.h; NULL: phase 1 */
	size_t words;
};

enum { MOST_OPERATIONS = 64 };

/* The words of --condition. */
enum condition { CONDITION_LINEARIZABLE, CONDITION_SEQUENTIAL, CONDITION_QUIESCENT };

/* The words of --progress. */
enum way_on { PROGRESS_NONE, PROGRESS_LOCK_FREE, PROGRESS_WAIT_FREE };

/* Read the values of --thread.  End the command if one is wrong. */
void operations_read(struct operations *operations, const struct list *threads, unsigned condition);
void operations_release(struct operations *operations);

/* Write the definitions of the object and of the table of `operations`. */
void operations_write_table(FILE *out, const struct operations *operations);
/* Write the thread functions of the harness, with what they need. */
void operations_write(const struct program *program, FILE *out);

/* histories.c: make the table of the histories in the file that phase 1 has left.  `words`: how a history is not determined by the
 * one before, malloc'ed; NULL: all are.  Return false, and say why in *words, if there is no table. */
bool histories_read(struct operations *operations, const char *path, char **words);

/* Return the call of the operation of a lane with this number, from 0 on. */
const char *operations_call(const struct operations *operations, unsigned lane, unsigned number);

/* Return how many threads the harness has: in phase 1, one for each lane. */
unsigned operations_threads(const struct operations *operations);

#endif
