/* SPDX-License-Identifier: MIT
 *
 * A schedule for a native run: what the command writes as C and links with the program, and what the program leaves for it.
 *
 * A key is a place: a line and an operation there, as in runtime/trace/turns.h.  Each thread counts how often it gets to each.
 */
#ifndef BITSPIN_NATIVE_H
#define BITSPIN_NATIVE_H

enum {
	NATIVE_THREADS = 256,
	NATIVE_ROUNDS = 1000, /* of a loop that goes on for ever */
	NATIVE_EXIT = -1,     /* in place of a key: the end of a thread; the count is vm_ending_position() of runtime/sync/sync.h */
	NATIVE_START = -2,    /* in place of a key: where thread 0 starts */
	NATIVE_HANGS = 75,    /* exit status: the threads are blocked for good */
	NATIVE_ROUND = 77,    /* exit status: the program went round the loop as often as it was to */
	NATIVE_LATE = 76      /* exit status: the program went on for too long after the schedule */
};

struct native_key {
	const char *file;
	unsigned line;
	const char *operation;
};

/* A turn.  The thread waits for the turn where it gets to the key for the count-th time, and has it until it gets to its next
 * turn. */
struct native_turn {
	int thread, key;
	unsigned count;
	int choice;    /* outcome of the operation; of a signal, which of the waiters */
	int born;      /* the thread that it creates, or -1 */
	int fails;     /* the call fails, as --faults lets it */
	int has_value; /* the operation is a choice, of `value` */
	long long value;
	int begun; /* the thread is in the call already */
	int next;  /* the next turn of the same thread, or -1 */
};

/* Where a thread rests when the schedule is over; a count of 0: nowhere. */
struct native_rest {
	int key;
	unsigned count;
	int begun;
};

struct native_schedule {
	const struct native_key *keys;
	int nkeys;
	const struct native_turn *turns;
	int nturns;
	const struct native_rest *rests; /* of each thread */
	const int *first;                /* of each thread: its first turn, or -1 */
	const int *hanging;              /* of each thread: is it to be blocked at the end? */
	int nthreads;
	int deadlock;               /* are some threads to be blocked at the end? */
	int loop;                   /* the turn to go back to after the last one, or -1 */
	int rounds;                 /* how many times to go back */
	const unsigned *increments; /* of each turn: what a round adds to its count */
	int repeat;                 /* run it so often, until it dies of a signal; 0: run it once (repeat.c) */
	int racers[2];              /* threads that go on at once when the schedule is over, on processors of their own */
	int from_start;             /* they have done nothing before */
};

extern const struct native_schedule bitspin_native_schedule;

/* What the program leaves in a file that BITSPIN_NATIVE_REPORT names, however it ends. */
struct native_report {
	int taken;              /* how many turns were taken, in all rounds */
	int over;               /* is the schedule over? */
	int stalled;            /* 1 + the turn that was given up, negated if it had begun; 0: none was */
	int hangs;              /* threads that are blocked for good */
	int at[NATIVE_THREADS]; /* 1 + the key of the call that a thread is in, 0: in none */
	int failed;             /* 1 + the key of the claim of bitspin.h that did not hold */
	int assumed;            /* an assumption that does not hold was met */
	int rounds;             /* of the loop */
	int alive[NATIVE_THREADS];
	int runs; /* how often it has run, where it is repeated */
};

#endif
