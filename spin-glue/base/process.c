/* SPDX-License-Identifier: MIT
 *
 * The only file that starts processes.  There may be several children at a time.  Each gets its own process group, so that Ctrl-C
 * reaches it through us only: pan is to print its statistics before it ends.
 *
 * Nothing of ours outlives us, however we end.  A child gets SIGKILL when we die.  What it has started itself, as a compiler
 * starts an assembler, the kernel spares; and a directory has nobody to remove it.  So there is a watcher (watcher.c).
 *
 * A child may be a part of this command that has children of its own (child_call).  They are its own to wait for; if it is killed,
 * they are killed with it.
 */
#include "base.h"
#include "watcher.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define GRACE 1 /* second between SIGINT and SIGKILL */

static unsigned long time_limit;       /* seconds, of which the deadline is the end */
static double deadline;                /* 0: none */
static double kept_back;               /* seconds before the deadline that are not for what runs now */
static bool late;                      /* a process was stopped, or not started, as the deadline had passed */
static bool deferred;                  /* the deadline is not looked at just now */
static const struct child *waited_for; /* by process_run() */

/* ---- the terminal ---------------------------------------------------------------------------------------------------- */

/* Only the foreground group may read from a terminal, and Ctrl-C goes to it alone.  Every child has a group of its own, so a
 * program with a prompt must be given the terminal, and it comes back with the settings that it had.  Ctrl-Z stops that group; then
 * we stop, too, for the shell to notice, and go on together. */
static struct {
	bool lent;
	struct termios settings;
} terminal;

/* Give the terminal to `group`.  SIGTTOU is blocked meanwhile: a process in the background that does this gets that signal. */
static void give_terminal(pid_t group)
{
	assert(group > 0);
	sigset_t output, before;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
	tcsetpgrp(0, group);
	if (group == getpgrp() && terminal.lent)
		tcsetattr(0, TCSADRAIN, &terminal.settings);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void lend_terminal(const struct process *process)
{
	assert(!terminal.lent); /* one process at a time has it */
	terminal.lent = process->terminal && tcgetpgrp(0) == getpgrp() && tcgetattr(0, &terminal.settings) == 0;
}

static void take_terminal_back(void)
{
	if (terminal.lent)
		give_terminal(getpgrp());
	terminal.lent = false;
}

/* Has the child that has the terminal been stopped?  Stop with it. */
static void stop_with(const struct child *child)
{
	siginfo_t stopped = { 0 };
	if (!terminal.lent || waitid(P_PID, (id_t)child->pid, &stopped, WSTOPPED | WNOHANG) < 0 || stopped.si_pid != child->pid)
		return;
	struct termios its;
	tcgetattr(0, &its);
	give_terminal(getpgrp());
	raise(SIGTSTP);
	while (tcgetpgrp(0) != getpgrp() && !process_interrupted()) /* we are in the background */
		raise(SIGTTIN);
	tcgetattr(0, &terminal.settings);
	tcsetattr(0, TCSADRAIN, &its);
	give_terminal(child->pid);
	kill(-child->pid, SIGCONT);
}

/* ---- a child ------------------------------------------------------------------------------------------------------- */

/* Begin a child of `parent`: put it into a group of its own, and have it killed when `parent` ends. */
static void begin_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it was too late for that */
		_exit(126);
	setpgid(0, 0);
	watcher_forget();
	watcher_add(getpid(), parent);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
}

static void redirect(const char *path, int fd)
{
	if (!path)
		return;
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (file < 0 || dup2(file, fd) < 0)
		_exit(126);
	close(file);
}

static _Noreturn void become(const struct process *p)
{
	assert(!p->input || !p->from);
	if (p->starts_groups) { /* else they would outlive us with nobody to end them */
		prctl(PR_SET_PDEATHSIG, 0);
		watcher_ask(getpid());
	}
	if (p->directory && chdir(p->directory) < 0)
		_exit(126);
	if (terminal.lent)
		give_terminal(getpid());
	int from = p->input ? -1 : open(p->from ? p->from : "/dev/null", O_RDONLY);
	if (from >= 0)
		dup2(from, 0);
	redirect(p->output, 1);
	redirect(p->errors, 2);
	for (size_t i = 0; p->environment && p->environment[i]; i++)
		putenv((char *)p->environment[i]);
#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes that it never touches */
	struct rlimit limit = { p->address_space, p->address_space };
	if (p->address_space)
		setrlimit(RLIMIT_AS, &limit);
#endif
	signal(SIGPIPE, SIG_DFL);
	execvp(p->argv[0], (char *const *)p->argv);
	_exit(errno == ENOENT ? 127 : 126);
}

double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void process_limit_time(unsigned long seconds)
{
	time_limit = seconds;
	deadline = seconds ? seconds_now() + (double)seconds : 0;
	kept_back = 0;
	late = false;
}

void process_keep_time_back(double seconds)
{
	assert(seconds >= 0);
	kept_back = seconds;
}

void process_defer_limit(bool defer)
{
	assert(deferred != defer); /* within one another, the inner one would end the outer one */
	deferred = defer;
}

static bool is_too_late(void)
{
	return !deferred && deadline > 0 && seconds_now() > deadline - kept_back;
}

void process_grant_time(double seconds)
{
	assert(seconds > 0);
	kept_back = 0;
	if (!late && !is_too_late())
		return;
	assert(deadline > 0);
	if (seconds_now() + seconds > deadline)
		deadline = seconds_now() + seconds;
	late = false;
}

bool process_out_of_time(void)
{
	return late;
}

_Noreturn void out_of_time(const char *meanwhile, ...)
{
	assert(time_limit > 0);
	va_list arguments;
	va_start(arguments, meanwhile);
	char *what = text_of(meanwhile, arguments);
	va_end(arguments);
	char *message = text("time limit of %lu second%s reached while %s", time_limit, plural((double)time_limit), what);
	printf("inconclusive: %s\n", message);
	give_up(VERDICT_INCONCLUSIVE, message);
}

/* Kill what the ended `child` has left running, and take it off the list of the watcher.  Return its exit status as waitpid() has
 * it. */
static int reap(pid_t child)
{
	assert(child > 0); /* else it would be our own group */
	int status = 0;
	kill(-child, SIGKILL); /* while it is not reaped, the number is its own */
	watcher_remove(child);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

static enum process_end end_of(const struct child *child, int ended, int *status)
{
	assert(WIFEXITED(ended) || WIFSIGNALED(ended));
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended);
	if (process_interrupted())
		return PROCESS_INTERRUPTED;
	if (late && !deferred)
		return PROCESS_TIMED_OUT;
	if (child->asked > 0)
		return PROCESS_STOPPED;
	if (!WIFEXITED(ended))
		return PROCESS_SIGNALLED;
	return *status == 127 ? PROCESS_NOT_FOUND : PROCESS_EXITED;
}

void child_stop(struct child *child)
{
	assert(child->pid >= 0);
	double t = seconds_now();
	if (child->pid && !child->asked) {
		kill(-child->pid, SIGINT);
		child->asked = t;
	} else if (child->pid && t - child->asked > GRACE) {
		kill(-child->pid, SIGKILL);
		child->asked = t;
	}
}

bool child_has_ended(struct child *child, enum process_end *end, int *status)
{
	assert(child->pid > 0);
	siginfo_t ended = { 0 };
	if (waitid(P_PID, (id_t)child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) < 0 || ended.si_pid == child->pid) {
		*end = end_of(child, reap(child->pid), status);
		*child = (struct child){ 0 };
		return true;
	}
	bool too_late = is_too_late();
	late = late || (too_late && !child->asked && !process_interrupted());
	if (child->asked || too_late || process_interrupted())
		child_stop(child);
	return false;
}

/* Return why no process may be started now; PROCESS_EXITED if one may be. */
static enum process_end hindrance(void)
{
	if (process_interrupted())
		return PROCESS_INTERRUPTED;
	late = late || is_too_late();
	return late && !deferred ? PROCESS_TIMED_OUT : PROCESS_EXITED;
}

/* Start a child in which `run` runs, and does not return.  `name` is for the message if that fails. */
static pid_t start(void (*run)(const void *what), const void *what, const char *name)
{
	fflush(NULL);
	pid_t parent = getpid(), child = fork();
	if (child < 0)
		fail("cannot start '%s': %s", name, strerror(errno));
	if (child == 0) {
		begin_child(parent);
		run(what);
		_exit(126);
	}
	setpgid(child, child); /* whichever of the two comes first */
	return child;
}

static void become_program(const void *what)
{
	become(what);
}

enum process_end child_start(struct child *child, const struct process *process)
{
	assert(process->argv && process->argv[0]);
	assert(!child->pid);
	enum process_end end = hindrance();
	if (end != PROCESS_EXITED)
		return end;
	echo_command(process);
	*child = (struct child){ .pid = start(become_program, process, process->argv[0]) };
	return end;
}

/* what a child that is a part of us does */
struct call {
	int (*function)(void *argument);
	void *argument;
	const char *output, *errors;
};

static void become_call(const void *what)
{
	const struct call *call = what;
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	redirect(call->output, 1);
	redirect(call->errors, 2);
	int status = call->function(call->argument);
	fflush(NULL);
	_exit(status); /* not exit(): the work directory is the parent's to remove */
}

enum process_end child_call(struct child *child, int (*function)(void *argument), void *argument, const char *output,
			    const char *errors)
{
	assert(!child->pid);
	const struct call call = { function, argument, output, errors };
	enum process_end end = hindrance();
	if (end == PROCESS_EXITED)
		*child = (struct child){ .pid = start(become_call, &call, "a part of bitspin") };
	return end;
}

/* Wait until `child` has ended, and put its exit status into *status.  `process` says what to do meanwhile, or is NULL. */
static enum process_end wait_for(struct child *child, const struct process *process, int *status)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	enum process_end end;
	while (!child_has_ended(child, &end, status)) {
		nanosleep(&pause, NULL);
		stop_with(child);
		if (process && process->meanwhile && !process->meanwhile(process->context))
			child_stop(child);
		if (pause.tv_nsec < 20000000)
			pause.tv_nsec += 500000;
	}
	return end;
}

enum process_end child_wait(struct child *child, int *status)
{
	return wait_for(child, NULL, status);
}

int process_waited_for(void)
{
	return waited_for ? waited_for->pid : 0;
}

enum process_end process_run(const struct process *process, int *status)
{
	struct child child = { 0 };
	lend_terminal(process);
	enum process_end end = child_start(&child, process);
	const struct child *before = waited_for;
	if (end == PROCESS_EXITED) {
		waited_for = &child;
		end = wait_for(&child, process, status);
		waited_for = before;
	}
	take_terminal_back();
	return end;
}

enum process_end process_call(int (*function)(void *argument), void *argument, const char *errors, int *status)
{
	struct child child = { 0 };
	enum process_end end = child_call(&child, function, argument, NULL, errors);
	return end == PROCESS_EXITED ? child_wait(&child, status) : end;
}

/* ---- dialogues ----------------------------------------------------------------------------------------------------- */

bool dialogue_start(struct dialogue *dialogue, const struct process *process)
{
	assert(process->argv && process->argv[0] && !terminal.lent);
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) < 0)
		return false;
	if (pipe2(out, O_CLOEXEC) < 0) {
		close(in[0]);
		close(in[1]);
		return false;
	}
	echo_command(process);
	fflush(NULL);
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		begin_child(parent);
		struct process own = *process;
		own.input = true;
		own.output = NULL;
		dup2(in[0], 0);
		dup2(out[1], 1);
		become(&own);
	}
	if (child > 0)
		setpgid(child, child);
	close(in[0]);
	close(out[1]);
	dialogue->pid = child;
	dialogue->to = fdopen(in[1], "w");
	dialogue->from = fdopen(out[0], "r");
	return child > 0 && dialogue->to && dialogue->from;
}

char *dialogue_line(struct dialogue *dialogue)
{
	assert(dialogue->pid > 0 && dialogue->from);
	char *line = NULL;
	size_t length = 0, capacity = 0;
	int c;
	while ((c = getc_unlocked(dialogue->from)) != '\n') {
		if (c == EOF && ferror(dialogue->from) && errno == EINTR) {
			clearerr(dialogue->from);
			continue;
		}
		if (c == EOF)
			break;
		if (length + 1 >= capacity) {
			capacity = capacity ? 2 * capacity : 512;
			line = realloc(line, capacity);
			if (!line)
				BUG("out of memory");
		}
		line[length++] = (char)c;
	}
	if (c == EOF || !line) {
		free(line);
		return c == EOF ? NULL : text("%s", "");
	}
	assert(length < capacity);
	line[length] = '\0';
	return line;
}

void dialogue_end(struct dialogue *dialogue)
{
	if (dialogue->to)
		fclose(dialogue->to);
	if (dialogue->from)
		fclose(dialogue->from);
	if (dialogue->pid > 0)
		reap(dialogue->pid);
	*dialogue = (struct dialogue){ 0 };
}
