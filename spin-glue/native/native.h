/* SPDX-License-Identifier: MIT
 *
 * The native program, held to the schedule of a counterexample: is it wrong in the same way?
 */
#ifndef BITSPIN_GLUE_NATIVE_H
#define BITSPIN_GLUE_NATIVE_H

#include "../base/base.h"
#include "../../runtime/native/bitspin_native.h"

#include <jansson.h>

struct job;

/* schedule.c: what the native program is to do, from the records of a replay (BITSPIN_TURNS). */
struct schedule {
	struct translator_key *keys;
	size_t nkeys;
	struct native_turn *turns; /* turns for which the program has to wait */
	unsigned *increments;
	size_t nturns, all; /* all: with turns that follow from these */
	struct native_rest rests[NATIVE_THREADS];
	int first[NATIVE_THREADS], nthreads;
	bool hanging[NATIVE_THREADS];      /* of each thread: is it to be blocked at the end? */
	int loop;                          /* the turn in which the loop of a lasso begins, or -1 */
	bool hangs, fails;                 /* some threads are to be blocked; some calls are to fail */
	long long stale;                   /* the first step in which a value is not the newest; 0: there is none */
	long long *steps;                  /* of each turn */
	int repeat, racers[2], from_start; /* see bitspin_native.h */
	const char *unforced;              /* something in the schedule that no native run can be made to do; NULL: nothing */
	json_t *given;                     /* arguments by number; "0": standard input */
};

struct translator_extern;
struct schedule *schedule_new(const json_t *records, const json_t *violation);
void schedule_release(struct schedule *schedule);
/* Write a schedule as C, with definitions of the functions that --extern describes.  Return false if that fails. */
bool schedule_write(const struct schedule *schedule, const struct job *job, const char *path);
/* Does the schedule's file define what takes the place of a function that the user describes? */
bool schedule_stands_for(const struct translator_extern *e);

enum sanitizer { SANITIZER_NONE, SANITIZER_ADDRESS, SANITIZER_THREAD, SANITIZER_MEMORY, SANITIZER_UNDEFINED };
const char *sanitizer_title(enum sanitizer sanitizer); /* "AddressSanitizer" */

/* program.c: what a native program is made of.  native_build: make it at `path`, with these checks of SANITIZER_UNDEFINED.  Return
 * NULL, or for people why that fails. */
struct native {
	struct job *job;
	const struct list *bitcode;
	const struct list *linked; /* -l and -L */
	const struct schedule *schedule;
	const json_t *violation;
};
char *native_build(const struct native *native, enum sanitizer sanitizer, const char *checks, const char *path);

/* run.c: run the program once, with files in the work directory. */
struct native_run {
	enum process_end end;
	int status;
	struct native_report report;
	char *errors; /* what it prints on standard error */
};
void native_start(const struct native *native, enum sanitizer sanitizer, const char *path, struct native_run *run);
void native_run_release(struct native_run *run);
/* Add the variables of the environment, as they were given or as the schedule chooses them. */
void native_environment(const struct native *native, struct list *variables);
/* Fill in how another program has to start it: the arguments, the file for standard input (NULL: none) and the directory. */
void native_command(const struct native *native, struct list *argv, char **input, char **directory);
char *native_place(const struct schedule *schedule, int key); /* "pthread_join at pool.c:12" */

/* judge.c: run the program as the kind of the violation demands, and print what happens and then the verdict.  Return true if the
 * violation is confirmed. */
bool native_confirm(const struct native *native);

/* repeat.c: the violation depends on a value that is not the newest.  Run the program as often as the user asks, with no gate from
 * the store on that is not visible; print the verdict.  Return true if a run fails the same way. */
bool native_confirm_stale(const struct native *native);

/* judge.c, for repeat.c: how a native run shows the violation.  native_died_there: has it died where the violation is? */
bool native_died_there(const struct native *native, const struct native_run *run);
bool native_dies(const struct native *native); /* does a run that shows the violation die of SIGABRT? */
/* Print what has confirmed it.  Return true. */
bool native_confirmed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* gdb.c: start gdb on the program, and return the exit status of gdb. */
int native_debug(const struct native *native);

#endif
