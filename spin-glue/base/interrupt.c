/* SPDX-License-Identifier: MIT
 *
 * Ctrl-C and its kin set a flag.  Whoever waits looks at it: a process that runs is asked to end, then the command ends.
 */
#include "base.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	(void)signal;
	interrupted = 1; /* wait_for() looks at it */
}

void process_catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND }; /* the second time: at once */
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

void process_forget_interrupt(void)
{
	interrupted = 0;
	process_catch_signals();
}
