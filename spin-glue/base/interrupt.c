/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C and its kin set a flag.  Whoever waits looks at it: a process that runs is asked to end, then the command ends.
 *
 * A second signal ends the command at once.  But timeout(1) sends two, one to the command and one to its group, microseconds later:
 * they are one.
 */
#include "base.h"

#include <signal.h>
#include <time.h>

#define TOGETHER 0.5 /* seconds; signals that come within them are one */

static volatile sig_atomic_t interrupted;
static struct timespec first; /* when it was */

static double since(const struct timespec *before)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)(t.tv_sec - before->tv_sec) + (double)(t.tv_nsec - before->tv_nsec) / 1e9;
}

static void on_signal(int number)
{
	if (interrupted && since(&first) > TOGETHER) {
		signal(number, SIG_DFL);
		raise(number); /* when the handler has returned */
	}
	if (!interrupted)
		clock_gettime(CLOCK_MONOTONIC, &first);
	interrupted = 1; /* wait_for() looks at it */
}

void process_catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&action.sa_mask, signals[i]);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

bool process_interrupted(void)
{
	return interrupted;
}

void process_forget_interrupt(void)
{
	interrupted = 0;
}
