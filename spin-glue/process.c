/* SPDX-License-Identifier: MIT
 *
 * The only file that starts processes.  A child gets its own process group, so that Ctrl-C reaches it through us only:
 * pan is to print its statistics before it ends.
 */
#include "glue.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE 5 /* seconds between SIGINT and SIGKILL */

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	(void)signal;
	interrupted = 1; /* wait_for() looks at it */
}

void process_catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

bool process_interrupted(void)
{
	return interrupted;
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
	setpgid(0, 0);
	if (p->directory && chdir(p->directory) < 0)
		_exit(126);
	int null = open("/dev/null", O_RDONLY);
	if (null >= 0)
		dup2(null, 0);
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

/* Wait for the child, asking it to stop when its time is up, or when we are, and killing it when it does not. */
static int wait_for(pid_t child, unsigned long seconds, bool *timed_out)
{
	double start = now(), asked = 0;
	struct timespec pause = { .tv_nsec = 1000000 };
	for (;;) {
		int status;
		pid_t done = waitpid(child, &status, WNOHANG);
		if (done == child)
			return status;
		double t = now();
		if (!asked && ((seconds && t - start > (double)seconds) || interrupted)) {
			*timed_out = !interrupted;
			kill(-child, SIGINT);
			asked = t;
		} else if (asked && t - asked > GRACE) {
			kill(-child, SIGKILL);
			asked = t;
		}
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 20000000)
			pause.tv_nsec += 500000;
	}
}

static enum process_end end_of(pid_t child, unsigned long seconds, int *status)
{
	setpgid(child, child);
	bool timed_out = false;
	int ended = wait_for(child, seconds, &timed_out);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended);
	if (interrupted)
		return PROCESS_INTERRUPTED;
	if (timed_out)
		return PROCESS_TIMED_OUT;
	return WIFEXITED(ended) ? PROCESS_EXITED : PROCESS_SIGNALLED;
}

enum process_end process_run(const struct process *process, int *status)
{
	if (interrupted)
		return PROCESS_INTERRUPTED;
	fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		fail("cannot start '%s': %s", process->argv[0], strerror(errno));
	if (child == 0)
		become(process);
	enum process_end end = end_of(child, process->seconds, status);
	return end == PROCESS_EXITED && *status == 127 ? PROCESS_NOT_FOUND : end;
}

enum process_end process_call(int (*function)(void *argument), void *argument, const char *errors, int *status)
{
	if (interrupted)
		return PROCESS_INTERRUPTED;
	fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		fail("cannot start a process: %s", strerror(errno));
	if (child == 0) {
		setpgid(0, 0);
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
		redirect(errors, 2);
		_exit(function(argument)); /* not exit(): the work directory is the parent's to remove */
	}
	return end_of(child, 0, status);
}
