/* SPDX-License-Identifier: MIT
 *
 * The only file that starts processes.  A child gets its own process group, so that Ctrl-C reaches it through us only:
 * pan is to print its statistics before it ends.
 *
 * Nothing of ours outlives us, however we end.  A child gets SIGKILL when we die.  What it has started itself, as a compiler
 * starts an assembler, the kernel spares; and a directory has nobody to remove it.  So there is a watcher: a process that does
 * nothing but read from a pipe; we have the other end.  When that is closed, and we have not said that all is well, it kills
 * the group of the child and removes the directory.
 */
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE 1 /* second between SIGINT and SIGKILL */

static unsigned long time_limit; /* seconds, of which the deadline is the end */
static double deadline;          /* 0: none */
static bool late;                /* a process was stopped, or not started, as the deadline had passed */
static bool deferred;            /* the deadline is not looked at just now */
static int watcher = -1;         /* where the watcher reads: the group that is to be killed, 0 if none, or ALL_IS_WELL */

static pid_t watching; /* the watcher */

enum { ALL_IS_WELL = -1 };

/* ---- the watcher --------------------------------------------------------------------------------------------------- */

static void tell_watcher(pid_t group)
{
	if (watcher >= 0 && write(watcher, &group, sizeof group) < 0)
		watcher = -1;
}

static _Noreturn void watch(int from, const char *directory)
{
	pid_t group, last = 0;
	setsid(); /* what is sent to our group is not for it */
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd); /* who reads what we print is not to wait for it */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (read(from, &group, sizeof group) == sizeof group)
		last = group;
	if (last == ALL_IS_WELL)
		_exit(0);
	if (last > 0)
		kill(-last, SIGKILL);
	remove_tree(directory);
	_exit(0);
}

void process_watch(const char *directory)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return; /* it is a precaution only */
	fflush(NULL);
	watching = fork();
	if (watching == 0) {
		close(ends[1]);
		watch(ends[0], directory);
	}
	close(ends[0]);
	if (watching < 0)
		close(ends[1]);
	else
		watcher = ends[1];
}

void process_unwatch(void)
{
	if (watcher < 0)
		return;
	tell_watcher(ALL_IS_WELL);
	close(watcher);
	watcher = -1;
	waitpid(watching, NULL, 0);
}

/* ---- a child ------------------------------------------------------------------------------------------------------- */

/* In a child: its own group, that ends with us. */
static void begin_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it was too late for that */
		_exit(126);
	setpgid(0, 0);
	tell_watcher(getpid());
	close(watcher);
	watcher = -1;
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
	if (p->directory && chdir(p->directory) < 0)
		_exit(126);
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

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void process_limit_time(unsigned long seconds)
{
	time_limit = seconds;
	deadline = seconds ? now() + (double)seconds : 0;
	late = false;
}

void process_defer_limit(bool defer)
{
	deferred = defer;
}

bool process_out_of_time(void)
{
	return late;
}

_Noreturn void out_of_time(const char *meanwhile, ...)
{
	char *what;
	va_list arguments;
	va_start(arguments, meanwhile);
	if (vasprintf(&what, meanwhile, arguments) < 0)
		BUG("out of memory");
	va_end(arguments);
	char *message = text("time limit of %lu seconds reached while %s", time_limit, what);
	printf("inconclusive: %s\n", message);
	give_up(VERDICT_INCONCLUSIVE, message);
}

static bool is_too_late(void)
{
	return !deferred && deadline > 0 && now() > deadline;
}

/* Wait for the child, asking it to stop when its time is up, or when we are, and killing it when it does not. */
static int wait_for(pid_t child, const struct process *process)
{
	double asked = 0;
	struct timespec pause = { .tv_nsec = 1000000 };
	for (;;) {
		siginfo_t ended = { 0 };
		if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) < 0 || ended.si_pid == child) {
			int status = 0;
			kill(-child, SIGKILL); /* what it has left running; while it is not reaped, the number is its own */
			waitpid(child, &status, 0);
			return status;
		}
		double t = now();
		if (!asked && (is_too_late() || process_interrupted())) {
			late = !process_interrupted();
			kill(-child, SIGINT);
			asked = t;
		} else if (asked && t - asked > GRACE) {
			kill(-child, SIGKILL);
			asked = t;
		}
		nanosleep(&pause, NULL);
		if (process && process->meanwhile)
			process->meanwhile(process->context);
		if (pause.tv_nsec < 20000000)
			pause.tv_nsec += 500000;
	}
}

/* `process`: what the child is, or NULL. */
static enum process_end end_of(pid_t child, const struct process *process, int *status)
{
	setpgid(child, child);
	int ended = wait_for(child, process);
	tell_watcher(0);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended);
	if (process_interrupted())
		return PROCESS_INTERRUPTED;
	if (late && !deferred)
		return PROCESS_TIMED_OUT;
	return WIFEXITED(ended) ? PROCESS_EXITED : PROCESS_SIGNALLED;
}

/* Why no process is to be started; PROCESS_EXITED if one may be. */
static enum process_end hindrance(void)
{
	if (process_interrupted())
		return PROCESS_INTERRUPTED;
	late = late || is_too_late();
	return late && !deferred ? PROCESS_TIMED_OUT : PROCESS_EXITED;
}

enum process_end process_run(const struct process *process, int *status)
{
	enum process_end end = hindrance();
	if (end != PROCESS_EXITED)
		return end;
	echo_command(process);
	fflush(NULL);
	pid_t parent = getpid(), child = fork();
	if (child < 0)
		fail("cannot start '%s': %s", process->argv[0], strerror(errno));
	if (child == 0) {
		begin_child(parent);
		become(process);
	}
	end = end_of(child, process, status);
	return end == PROCESS_EXITED && *status == 127 ? PROCESS_NOT_FOUND : end;
}

enum process_end process_call(int (*function)(void *argument), void *argument, const char *errors, int *status)
{
	enum process_end end = hindrance();
	if (end != PROCESS_EXITED)
		return end;
	fflush(NULL);
	pid_t parent = getpid(), child = fork();
	if (child < 0)
		fail("cannot start a process: %s", strerror(errno));
	if (child == 0) {
		begin_child(parent);
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
		redirect(errors, 2);
		_exit(function(argument)); /* not exit(): the work directory is the parent's to remove */
	}
	return end_of(child, NULL, status);
}

/* ---- dialogues ----------------------------------------------------------------------------------------------------- */

bool dialogue_start(struct dialogue *dialogue, const struct process *process)
{
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
	close(in[0]);
	close(out[1]);
	dialogue->pid = child;
	dialogue->to = fdopen(in[1], "w");
	dialogue->from = fdopen(out[0], "r");
	return child > 0 && dialogue->to && dialogue->from;
}

char *dialogue_line(struct dialogue *dialogue)
{
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
	line[length] = '\0';
	return line;
}

void dialogue_end(struct dialogue *dialogue)
{
	if (dialogue->to)
		fclose(dialogue->to);
	if (dialogue->from)
		fclose(dialogue->from);
	if (dialogue->pid > 0) {
		kill(dialogue->pid, SIGKILL);
		while (waitpid(dialogue->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	*dialogue = (struct dialogue){ 0 };
}
