/* SPDX-License-Identifier: MIT
 *
 * Signals that are read from a descriptor, values that come with signals, and masks that change while another thread sends.
 *
 * RUN: check -DREAD
 * EXPECT: verified
 * RUN: check -DREAD -DBY_VALUE
 * EXPECT: verified
 * RUN: check -DREAD -DBY_POLL
 * EXPECT: verified
 * RUN: check -DREAD -DBY_POLL -DBY_VALUE
 * EXPECT: verified
 * RUN: check -DREAD -DBY_EPOLL
 * EXPECT: verified
 * RUN: check -DREAD -DNOBODY
 * EXPECT: violated deadlock
 * RUN: check -DREAD -DNOBODY -DBY_POLL
 * EXPECT: violated deadlock
 * RUN: check -DREAD -DONE_THREAD
 * EXPECT: verified
 * RUN: check -DREAD -DONE_THREAD -DBY_POLL
 * EXPECT: verified
 * RUN: check -DREAD -DONE_THREAD -DBY_EPOLL
 * EXPECT: inconclusive: a signal for one thread, while epoll watches a descriptor of it, is not modelled
 * RUN: check -DREAD -DNOW
 * EXPECT: violated assertion
 * RUN: check -DVALUE
 * EXPECT: verified
 * RUN: check -DVALUE -DTO_THREAD
 * EXPECT: verified
 * RUN: check -DVALUE -DBLOCKED
 * EXPECT: verified
 * RUN: check -DVALUE -DREAL_TIME
 * EXPECT: verified
 * RUN: check -DVALUE -DREAL_TIME -DTWICE
 * EXPECT: verified
 * RUN: check -DMASK
 * EXPECT: verified
 * RUN: check -DMASK -DLATE
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

static pthread_t first;

#ifdef READ
static void *sender(void *unused)
{
#ifdef NOBODY
#elif defined ONE_THREAD
	pthread_kill(first, SIGTERM);
#elif defined BY_VALUE
	sigqueue(getpid(), SIGTERM, (union sigval){ .sival_int = 5 });
#else
	kill(getpid(), SIGTERM);
#endif
	return unused;
}

static void wait_for(int fd)
{
#ifdef BY_POLL
	struct pollfd p = { fd, POLLIN, 0 };
	assert(poll(&p, 1, -1) == 1 && p.revents == POLLIN); /* ERROR */
#elif defined BY_EPOLL
	struct epoll_event event = { .events = EPOLLIN }, found;
	int set = epoll_create1(0);
	epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
	assert(epoll_wait(set, &found, 1, -1) == 1);
	close(set);
#else
	(void)fd;
#endif
}

int main(void)
{
	pthread_t thread;
	struct signalfd_siginfo info;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	first = pthread_self();
#ifdef NOW
	int fd = signalfd(-1, &set, SFD_NONBLOCK);
#else
	int fd = signalfd(-1, &set, 0);
#endif
	assert(read(fd, &info, sizeof info - 1) == -1 && errno == EINVAL);
	assert(signalfd(0, &set, 0) == -1 && errno == EINVAL);
	pthread_create(&thread, NULL, sender, NULL);
	wait_for(fd);
	assert(read(fd, &info, sizeof info) == sizeof info); /* ERROR */
	assert(info.ssi_signo == SIGTERM && info.ssi_pid);
#ifdef BY_VALUE
	assert(info.ssi_code == SI_QUEUE && info.ssi_int == 5);
#elif !defined ONE_THREAD
	assert(info.ssi_code == SI_USER);
#endif
	struct pollfd p = { fd, POLLIN, 0 };
	assert(poll(&p, 1, 0) == 0);
	pthread_join(thread, NULL);
}

#elif defined VALUE
#ifdef REAL_TIME
#define NUMBER (SIGRTMIN + 1)
#else
#define NUMBER SIGUSR1
#endif
static atomic_int value;

static void handle(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	assert(info->si_code == SI_QUEUE && info->si_pid);
	value = info->si_value.sival_int;
}

static void *sender(void *unused)
{
	union sigval sent = { .sival_int = 9 };
#ifdef TO_THREAD
	pthread_sigqueue(first, NUMBER, sent);
#else
	sigqueue(getpid(), NUMBER, sent);
#ifdef TWICE
	sigqueue(getpid(), NUMBER, sent);
#endif
#endif
	return unused;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	pthread_t thread;
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, NUMBER);
	sigaction(NUMBER, &action, NULL);
	first = pthread_self();
	pthread_sigmask(SIG_BLOCK, &set, &before);
	pthread_create(&thread, NULL, sender, NULL);
#ifdef BLOCKED
	pthread_join(thread, NULL);
	siginfo_t info;
	assert(sigwaitinfo(&set, &info) == NUMBER && info.si_code == SI_QUEUE && info.si_value.sival_int == 9);
#else
	while (!value)
		sigsuspend(&before);
	assert(value == 9);
	pthread_join(thread, NULL);
#endif
}

#else
/* The signal may come after sem_post(), and before the mask changes. */
static atomic_int flag;
static sem_t go;

static void handle(int number)
{
	(void)number;
	flag = 1;
}

static void *sender(void *unused)
{
	sem_wait(&go);
	kill(getpid(), SIGUSR1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	sigset_t set, before;
	signal(SIGUSR1, handle);
	sem_init(&go, 0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &before); /* for the other thread */
	pthread_create(&thread, NULL, sender, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sem_post(&go);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
#ifdef LATE
	assert(!flag); /* ERROR */
#endif
	pthread_join(thread, NULL);
}
#endif
