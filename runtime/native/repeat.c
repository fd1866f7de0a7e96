/* SPDX-License-Identifier: MIT
 *
 * Many runs, to see two threads meet as only a processor makes them: a store of the one waits in its buffer while the other reads.
 * Each run is a process of its own.  Its schedule ends before the store; from there on the two threads go on at once, each on a
 * processor, with no gate between their accesses.  In turn, either is held back a little longer.
 */
#include "native.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct native_schedule *const schedule = &bitspin_native_schedule;

bool native_races(struct thread *me)
{
	return schedule->repeat && (me->number == schedule->racers[0] || me->number == schedule->racers[1]);
}

void native_bind(struct thread *me)
{
	cpu_set_t allowed, own;
	int skip = me->number == schedule->racers[0] ? 0 : 1;
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2)
		return;
	CPU_ZERO(&own);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &allowed) && skip-- == 0)
			CPU_SET(i, &own);
	sched_setaffinity(0, sizeof own, &own);
}

static void pause_for(int times)
{
	for (volatile int i = 0; i < times; i++)
		;
}

/* The schedule is over by what a third thread does, for which there may be no processor.  So the two wait for each other then: the
 * one that comes first does not sleep. */
void native_race(struct thread *me)
{
	enum { MOST = 20000000 }; /* rounds; the other may be blocked elsewhere */
	static int arrived;
	int run = native_report->runs, first = me->number == schedule->racers[0];
	native_wait_over();
	__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL);
	for (int i = 0; i < MOST && __atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < 2; i++)
		;
	if (run % 2 == first)
		pause_for(run / 2 % 16);
}

void native_race_from_start(struct thread *me)
{
	if (!schedule->from_start || !native_races(me))
		return;
	native_bind(me);
	native_leave(me);
	native_race(me);
}

void native_repeat(void)
{
	for (int run = 1; run <= schedule->repeat; run++) {
		int status = 0;
		memset(native_report, 0, sizeof *native_report);
		native_report->runs = run;
		pid_t child = fork();
		if (child == 0)
			return;
		if (child < 0 || waitpid(child, &status, 0) != child)
			_exit(NATIVE_LATE);
		if (WIFSIGNALED(status)) {
			signal(WTERMSIG(status), SIG_DFL);
			raise(WTERMSIG(status));
		}
	}
	if (schedule->repeat)
		_exit(0);
}
