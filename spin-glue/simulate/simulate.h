/* SPDX-License-Identifier: MIT
 *
 * `bitspin simulate`: the program step by step, by hand.
 *
 * The VM is in another process (runtime/drive/simulate.c) and only goes forward.  A session has a schedule.  To go back, or to look
 * at something that the image has no code for, the session starts that process again and takes the steps before once more.
 */
#ifndef BITSPIN_SIMULATE_H
#define BITSPIN_SIMULATE_H

#include "../base/base.h"
#include "../pan/pan.h"

#include <jansson.h>

struct job;

/* A process with the VM, somewhere on the schedule. */
struct run {
	struct dialogue dialogue;
	size_t taken; /* steps of the schedule */
	json_t *now;  /* the last answer */
};

/* An expression for which the image has code. */
struct shown {
	char *key;  /* the text of the expression, and where its variables are */
	char *body; /* of the function that evaluates it */
};

struct session {
	struct job *job;
	struct list bitcode;
	bool fixed;       /* the image came with the schedule, and cannot be made again */
	unsigned threads; /* for how many the image has room */
	struct run run;
	struct run scout; /* where next steps are tried; see try_steps() */
	struct kept_schedule schedule;
	size_t at;         /* how many of its steps have been taken; the others were loaded, or gone back from */
	unsigned thread;   /* the thread in view */
	unsigned frame;    /* the frame in view; 0: the innermost */
	json_t *violation; /* in which the last step ended; NULL: in none */
	char *limit;       /* why the VM could not go on, for people; NULL: it could */
	bool more_threads; /* the VM could not go on because the image has room for too few threads */
	struct shown *shown;
	size_t nshown;
	struct list displays;
	char *listed;   /* the file that `list` has shown last; NULL: none */
	long long line; /* the line behind what it has shown */
	bool over;      /* the user has ended the session */
	bool interactive;
};

/* drive.c: send a request, and return the last record of the answer, which lives until the next request; NULL if the process has
 * ended.  The records before the last one go to `take` (NULL: to nobody). */
typedef void take_record(void *context, const json_t *record);
const json_t *run_ask(struct session *s, struct run *run, take_record *take, void *context, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void run_stop(struct run *run);
/* Take a run to step `at` of the schedule, from the beginning if need be.  Return the step to which it has come. */
size_t run_to(struct session *s, struct run *run, size_t at);

/* session.c: begin, at the start of the program; end. */
void session_begin(struct session *s);
void session_end(struct session *s);
/* Make the image anew for the expressions and threads that are wanted now, and go to the same step in it.  Return false if the
 * program takes other steps there. */
bool session_translate(struct session *s);
const json_t *session_threads(const struct session *s);
const json_t *session_thread(const struct session *s, unsigned thread); /* NULL: there is no such thread */
unsigned session_outcomes(const struct session *s, unsigned thread);
const char *session_over(const struct session *s); /* why nothing can follow; NULL: something can */
/* Take a step, and print what happens unless the options say --quiet.  Return false if the step is not possible. */
bool session_step(struct session *s, unsigned thread, unsigned outcome, take_record *take, void *context);
void session_back(struct session *s, size_t to);

/* show.c */
void show_event(void *session, const json_t *event);
void show_stop(struct session *s); /* show where the run is, and what can be done next */
void show_threads(struct session *s);
void show_stack(struct session *s);
void show_frame(struct session *s);
void show_list(struct session *s, const char *where);
void show_variables(struct session *s, const char *request, const char *none);
void show_schedule(const struct session *s);
void show_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* walk.c: take many steps. */
void walk_run(struct session *s, unsigned thread);
void walk_until(struct session *s, const char *what);
void walk_random(struct session *s, unsigned long steps, unsigned long seed);
void walk_continue(struct session *s);
void walk_step(struct session *s); /* take one step of the thread whose turn it is */
void walk_one(struct session *s, unsigned thread, unsigned outcome);

/* expression.c: return the value of an expression, malloc'ed, and in *truth whether it is true; NULL if there is none, after saying
 * why. */
char *expression_value(struct session *s, const char *expression, bool *truth);
void expressions_free(struct session *s);

/* frames.c: return what the threads' frames hold along the schedule of the only violation of `job`: an array of { "step", "thread",
 * "frames": [{ "function", "line", "locals": [{ "name", "value" }] }] }, innermost first, after that step; NULL if it is not known.
 * `bitcode` is that of the program. */
json_t *frames_of(struct job *job, const struct list *bitcode);

/* shell.c: take commands until there are no more. */
bool shell_load(struct session *s, const char *path); /* load a schedule; or say what is wrong with it, and return false */
void shell_run(struct session *s, const struct list *commands, const char *script);

#endif
