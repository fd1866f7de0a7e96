/* SPDX-License-Identifier: MIT
 *
 * The ground that all rooms of the command stand on: how a run ends, strings, processes, files.
 */
#ifndef BITSPIN_BASE_H
#define BITSPIN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define BITSPIN_VERSION "0.1.0"
#define MEGABYTE        1048576.0 /* the unit of --max-memory, and of all figures of memory that people see: MB */

/* ---- how a run ends (fail.c) --------------------------------------------------------------------------------------- */

enum verdict {
#define VERDICT(name, text, status) VERDICT_##name,
#include "verdict.def"
#undef VERDICT
};

const char *verdict_name(enum verdict verdict);
int verdict_status(enum verdict verdict);

/* An error of the user's: one line on stderr; the end, with status 2. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* An error of ours. */
#define BUG(...) glue_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void glue_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The end, before there is anything to report; whoever calls it has printed the message. */
_Noreturn void give_up(enum verdict verdict, const char *message);
/* From now on an early end is also reported to this function, once; NULL: to none. */
typedef void fail_sink(enum verdict verdict, const char *message);
void fail_tell(fail_sink *sink);

/* ---- strings (text.c) ---------------------------------------------------------------------------------------------- */

/* of strings that it owns */
struct list {
	char **items;
	size_t count;
};

void list_add(struct list *list, const char *text);
void list_addf(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void list_add_words(struct list *list, const char *words); /* separated by blanks */
/* Words separated by white space, in quotes or with backslashes where they contain some, as in a file of flags; `literal`: as in a
 * shell, where a backslash within single quotes is one. */
void list_add_quoted(struct list *list, const char *words, bool literal);
void list_release(struct list *list);
char *text(const char *format, ...) __attribute__((format(printf, 1, 2))); /* malloc'ed */
char *text_without(const char *whole, const char *part); /* without the first such part, if there is one; malloc'ed */
const char *plural(double number);                       /* "s", or "" of 1 */
/* A format with one %.0f, for this number; ~ is before what makes it a plural, as in "%.0f state~s"; malloc'ed. */
char *text_counted(const char *format, double number);

/* ---- processes (process.c, watcher.c, interrupt.c, tool.c) --------------------------------------------------------- */

struct process {
	const char *const *argv;
	const char *directory;          /* to run in, NULL: here */
	const char *from;               /* file for its standard input; NULL: as `input` says */
	const char *output;             /* file for its standard output, NULL: ours */
	bool input;                     /* its standard input is ours; otherwise it has none */
	const char *errors;             /* file for its standard error, NULL: ours */
	const char *const *environment; /* NAME=VALUE to add, NULL-terminated; or NULL */
	unsigned long address_space;    /* bytes it may map; 0: no limit */
	bool terminal;                  /* ... and the terminal is its own meanwhile, where that is ours; only by process_run() */
	bool starts_groups;             /* it has process groups that it ends itself, after SIGTERM */
	bool (*meanwhile)(void *);      /* process_run() calls it now and then; false: it is to end.  NULL: nothing */
	void *context;                  /* ... with this */
};

/* STOPPED: it was asked to end, by child_stop() or meanwhile(). */
enum process_end { PROCESS_EXITED, PROCESS_SIGNALLED, PROCESS_NOT_FOUND, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED, PROCESS_STOPPED };

/* Run to the end; *status is the exit status or the signal. */
enum process_end process_run(const struct process *process, int *status);
/* The same for a function of ours in a child; it returns the exit status.  Its standard error goes to a file. */
enum process_end process_call(int (*function)(void *argument), void *argument, const char *errors, int *status);

/* The number of the process that process_run() waits for; 0: there is none. */
int process_waited_for(void);

/* A process that runs beside others; to be looked at now and then. */
struct child {
	int pid;      /* 0: it does not run */
	double asked; /* when it was asked to end; 0: it was not */
};
/* Start a program; or a function of ours, which may start processes itself, its output in files (NULL: ours).  All but
 * PROCESS_EXITED: why it was not started. */
enum process_end child_start(struct child *child, const struct process *process);
enum process_end child_call(struct child *child, int (*function)(void *argument), void *argument, const char *output,
			    const char *errors);
/* Has it ended?  Then it says how.  Otherwise, if its time is up, it is asked to end, and killed when it does not. */
bool child_has_ended(struct child *child, enum process_end *end, int *status);
enum process_end child_wait(struct child *child, int *status); /* until it has */
void child_stop(struct child *child);                          /* ask it to end; child_has_ended() sees to it that it does */

/* A process that we talk with, line by line. */
struct dialogue {
	int pid;
	FILE *to, *from; /* its standard input and output */
};
/* Its output and input in `process` are not looked at.  False: it could not be started. */
bool dialogue_start(struct dialogue *dialogue, const struct process *process);
/* The next line that it says, to be freed, without its end; NULL: it has ended.  Ctrl-C does not end the wait. */
char *dialogue_line(struct dialogue *dialogue);
/* It is to end now. */
void dialogue_end(struct dialogue *dialogue);

void process_catch_signals(void); /* Ctrl-C: hand it to the running process, then clean up */
bool process_interrupted(void);
void process_forget_interrupt(void); /* the command goes on after Ctrl-C */
/* From now on: after so many seconds, the process that runs gets SIGINT, and SIGKILL after a grace period; those that would
 * run later are timed out at once.  0: no limit. */
void process_limit_time(unsigned long seconds);
bool process_out_of_time(void);
void process_grant_time(double seconds); /* if the time is over: so much more from now */
/* Whether the limit is to wait: for what is short, and after which there is something to report. */
void process_defer_limit(bool defer);
/* From now on: should we be killed, a directory is removed, and all that we have started ends; no longer so. */
void process_watch(const char *directory);
void process_unwatch(void);

/* The time that process_limit_time() gives is over before there is anything to report: `meanwhile` says what was done.  The end. */
_Noreturn void out_of_time(const char *meanwhile, ...) __attribute__((format(printf, 1, 2)));
/* Run a program that `package` brings; all but success ends the command. */
void run_tool(const struct process *process, const char *package);

/* echo.c: from now on, print each command that is started, on standard error.  A remark is printed then, too, as a comment. */
void echo_commands(bool yes);
void echo_command(const struct process *process);
void echo_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- files (work.c, files.c) --------------------------------------------------------------------------------------- */

char *work_directory(void);              /* make one; it is removed when the command ends, however that comes */
const char *work_name(const char *path); /* of a file in it, without its directory; NULL: it is elsewhere */
const char *work_root(void);             /* its name */
void work_keep(void);                    /* do not remove it, and say so */
const char *temporary_directory(void);   /* where that one is: TMPDIR, or /tmp */
void check_space(void);                  /* fail() if the work directory's device is full: before blaming anything else */
void remove_tree(const char *path);
char *read_file(const char *path, size_t *size); /* NULL if it cannot be read */
bool write_file(const char *path, const char *bytes, size_t size);
bool copy_file(const char *from, const char *to);
bool try_directories(const char *path);  /* make it, with its parents */
void make_directories(const char *path); /* the same, or fail() */
bool file_exists(const char *path);
char *find_program(const char *name); /* on PATH, malloc'ed; NULL if it is not there */
/* A data file of ours: model.pml.in, bitspin_vm.h, libbitspin-vm.a, bitspin.h; found beside the executable or installed. */
char *data_file(const char *name);

/* directory.c: a directory for several files of ours.  What is a name in it?  Those that are REMOVED belong to what was written. */
enum directory_use { DIRECTORY_OTHERS, DIRECTORY_WRITTEN, DIRECTORY_REMOVED };
typedef enum directory_use directory_name(const char *name);
void directory_check(const char *directory, directory_name *is_ours); /* fail() if a file of such a name is not of ours */
bool directory_note(const char *directory, directory_name *is_ours);  /* all have been written; false: errno says what is wrong */

char *absolute_path(const char *path);   /* malloc'ed; the file need not be there */
const char *from_here(const char *path); /* as short as it can be from the current directory */

#endif
