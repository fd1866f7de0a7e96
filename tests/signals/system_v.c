/* SPDX-License-Identifier: MIT
 *
 * The calls of System V: a signal that is held comes when it is released; sigpause() releases it while it waits.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check '-DRELEASED=sigset(SIGUSR1,come)'
 * EXPECT: verified
 * RUN: check -DRELEASED=0
 * EXPECT: violated assertion
 * RUN: check '-DRELEASED=sigignore(SIGUSR1)'
 * EXPECT: violated assertion
 * RUN: check '-DRELEASED=sigpause(SIGUSR1)'
 * EXPECT: verified
 */
#undef _GNU_SOURCE
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#ifndef RELEASED
#define RELEASED sigrelse(SIGUSR1)
#endif

static volatile sig_atomic_t times;

static void come(int number)
{
	assert(number == SIGUSR1);
	times++;
}

int main(void)
{
	assert(sigset(SIGUSR1, come) == SIG_DFL);
	raise(SIGUSR1);
	assert(times == 1);
	assert(sigset(SIGUSR1, SIG_HOLD) == come);
	assert(sigset(SIGUSR1, SIG_HOLD) == SIG_HOLD);
	raise(SIGUSR1);
	assert(times == 1);
	RELEASED;
	assert(times == 2); /* ERROR */
	assert(sighold(SIGUSR1) == 0 && sighold(SIGUSR1) == 0);
	raise(SIGUSR1);
	assert(times == 2);
	assert(sigset(SIGUSR1, come) == SIG_HOLD && times == 3);
	assert(sighold(-1) == -1 && errno == EINVAL);
	assert(sigrelse(100) == -1 && sigignore(SIGKILL) == -1 && sigset(SIGKILL, come) == SIG_ERR);
	assert(sched_get_priority_min(SCHED_FIFO) == 1 && sched_get_priority_max(SCHED_RR) == 99);
	assert(sched_get_priority_min(SCHED_OTHER) == 0 && sched_get_priority_max(SCHED_OTHER) == 0);
	assert(sched_get_priority_max(17) == -1 && errno == EINVAL);
	return 0;
}
