/* SPDX-License-Identifier: MIT
 *
 * The ground that all rooms of the command stand on: how a run ends, strings, processes, files.
 */
#ifndef BITSPIN_BASE_H
#define BITSPIN_BASE_H

#include <stdarg.h>
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

/* Print an error of the user's as one line on stderr, and end the command with status 2. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Report an error in bitspin itself, and end the command. */
#define BUG(...) glue_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void glue_bug(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* End the command before there is anything to report; the caller has printed the message. */
_Noreturn void give_up(enum verdict verdict, const char *message);
/* Report an early end, once, also to the function `sink` from now on; NULL: to none. */
typedef void fail_sink(enum verdict verdict, const char *message);
void fail_tell(fail_sink *sink);

/* End the command with an error if what has been printed could not be written, unless nobody reads the pipe any more. */
void flush_stdout(void);

/* ---- strings (text.c) ---------------------------------------------------------------------------------------------- */

/* A list of strings, which it owns. */
struct list {
	char **items; /* ended by NULL; NULL: the list is empty */
	size_t count;
};

void list_add(struct list *list, const char *text);
void list_addf(struct list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
void list_add_words(struct list *list, const char *words); /* separated by blanks */
/* Add the words of a file of flags: separated by white space, with quotes or backslashes where a word contains white space.
 * `literal`: a backslash within single quotes stands for itself, as in a shell. */
void list_add_quoted(struct list *list, const char *words, bool literal);
void list_release(struct list *list);
char *text_of(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
char *text(const char *format, ...) __attribute__((format(printf, 1, 2))); /* malloc'ed */
/* Return `whole` without the first `part`, if there is one, malloc'ed. */
char *text_without(const char *whole, const char *part);
const char *plural(double number);                                  /* "s", or "" for 1 */
char *text_number(long long number);                                /* as "5,000", malloc'ed; not negative */
char *text_add(char *all, const char *separator, const char *word); /* release `all`; return it with a word more, malloc'ed */
char *text_quoted(const char *word);                                /* in quotes if a shell would not take it as it is, malloc'ed */
char *text_words(const struct list *words);                         /* a command line for a shell, malloc'ed */
/* Print a number by a format with one %.0f, in which ~ stands before the ending of the plural, as in "%.0f state~s"; malloc'ed. */
char *text_counted(const char *format, double number);

/* ---- what was meant (guess.c) -------------------------------------------------------------------------------------- */

/* The best of the names that were offered for `word`, which is none of them.  It begins with all but `word` zero. */
struct guess {
	const char *word;
	const char *name; /* NULL: no name is near */
	unsigned errors;
};
void guess_offer(struct guess *guess, const char *name); /* the name must stay */
/* Return "; did you mean 'NAME'?" with `before` before the name, or "" if no name is near; malloc'ed. */
char *guess_question(const struct guess *guess, const char *before);

/* ---- processes (process.c, watcher.c, interrupt.c, tool.c) --------------------------------------------------------- */

struct process {
	const char *const *argv;
	const char *directory;          /* to run in; NULL: the current one */
	const char *from;               /* file for its standard input; NULL: as `input` says */
	const char *output;             /* file for its standard output; NULL: that of the command */
	bool input;                     /* its standard input is that of the command; otherwise it has none */
	const char *errors;             /* file for its standard error; NULL: that of the command */
	const char *const *environment; /* NAME=VALUE to add, NULL-terminated; or NULL */
	unsigned long address_space;    /* bytes it may map; 0: no limit */
	bool terminal;                  /* process_run() hands the terminal to it meanwhile */
	bool starts_groups;             /* it starts process groups, and ends them itself after SIGTERM */
	bool (*meanwhile)(void *);      /* process_run() calls this now and then, and ends the process on false; or NULL */
	void *context;                  /* the argument of meanwhile() */
};

/* How a process ended.  STOPPED: it was asked to end, by child_stop() or meanwhile(). */
enum process_end { PROCESS_EXITED, PROCESS_SIGNALLED, PROCESS_NOT_FOUND, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED, PROCESS_STOPPED };

/* Run a process to its end; *status is the exit status or the signal. */
enum process_end process_run(const struct process *process, int *status);
/* Run a function, which returns the exit status, in a child to its end.  Its standard error goes to the file `errors`. */
enum process_end process_call(int (*function)(void *argument), void *argument, const char *errors, int *status);

/* Return the number of the process that process_run() waits for; 0 if there is none. */
int process_waited_for(void);

/* A process that runs beside others, after which the command looks now and then. */
struct child {
	int pid;      /* 0: it does not run */
	double asked; /* when it was asked to end; 0: it was not */
};
/* Start a program; or a function, which may start processes itself and whose output goes to files (NULL: to that of the command).
 * Return PROCESS_EXITED, or why the child was not started. */
enum process_end child_start(struct child *child, const struct process *process);
enum process_end child_call(struct child *child, int (*function)(void *argument), void *argument, const char *output,
			    const char *errors);
/* Has the child ended, as *end and *status say?  If not and its time is up, ask it to end, and kill it when it does not. */
bool child_has_ended(struct child *child, enum process_end *end, int *status);
enum process_end child_wait(struct child *child, int *status); /* wait until the child has ended */
void child_stop(struct child *child);                          /* ask the child to end; child_has_ended() makes sure of that */

/* A process with which the command talks line by line. */
struct dialogue {
	int pid;
	FILE *to, *from; /* its standard input and output */
};
/* Start the process of a dialogue, whatever `process` says of its input and output.  Return false if it could not be started. */
bool dialogue_start(struct dialogue *dialogue, const struct process *process);
/* Return the next line that the process says, without its end, for the caller to free; NULL: the process has ended.  Ctrl-C does
 * not end the wait. */
char *dialogue_line(struct dialogue *dialogue);
/* End the process. */
void dialogue_end(struct dialogue *dialogue);

double seconds_now(void);         /* by a clock that only goes forward */
void process_catch_signals(void); /* on Ctrl-C, interrupt the running process, then clean up */
bool process_interrupted(void);
void process_forget_interrupt(void); /* let the command go on after Ctrl-C */
/* Send SIGINT to the running process when so many seconds from now are over, and SIGKILL after a grace period; later ones are timed
 * out at once.  0: no limit. */
void process_limit_time(unsigned long seconds);
bool process_out_of_time(void);
void process_keep_time_back(double seconds); /* end processes so long before the time is over */
void process_grant_time(double seconds);     /* keep nothing back, and if the time is over, grant so many seconds from now */
/* Let the limit wait, or no longer: for something short, after which there is something to report. */
void process_defer_limit(bool defer);
/* Have a directory removed and all started processes ended if the command is killed; no longer. */
void process_watch(const char *directory);
void process_unwatch(void);

/* End the command because the time of process_limit_time() is over before there is anything to report; `meanwhile` says what was
 * done. */
_Noreturn void out_of_time(const char *meanwhile, ...) __attribute__((format(printf, 1, 2)));
/* Run a program of the package `package`; end the command unless that succeeds. */
void run_tool(const struct process *process, const char *package);

/* echo.c: print each command that is started on standard error from now on, and remarks as comments. */
void echo_commands(bool yes);
void echo_command(const struct process *process);
void echo_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- files (work.c, files.c) --------------------------------------------------------------------------------------- */

char *work_directory(void);              /* make the work directory, which is removed however the command ends */
const char *work_name(const char *path); /* the name of a file in the work directory, without that; NULL: it is elsewhere */
const char *work_root(void);             /* the name of the work directory */
void work_keep(void);                    /* keep the work directory, and say so */
const char *temporary_directory(void);   /* where the work directory is: TMPDIR, or /tmp */
void check_space(void);                  /* fail() if the device of the work directory is full, before blaming anything else */
void remove_tree(const char *path);
char *read_file(const char *path, size_t *size); /* NULL if it cannot be read */
bool write_file(const char *path, const char *bytes, size_t size);
bool copy_file(const char *from, const char *to);
bool try_directories(const char *path);  /* make a directory with its parents, or return false */
void make_directories(const char *path); /* make a directory with its parents, or fail() */
char *cache_directory(void);             /* return the path of the cache, malloc'ed; NULL: there is none */
bool file_exists(const char *path);
char *find_program(const char *name); /* find a program on PATH; malloc'ed, NULL if there is none */
/* Return the path of a data file of bitspin (model.pml.in, bitspin_vm.h, libbitspin-vm.a, bitspin.h), beside the executable or
 * installed. */
char *data_file(const char *name);

/* Tell the processes of a search where the solver is (BITSPIN_SOLVER), unless the user has told. */
void offer_solver(void);

/* directory.c: a directory that the user names for several files of bitspin.  A directory_name() says of a file name whether the
 * file is somebody else's, is written by bitspin, or belongs to an earlier run and is removed. */
enum directory_use { DIRECTORY_OTHERS, DIRECTORY_WRITTEN, DIRECTORY_REMOVED };
typedef enum directory_use directory_name(const char *name);
/* fail() if a file in the directory has such a name and was not written by bitspin. */
void directory_check(const char *directory, directory_name *is_ours);
/* Note that all files have been written.  Return false if that fails; errno says why. */
bool directory_note(const char *directory, directory_name *is_ours);

const char *base_name(const char *path); /* return what is behind the last slash */
char *absolute_path(const char *path);   /* make a path absolute; malloc'ed; the file need not exist */
const char *from_here(const char *path); /* make a path as short as it can be from the current directory */

#endif
