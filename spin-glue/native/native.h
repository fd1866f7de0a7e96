/* SPDX-License-Identifier: MIT
 *
 * The native program, held to the schedule of a counterexample: is it wrong in the same way?
 */
#ifndef BITSPIN_GLUE_NATIVE_H
#define BITSPIN_GLUE_NATIVE_H

#include "../../runtime/native/bitspin_native.h"
#include "../pan/pan.h"

/* schedule.c: what the native program is to do, from the records of a replay (BITSPIN_TURNS). */
struct schedule {
	struct translator_key *keys;
	size_t nkeys;
	struct native_turn *turns; /* those that it has to wait for */
	unsigned *increments;
	size_t nturns, all; /* all: with those that follow from them */
	struct native_rest rests[NATIVE_THREADS];
	int first[NATIVE_THREADS], nthreads;
	bool hanging[NATIVE_THREADS]; /* these are to hang at the end */
	int loop;                     /* the turn in which the loop of a lasso begins, or -1 */
	bool hangs, fails;            /* threads are to hang; calls are to fail */
	const char *unforced;         /* what happens in it that no native run can be made to do; NULL: nothing */
	json_t *given;                /* arguments by number; "0": standard input */
};

struct schedule *schedule_new(const json_t *records, const json_t *violation);
void schedule_release(struct schedule *schedule);
/* As C, with definitions of the functions that --extern describes.  False: it cannot be written. */
bool schedule_write(const struct schedule *schedule, const struct job *job, const char *path);

enum sanitizer { SANITIZER_NONE, SANITIZER_ADDRESS, SANITIZER_THREAD, SANITIZER_MEMORY, SANITIZER_UNDEFINED };
const char *sanitizer_title(enum sanitizer sanitizer); /* "AddressSanitizer" */

/* program.c: make the native program, at `path`; NULL, or why it cannot be, for people.  checks: of SANITIZER_UNDEFINED. */
struct native {
	struct job *job;
	const struct list *bitcode;
	const struct list *linked; /* -l and -L */
	const struct schedule *schedule;
	const json_t *violation;
};
char *native_build(const struct native *native, enum sanitizer sanitizer, const char *checks, const char *path);

/* run.c: one run; its files are in the work directory. */
struct native_run {
	enum process_end end;
	int status;
	struct native_report report;
	char *errors; /* what it prints on standard error */
};
void native_start(const struct native *native, enum sanitizer sanitizer, const char *path, struct native_run *run);
void native_run_release(struct native_run *run);
/* The command line of the program, for another that starts it: its arguments, its standard input (NULL: none), its directory. */
void native_command(const struct native *native, struct list *argv, char **input, char **directory);
char *native_place(const struct schedule *schedule, int key); /* "pthread_join at pool.c:12" */

/* judge.c: run it as the kind of the violation asks, and print what happens; the last line is the verdict.  True: confirmed. */
bool native_confirm(const struct native *native);

/* gdb.c: start gdb on it; the status of gdb. */
int native_debug(const struct native *native);

#endif
