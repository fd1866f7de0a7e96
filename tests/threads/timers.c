/* SPDX-License-Identifier: MIT
 *
 * Timers that are read from a descriptor, that start a thread, that send a signal.  One that is set may expire at any moment.
 *
 * RUN: check -DREAD
 * EXPECT: verified
 * RUN: check -DEARLY
 * EXPECT: violated assertion
 * RUN: check -DLATE
 * EXPECT: violated assertion
 * RUN: check -DNOT_SET
 * EXPECT: violated deadlock
 * RUN: check -DNOT_YET
 * EXPECT: violated assertion
 * RUN: check -DSERVER
 * EXPECT: verified
 * RUN: check -DSERVER -DBY_POLL
 * EXPECT: verified
 * RUN: check -DTWICE
 * EXPECT: violated assertion
 * RUN: check -DTIMED_OUT
 * EXPECT: violated assertion
 * RUN: check -DABSOLUTE --clock forward
 * EXPECT: verified
 * RUN: check -DTHREAD
 * EXPECT: verified
 * RUN: check -DTHREAD -DTAKEN_BACK
 * EXPECT: violated assertion
 * RUN: check -DTHREAD -DDELETED
 * EXPECT: violated assertion
 * RUN: check -DTHREAD -DRACE
 * EXPECT: violated data-race
 * RUN: check -DTHREAD -DAGAIN
 * EXPECT: violated data-race
 * RUN: check -DSIGNAL
 * EXPECT: verified
 * RUN: check -DSIGNAL -DHANDLED
 * EXPECT: verified
 * RUN: check -DSIGNAL -DDELETED
 * EXPECT: violated assertion
 * RUN: check -DSIGNAL -DTWO
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
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const struct itimerspec never, once = { { 0, 0 }, { 0, 1000 } }, always = { { 1, 0 }, { 1, 0 } };

#if defined THREAD || defined SIGNAL
static atomic_int fired;
static int plain;
static sem_t expired;

static void run(union sigval value)
{
	plain += value.sival_int; /* ERROR */
	fired += value.sival_int;
	sem_post(&expired);
}

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	assert(number == SIGUSR1 && info->si_code == SI_TIMER);
	fired += info->si_value.sival_int;
}

int main(void)
{
	timer_t timer;
	struct sigevent event;
	struct itimerspec old;
	memset(&event, 0, sizeof event);
	sem_init(&expired, 0, 0);
	event.sigev_value.sival_int = 7;
#ifdef THREAD
	event.sigev_notify = SIGEV_THREAD;
	event.sigev_notify_function = run;
#else
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaction(SIGUSR1, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGUSR1;
#endif
	assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	assert(timer_gettime(timer, &old) == 0 && !old.it_value.tv_nsec && timer_getoverrun(timer) == 0);
#ifdef AGAIN
	timer_settime(timer, 0, &always, NULL);
#endif
	assert(timer_settime(timer, 0, &once, NULL) == 0);
#ifdef RACE
	plain++;
#endif
#ifdef TWO
	timer_t other;
	timer_create(CLOCK_MONOTONIC, &event, &other);
	timer_settime(other, 0, &once, NULL);
#endif
#ifdef TAKEN_BACK
	timer_settime(timer, 0, &never, &old);
	assert(old.it_value.tv_nsec); /* it may have expired */ /* ERROR */
#elif defined DELETED
#ifdef SIGNAL
	pthread_sigmask(SIG_SETMASK, &before, NULL);
#endif
	timer_delete(timer);
	assert(!fired); /* ERROR */
#elif defined THREAD
	sem_wait(&expired);
	assert(fired == 7 && plain >= 7);
	assert(timer_settime(timer, 0, &never, &old) == 0 && !old.it_value.tv_nsec);
#elif defined HANDLED
	while (!fired)
		sigsuspend(&before);
	assert(fired == 7);
#else
	siginfo_t info;
	assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_code == SI_TIMER && info.si_value.sival_int == 7);
#endif
	assert(timer_delete((timer_t)77) == -1 && errno == EINVAL);
}

#else
static int pipes[2];

static void *writer(void *unused)
{
	assert(write(pipes[1], "x", 1) == 1);
	return unused;
}

static int ready(int timer, int which)
{
#ifdef BY_POLL
	struct pollfd p[] = { { timer, POLLIN, 0 }, { pipes[0], POLLIN, 0 } };
	assert(poll(p, 2, -1) >= 1);
	return p[which].revents;
#else
	struct epoll_event events[2], event = { .events = EPOLLIN, .data.fd = 0 };
	int set = epoll_create1(0), found = 0;
	assert(epoll_ctl(set, EPOLL_CTL_ADD, timer, &event) == 0);
	event.data.fd = 1;
	assert(epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &event) == 0);
	int count = epoll_wait(set, events, 2, -1);
	assert(count >= 1);
	for (int i = 0; i < count; i++)
		found |= events[i].data.fd == which;
	close(set);
	return found;
#endif
}

int main(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t count;
	struct itimerspec left;
	pthread_t thread;
	assert(read(timer, &count, 4) == -1 && errno == EINVAL);
	assert(write(timer, &count, 8) == -1 && errno == EINVAL);
	assert(timerfd_create(77, 0) == -1 && errno == EINVAL);
	assert(timerfd_settime(1, 0, &once, NULL) == -1 && errno == EINVAL);
	assert(timerfd_settime(60, 0, &once, NULL) == -1 && errno == EBADF);
	assert(timerfd_settime(timer, 0, &(struct itimerspec){ { 0, 0 }, { 1, 1000000000 } }, NULL) == -1 && errno == EINVAL);
	assert(timerfd_settime(timer, 0, &once, NULL) == 0);
	assert(pipe(pipes) == 0);
	pthread_create(&thread, NULL, writer, NULL);
	(void)ready;
#ifdef READ
	assert(read(timer, &count, 8) == 8 && count == 1);
	assert(timerfd_gettime(timer, &left) == 0 && !left.it_value.tv_sec && !left.it_value.tv_nsec);
#elif defined EARLY
	assert(ready(timer, 1)); /* ERROR */
#elif defined LATE
	assert(ready(timer, 0)); /* ERROR */
#elif defined NOT_SET
	timerfd_settime(timer, 0, &never, NULL);
	read(timer, &count, 8); /* ERROR */
#elif defined NOT_YET
	int other = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
	timerfd_settime(other, 0, &once, NULL);
	assert(read(other, &count, 8) == 8); /* ERROR */
#elif defined SERVER
	timerfd_settime(timer, 0, &always, NULL);
	while (!ready(timer, 1))
		assert(read(timer, &count, 8) == 8 && count >= 1);
#elif defined TWICE
	timerfd_settime(timer, 0, &always, NULL);
	assert(read(timer, &count, 8) == 8 && count == 1); /* ERROR */
#elif defined TIMED_OUT
	struct pollfd p = { timer, POLLIN, 0 };
	assert(poll(&p, 1, 100) == 1); /* ERROR */
#else
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	now.tv_sec += 5;
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &(struct itimerspec){ { 0, 0 }, now }, NULL);
	assert(read(timer, &count, 8) == 8);
	clock_gettime(CLOCK_MONOTONIC, &left.it_value);
	assert(left.it_value.tv_sec >= now.tv_sec);
#endif
	pthread_join(thread, NULL);
	return close(timer);
}
#endif
