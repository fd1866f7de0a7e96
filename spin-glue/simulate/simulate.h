/* SPDX-License-Identifier: MIT
 *
 * `bitspin simulate`: the program step by step, by hand.
 *
 * The VM is in another process (runtime/drive/simulate.c) and only goes forward.  A session has a schedule; to go back, or to
 * look at something that the image has no code for, is to start that process again, and to take the steps before once more.
 */
#ifndef BITSPIN_SIMULATE_H
#define BITSPIN_SIMULATE_H

#include "../pan/pan.h"
#include "../base/fields.h"
#include "../report/report.h"

/* a process with the VM, somewhere on the schedule */
struct run {
	struct dialogue dialogue;
	size_t taken;
	json_t *now; /* its last answer */
};

/* an expression that the image has code for */
struct shown {
	char *key;  /* its text, and where its variables are */
	char *body; /* of its function */
};

struct session {
	struct job *job;
	struct list bitcode;
	bool fixed;       /* the image came with the schedule: it cannot be made again */
	unsigned threads; /* that the image has room for */
	struct run run;
	struct run scout; /* where next steps are tried; see try_steps() */
	struct kept_schedule schedule;
	size_t at;         /* so many of its steps have been taken; those behind are what was loaded, or gone back from */
	unsigned thread;   /* in view */
	unsigned frame;    /* ... and its frame, 0: the innermost */
	json_t *violation; /* that the last step ended in; NULL: none */
	char *limit;       /* why the VM could not go on, for people; NULL */
	bool more_threads; /* ... as the image has room for too few */
	struct shown *shown;
	size_t nshown;
	struct list displays;
	char *listed;   /* file that `list` has shown last; NULL: none */
	long long line; /* ... and the line after */
	bool over;      /* the user has had enough */
	bool interactive;
};

/* drive.c: send a request; the last record of the answer, which lives until the next one.  The records before it go to `take`
 * (NULL: to nobody).  NULL: the process has ended. */
typedef void take_record(void *context, const json_t *record);
const json_t *run_ask(struct session *s, struct run *run, take_record *take, void *context, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void run_stop(struct run *run);
/* Bring it to this place on the schedule, from the beginning if need be; where it has come to. */
size_t run_to(struct session *s, struct run *run, size_t at);

/* session.c: begin, at the start of the program; end. */
void session_begin(struct session *s);
void session_end(struct session *s);
/* Make the image for the expressions and threads that are wanted now, and come to the same place in it.  False: there the program
 * takes other steps. */
bool session_translate(struct session *s);
const json_t *session_threads(const struct session *s);
const json_t *session_thread(const struct session *s, unsigned thread); /* NULL: there is no such thread */
unsigned session_outcomes(const struct session *s, unsigned thread);
const char *session_over(const struct session *s); /* why nothing can follow; NULL: something can */
/* Take a step, and print what happens unless it is to be quiet.  False: it is not possible. */
bool session_step(struct session *s, unsigned thread, unsigned outcome, take_record *take, void *context);
void session_back(struct session *s, size_t to);

/* show.c */
void show_event(void *session, const json_t *event);
void show_stop(struct session *s); /* where the run is, and what can be done next */
void show_threads(struct session *s);
void show_stack(struct session *s);
void show_frame(struct session *s);
void show_list(struct session *s, const char *where);
void show_variables(struct session *s, const char *request, const char *none);
void show_schedule(const struct session *s);
void show_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* walk.c: many steps */
void walk_run(struct session *s, unsigned thread);
void walk_until(struct session *s, const char *what);
void walk_random(struct session *s, unsigned long steps, unsigned long seed);
void walk_continue(struct session *s);
void walk_step(struct session *s); /* one, of the thread whose turn it is */
void walk_one(struct session *s, unsigned thread, unsigned outcome);

/* expression.c: its value, malloc'ed, and whether it is true; NULL: it was said why there is none. */
char *expression_value(struct session *s, const char *expression, bool *truth);
/* A session without it must not be left with an expression that is never asked for again. */
void expressions_free(struct session *s);

/* shell.c: take commands until there are no more. */
bool shell_load(struct session *s, const char *path); /* a schedule; false: it was said what is wrong with it */
void shell_run(struct session *s, const struct list *commands, const char *script);

#endif
