/* SPDX-License-Identifier: MIT
 *
 * A thread that looks now and then how the others are getting on.  It counts its looks, not seconds, so that a debugger may stop
 * the program for as long as it likes.
 */
#include "native.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PAUSE = 2,      /* milliseconds between looks */
	BLOCKED = 10,   /* looks: a call in which the thread is to wait has begun to */
	PAST = 50,      /* ... the last thread sleeps: it has got past the end of the schedule */
	STALLED = 1000, /* ... the schedule gets no further, and the thread sleeps */
	SPINS = 2500,   /* ... and it does not sleep */
	HANGS = 100,    /* ... after the schedule, all that are to hang do */
	LATE = 1000     /* ... after the schedule, the program goes on */
};

static sigset_t mask; /* of the thread that starts the watch */

void bitspin_native_hangs(void);
void bitspin_native_late(void);

/* Let a debugger stop here: the threads are blocked for good. */
__attribute__((noinline)) void bitspin_native_hangs(void)
{
	__asm__ volatile("");
}

/* Let a debugger stop here: the program goes on, and nothing has come of the schedule. */
__attribute__((noinline)) void bitspin_native_late(void)
{
	__asm__ volatile("");
}

/* Return what the kernel calls the state of the thread; 'X' if there is no such thread any more. */
static char state_of(const struct thread *thread)
{
	char path[64], line[512];
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread->tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 'X' : '?';
	ssize_t n = read(fd, line, sizeof line - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	const char *end = strrchr(line, ')');
	return end && end[1] == ' ' ? end[2] : '?';
}

static bool sleeps(const struct thread *thread)
{
	return state_of(thread) == 'S';
}

/* Is the thread gone?  The first one of a process stays a zombie. */
static bool is_gone(const struct thread *thread)
{
	char state = state_of(thread);
	return state == 'X' || state == 'Z';
}

static bool is_traced(void)
{
	char line[256];
	bool traced = false;
	FILE *status = fopen("/proc/self/status", "re");
	while (status && fgets(line, sizeof line, status))
		traced |= strncmp(line, "TracerPid:", 10) == 0 && atoi(line + 10) != 0;
	if (status)
		fclose(status);
	return traced;
}

/* End the program, unless a debugger looks at it. */
static void stop(int status)
{
	static bool stopped;
	if (stopped)
		return;
	stopped = true;
	(status == NATIVE_HANGS ? bitspin_native_hangs : bitspin_native_late)();
	if (!is_traced())
		_exit(status);
}

/* Is the next turn of the thread, or its rest, in the call that it is in? */
static bool is_to_wait(const struct thread *thread)
{
	const struct native_schedule *s = &bitspin_native_schedule;
	int key = thread->calling - 1;
	if (thread->next >= 0)
		return s->turns[thread->next].begun && s->turns[thread->next].key == key;
	return thread->number < s->nthreads && s->rests[thread->number].begun && s->rests[thread->number].key == key;
}

/* Does the thread wait in a call that is none of the library's, as read() of a pipe is?  It is at rest then, without having said
 * so. */
static bool waits_elsewhere(const struct thread *thread, int looks)
{
	return thread && !thread->calling && looks >= PAST && sleeps(thread);
}

/* Look at the thread that is made in this turn, for which its creator waits until it comes to rest. */
static void look_at_child(int number, int looks)
{
	struct thread *child = number >= 0 ? native_threads[number] : NULL;
	if (!child || __atomic_load_n(&child->settled, __ATOMIC_ACQUIRE) || !waits_elsewhere(child, looks))
		return;
	__atomic_store_n(&child->settled, 1, __ATOMIC_RELEASE);
	native_wake(&child->settled);
}

/* Look at the turn that has been under way for so many looks. */
static void look_at_turn(int turn, int looks)
{
	const struct native_turn *t = &bitspin_native_schedule.turns[turn];
	const struct thread *thread = native_threads[t->thread];
	bool asleep = thread && sleeps(thread), last = turn == bitspin_native_schedule.nturns - 1;
	if (thread && thread->calling && asleep && looks >= BLOCKED && (last || is_to_wait(thread))) {
		native_pass(turn);
		return;
	}
	if (!last && waits_elsewhere(thread, looks)) {
		native_pass(turn);
		return;
	}
	look_at_child(t->born, looks);
	if (looks >= (asleep ? last ? PAST : STALLED : SPINS)) {
		if (!last)
			native_report->stalled = -(turn + 1);
		native_give_up();
	}
}

/* Look at the turn `next`, which no thread has taken for so many looks. */
static void look_at_pause(int next, int looks)
{
	const struct thread *thread = native_threads[bitspin_native_schedule.turns[next].thread];
	bool asleep = !thread || thread->ended || sleeps(thread);
	if (looks >= (asleep ? STALLED : SPINS)) {
		native_report->stalled = next + 1;
		native_give_up();
	}
}

/* Do all threads that are to hang sleep in calls, of the library's if that is where they rest? */
static bool all_hang(void)
{
	const struct native_rest *rests = bitspin_native_schedule.rests;
	for (int i = 0; i < bitspin_native_schedule.nthreads; i++) {
		const struct thread *thread = native_threads[i];
		if (bitspin_native_schedule.hanging[i] &&
		    (!thread || thread->ended || (rests[i].count && !thread->calling) || !sleeps(thread)))
			return false;
	}
	return true;
}

/* Return the last thread that has ended, if the program's threads have all ended, and their destructors have run: the last one goes
 * on to exit(), as it would by itself if there were no thread that watches. */
static struct thread *last_of_ended(void)
{
	for (int i = 0; i < NATIVE_THREADS; i++) {
		const struct thread *thread = native_threads[i];
		if (thread ? !thread->ended || !is_gone(thread) : i == 0)
			return NULL;
	}
	return native_last_ended;
}

static void exit_as(struct thread *thread)
{
	thread->ended = false;
	native_become(thread);
	native_watch();
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	exit(0);
}

static void *watch(void *unused)
{
	int before = -1, looks = 0, hanging = 0, after = 0;
	for (int never = 0;; looks++) {
		native_sleep(&never, 0, PAUSE * 1000000l);
		struct thread *last = last_of_ended();
		if (last)
			exit_as(last);
		if (bitspin_native_schedule.loop >= 0 && native_report->rounds == bitspin_native_schedule.rounds)
			stop(NATIVE_ROUND);
		if (native_is_over()) {
			hanging = bitspin_native_schedule.deadlock && all_hang() ? hanging + 1 : 0;
			if (hanging == HANGS) {
				native_report->hangs = 1;
				stop(NATIVE_HANGS);
			}
			if (++after == LATE)
				stop(NATIVE_LATE);
			continue;
		}
		int turn = native_turn(), now = turn >= 0 ? 2 * turn + 1 : 2 * native_report->taken + native_report->rounds;
		if (now != before)
			looks = 0;
		before = now;
		if (turn >= 0)
			look_at_turn(turn, looks);
		else
			look_at_pause(native_next(), looks);
	}
	return unused;
}

void native_watch(void)
{
	pthread_t thread;
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	if (pthread_create(&thread, NULL, watch, NULL) == 0) {
		pthread_setname_np(thread, "bitspin");
		pthread_detach(thread);
	}
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
