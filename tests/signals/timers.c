/* SPDX-License-Identifier: MIT
 *
 * Timers that send signals, real-time signals, and the order of handlers.
 *
 * A timer with an interval expires again and again, also while nobody waits; the signal may come after it was unblocked:
 * RUN: check -DCASE=COUNTS
 * EXPECT: verified
 * RUN: check -DCASE=COUNTS_UNBLOCKED --faults timeout:3
 * EXPECT: violated deadlock
 * RUN: check -DCASE=LATE
 * EXPECT: violated assertion
 * RUN: check -DCASE=STOPPED
 * EXPECT: verified
 * RUN: check -DCASE=STOPPED -DBLOCKED
 * EXPECT: violated assertion
 * RUN: check -DCASE=INFORMS
 * EXPECT: verified
 * RUN: check -DCASE=OVERRUNS
 * EXPECT: violated assertion
 * RUN: check -DCASE=REMAINS
 * EXPECT: verified
 * RUN: check -DCASE=READS
 * EXPECT: verified
 * RUN: check -DCASE=READS -DPOLLS
 * EXPECT: verified
 * RUN: check -DCASE=IGNORED
 * EXPECT: inconclusive: a wait for a signal, while a timer sends one again and again that is ignored
 * Handlers that change nothing do not end a deadlock:
 * RUN: check -DCASE=BLOCKED_FOR_EVER
 * EXPECT: violated deadlock
 * RUN: check -DCASE=BLOCKED_FOR_EVER -DPOSTS --faults timeout:2
 * EXPECT: verified
 * One that starts threads starts them again, and two may run at once:
 * RUN: check -DCASE=THREADS --faults timeout:2
 * EXPECT: verified
 * RUN: check -DCASE=THREADS -DRACES
 * EXPECT: violated data-race
 * Real-time signals are queued, others are not:
 * RUN: check -DCASE=QUEUE
 * EXPECT: verified
 * RUN: check -DCASE=QUEUE -DHANDLED
 * EXPECT: verified
 * RUN: check -DCASE=MERGED
 * EXPECT: verified
 * RUN: check -DCASE=TO_THREAD
 * EXPECT: verified
 * RUN: check -DCASE=TOO_MANY
 * EXPECT: inconclusive: more than 16 signals with values, of timers and of real time are pending
 * Of two signals that are unblocked at once, either handler may be the first:
 * RUN: check -DCASE=ORDER -DFIRST=1
 * EXPECT: violated assertion
 * RUN: check -DCASE=ORDER -DFIRST=2
 * EXPECT: violated assertion
 * RUN: check -DCASE=ORDER -DFIRST=3
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
	COUNTS,
	COUNTS_UNBLOCKED,
	LATE,
	STOPPED,
	INFORMS,
	OVERRUNS,
	REMAINS,
	READS,
	IGNORED,
	BLOCKED_FOR_EVER,
	THREADS,
	QUEUE,
	MERGED,
	TO_THREAD,
	TOO_MANY,
	ORDER
};

#ifndef FIRST
#define FIRST 0
#endif

enum { INTERVAL = 10000000 };

static const struct itimerspec often = { .it_value = { 0, 2 * INTERVAL }, .it_interval = { 0, INTERVAL } }, never;
static sigset_t all, before;
static atomic_int count, stopped, order;
static sem_t semaphore;
static timer_t timer;
#ifdef RACES
static int plain;
#endif

static void set(int again, int on)
{
	struct itimerval to = { .it_value = { 0, on * 20000 }, .it_interval = { 0, again * 30000 } };
	setitimer(ITIMER_REAL, &to, NULL);
}

static void handle(int number)
{
	assert(!stopped); /* ERROR */
	if (CASE == LATE)
		stopped = 1;
	if (CASE == BLOCKED_FOR_EVER) {
#ifdef POSTS
		sem_post(&semaphore);
#endif
	} else if (CASE == ORDER) {
		order = 10 * order + (number == SIGUSR1 ? 1 : 2);
	} else if (CASE <= COUNTS_UNBLOCKED && ++count == 2) {
		set(0, 0);
	}
}

static void told(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (CASE == QUEUE || CASE == MERGED) {
		assert(info->si_code == SI_QUEUE && info->si_value.sival_int == count);
		count++;
	} else {
		assert(number == SIGUSR1 && info->si_code == SI_TIMER && info->si_value.sival_int == 5);
		count = info->si_overrun ? 3 : 1;
	}
}

static void run(union sigval value)
{
	assert(value.sival_int == 5);
#ifdef RACES
	plain++; /* ERROR */
#endif
	sem_post(&semaphore);
}

static void create(int how)
{
	struct sigevent event = { .sigev_notify = how, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 5 };
	if (how == SIGEV_THREAD)
		event.sigev_notify_function = run;
	assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	assert(timer_settime(timer, 0, &often, NULL) == 0);
}

static void install(int number)
{
	struct sigaction action = { .sa_sigaction = told, .sa_flags = SA_SIGINFO };
	sigaction(number, &action, NULL);
}

static void queue(int number, int value)
{
	assert(sigqueue(getpid(), number, (union sigval){ .sival_int = value }) == 0);
}

static void *takes(void *unused)
{
	int number;
	assert(sigwait(&all, &number) == 0 && number == SIGRTMIN + 1);
	assert(sigwait(&all, &number) == 0 && number == SIGRTMIN + 1);
	return unused;
}

/* What is due has expired by now. */
static void pass_time(void)
{
	usleep(100000);
}

static void check_rest(void)
{
	struct itimerspec rest;
	assert(timer_gettime(timer, &rest) == 0 && rest.it_value.tv_nsec > INTERVAL && rest.it_interval.tv_nsec == INTERVAL);
	assert(sigwaitinfo(&all, NULL) == SIGUSR1);
	assert(timer_settime(timer, 0, &never, &rest) == 0);
	assert(rest.it_value.tv_nsec > 0 && rest.it_value.tv_nsec <= INTERVAL && rest.it_interval.tv_nsec == INTERVAL);
	assert(timer_gettime(timer, &rest) == 0 && rest.it_value.tv_nsec == 0);
	assert(timer_delete(timer) == 0 && timer_delete(timer) == -1 && errno == EINVAL);
	assert(alarm(7) == 0);
	unsigned left = alarm(0); /* it may have expired */
	assert((left == 7 || left == 0) && alarm(0) == 0);
}

static void read_signals(void)
{
	struct signalfd_siginfo info;
	int fd = signalfd(-1, &all, 0);
	create(SIGEV_SIGNAL);
	for (int i = 0; i < 2; i++) {
#ifdef POLLS
		struct pollfd ready = { .fd = fd, .events = POLLIN };
		assert(poll(&ready, 1, -1) == 1);
#endif
		assert(read(fd, &info, sizeof info) == sizeof info);
		assert(info.ssi_signo == SIGUSR1 && info.ssi_code == SI_TIMER && info.ssi_int == 5);
	}
}

static void take_queue(int number)
{
	siginfo_t info;
	struct timespec now = { 0 };
	for (int i = 0; i < 3; i++)
		queue(number, i);
#ifdef HANDLED
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert(count == 3);
#else
	queue(SIGRTMIN, 9);
	assert(sigwaitinfo(&all, &info) == (CASE == MERGED ? number : SIGRTMIN));
	for (int i = 0; CASE == QUEUE && i < 3; i++)
		assert(sigwaitinfo(&all, &info) == number && info.si_value.sival_int == i);
	assert(sigtimedwait(&all, &info, &now) == (CASE == MERGED ? SIGRTMIN : -1));
#endif
}

/* Signals of timers. */
static void expire(void)
{
	switch (CASE) {
	case COUNTS:
		set(1, 1);
		while (count < 2)
			sigsuspend(&before);
		break;
	case COUNTS_UNBLOCKED:
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		set(1, 1);
		while (count < 2)
			pause(); /* ERROR */
		break;
	case LATE: /* `stopped` means that it has run */
		set(0, 1);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		assert(stopped); /* ERROR */
		break;
	case STOPPED:
#ifndef BLOCKED
		pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
		set(1, 1);
		pass_time();
		set(0, 0);
		stopped = 1;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		break;
	case INFORMS:
	case OVERRUNS:
		install(SIGUSR1);
		create(SIGEV_SIGNAL);
		while (!count)
			sigsuspend(&before);
		assert(CASE == INFORMS ? count == 1 || timer_getoverrun(timer) > 0 : count == 1); /* ERROR */
		break;
	case REMAINS:
		create(SIGEV_SIGNAL);
		check_rest();
		break;
	}
}

int main(void)
{
	pthread_t thread;
	sigemptyset(&all);
	for (int i = 0; i < 3; i++)
		sigaddset(&all, SIGRTMIN + i);
	sigaddset(&all, SIGALRM);
	sigaddset(&all, SIGUSR1);
	sigaddset(&all, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	sem_init(&semaphore, 0, 0);
	signal(SIGALRM, CASE == IGNORED ? SIG_IGN : handle);
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle);
	switch (CASE) {
	default: expire(); break;
	case READS: read_signals(); break;
	case IGNORED:
		set(1, 1);
		sigsuspend(&before);
		break;
	case BLOCKED_FOR_EVER:
		set(1, 1);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		sem_wait(&semaphore); /* ERROR */
		sem_wait(&semaphore);
		break;
	case THREADS:
		create(SIGEV_THREAD);
		sem_wait(&semaphore);
		sem_wait(&semaphore);
		assert(timer_delete(timer) == 0);
		break;
	case QUEUE:
		install(SIGRTMIN + 1);
		take_queue(SIGRTMIN + 1);
		break;
	case MERGED: take_queue(SIGUSR1); break;
	case TO_THREAD:
		pthread_create(&thread, NULL, takes, NULL);
		pthread_kill(thread, SIGRTMIN + 1);
		pthread_kill(thread, SIGRTMIN + 1);
		pthread_join(thread, NULL);
		break;
	case TOO_MANY:
		for (int i = 0; i < 17; i++)
			queue(SIGRTMIN, i);
		break;
	case ORDER:
		raise(SIGUSR1);
		raise(SIGUSR2);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		assert(FIRST == 3 ? order == 12 || order == 21 : order / 10 != FIRST); /* ERROR */
	}
	return 0;
}
