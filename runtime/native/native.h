/* SPDX-License-Identifier: MIT
 *
 * What the files of the library share.  It is linked with a checked program, whose schedule it keeps, and perhaps with sanitizers:
 * so it synchronizes by futexes alone, which ThreadSanitizer does not see.  Otherwise no race could be found.
 */
#ifndef BITSPIN_NATIVE_LIBRARY_H
#define BITSPIN_NATIVE_LIBRARY_H

#include "bitspin_native.h"

#include <stdbool.h>
#include <time.h>

struct thread {
	int number, tid;
	int next;    /* its next turn, or -1: then it rests where its rest is */
	int holds;   /* the turn that it has, or -1 */
	int calling; /* 1 + the key of the call that it is in */
	int settled; /* it has come to a stop for the first time, or ended */
	bool ended, fails, has_value;
	int choice, born; /* of the turn taken last */
	long long value;
	unsigned round;   /* of the loop, in which its next turn is */
	unsigned *counts; /* of each key */
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *argument;
};

/* gate.c */
extern struct native_report *native_report;
extern struct thread *native_threads[NATIVE_THREADS];
struct thread *native_self(void); /* NULL: none of the program's */
void native_become(struct thread *thread);
struct thread *native_thread_new(int number);
bool native_is_over(void);
void native_leave(struct thread *me); /* give up the turn, if it has it */
/* In a call: is its next turn, or its rest, in the same one?  Wait for the turn; false: it rests here, or has none. */
bool native_again(struct thread *me, int key);
void native_end(struct thread *me); /* it ends: wait for the turn to do that */
void native_pass(int turn);         /* for a thread that is blocked in its turn */
int native_turn(void);              /* the turn that is under way, or -1 */
int native_next(void);              /* the turn that waits to be taken, while none is under way */
void native_wait_over(void);        /* until the schedule is over */
void native_give_up(void);          /* the schedule is over */

/* Wait while the word has this value, but not long; wake all who do. */
void native_sleep(int *word, int value, long nanoseconds);
void native_wake(int *word);

/* watch.c */
void native_watch(void);

#endif
