/* SPDX-License-Identifier: MIT
 *
 * What the files of the library share.  The library is linked with a checked program, whose schedule it keeps, and perhaps with
 * sanitizers.  It synchronizes by futexes alone, which ThreadSanitizer does not see; otherwise no race could be found.
 */
#ifndef BITSPIN_NATIVE_LIBRARY_H
#define BITSPIN_NATIVE_LIBRARY_H

#include "bitspin_native.h"

#include <stdbool.h>
#include <time.h>

struct thread {
	int number, tid;
	int next;    /* the thread's next turn; -1: it has none, and stops at its rest */
	int holds;   /* the turn that the thread has, or -1 */
	int calling; /* 1 + the key of the call that the thread is in; 0: it is in none */
	int settled; /* the thread has come to a stop for the first time, or has ended */
	bool ended, fails, has_value;
	int choice, born; /* of the turn taken last */
	long long value;
	unsigned round;   /* the round of the loop in which the next turn is */
	unsigned *counts; /* how often the thread has got to each key */
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *argument;
};

/* gate.c */
extern struct native_report *native_report;
extern struct thread *native_threads[NATIVE_THREADS], *native_last_ended; /* NULL: none has */
struct thread *native_self(void); /* return the calling thread; NULL if it is none of the program's */
void native_become(struct thread *thread);
struct thread *native_thread_new(int number);
bool native_is_over(void);            /* is the schedule over? */
void native_leave(struct thread *me); /* give up the turn that thread `me` has, if it has one */
/* Wait for the next turn of thread `me`, which is in a call, if that turn is in the same call; return true then.  Return false if
 * the thread rests in the call, or has its next turn elsewhere. */
bool native_again(struct thread *me, int key);
/* Wait for the turn in which thread `me` goes on to end, if its next turn is there.  `position` says how far it is in calling
 * destructors, as vm_ending_position() in runtime/sync/sync.h does. */
void native_ending(struct thread *me, unsigned position);
void native_end(struct thread *me); /* thread `me` has ended */
void native_pass(int turn);         /* end a turn whose thread is blocked */
int native_turn(void);              /* return the turn that is under way, or -1 */
int native_next(void);              /* return the turn that waits to be taken while none is under way */
void native_wait_over(void);        /* wait until the schedule is over */
void native_give_up(void);          /* end the schedule */

/* Wait, not long, while *word has this value; wake all threads that wait for the word. */
void native_sleep(int *word, int value, long nanoseconds);
void native_wake(int *word);

/* Take and give back a lock of this library, so that to wait for the lock is no step of the program; 0: nobody has it. */
void native_lock(int *busy);
void native_unlock(int *busy);

/* ends.c */
void native_prepare_ends(void);          /* before any thread begins */
void native_will_end(struct thread *me); /* let the calling thread, which is `me`, end in the turns of the schedule */

/* repeat.c */
void native_repeat(void);                       /* return in each run that is to be made; one run is made if the schedule says so */
bool native_races(struct thread *me);           /* is thread `me` one of those that go on at once? */
void native_bind(struct thread *me);            /* let it run on a processor of its own */
void native_race(struct thread *me);            /* wait until the schedule is over and the other one is there, too */
void native_race_from_start(struct thread *me); /* do all that if it goes on from its start */

/* watch.c */
void native_watch(void);

#endif
