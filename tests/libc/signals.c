/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static void handler(int number)
{
	sigset_t now;
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	printf("signal %d, blocked %d %d\n", number, sigismember(&now, number), sigismember(&now, SIGHUP));
}

static void informed(int number, siginfo_t *info, void *context)
{
	(void)context;
	printf("signal %d, %d\n", number, info->si_signo);
}

static void nested(int number)
{
	static int times;
	printf("in %d\n", number);
	if (number == SIGUSR1 && times++ == 0) {
		raise(SIGUSR2);
		raise(SIGUSR1);
	}
	printf("out %d\n", number);
}

int main(void)
{
	sigset_t set, old;
	siginfo_t info;
	int number;
	struct sigaction action = { .sa_handler = handler }, before;
	printf("%u\n", alarm(0));
	struct itimerval timer = { 0 }, earlier = { .it_value = { 7, 7 } };
	printf("%d ", setitimer(ITIMER_REAL, &timer, &earlier));
	printf("%ld %ld\n", (long)earlier.it_value.tv_sec, (long)earlier.it_value.tv_usec);
	timer.it_value.tv_usec = 1000000;
	printf("%d %d\n", setitimer(ITIMER_REAL, &timer, NULL), errno == EINVAL);
	timer.it_value.tv_usec = -1;
	printf("%d\n", setitimer(ITIMER_REAL, &timer, NULL));
	sigemptyset(&set);
	printf("%d %d %d\n", sigaddset(&set, SIGUSR1), sigaddset(&set, 65), sigismember(&set, SIGUSR1));
	printf("%d %d\n", sigdelset(&set, SIGUSR1), sigismember(&set, SIGUSR1));
	sigfillset(&set);
	printf("%d %d %d\n", sigismember(&set, SIGKILL), sigismember(&set, 64), sigismember(&set, 0));
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGHUP);
	printf("%d\n", sigaction(SIGUSR1, &action, NULL));
	raise(SIGUSR1);
	kill(getpid(), SIGUSR1);
	pthread_kill(pthread_self(), SIGUSR1);
	action.sa_flags = (int)SA_RESETHAND | SA_SIGINFO;
	action.sa_sigaction = informed;
	sigaction(SIGCHLD, &action, NULL);
	raise(SIGCHLD);
	raise(SIGCHLD);
	sigaction(SIGCHLD, NULL, &before);
	printf("%d\n", before.sa_handler == SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	printf("%d\n", sigprocmask(SIG_BLOCK, &set, &old));
	raise(SIGUSR2);
	raise(SIGUSR1);
	sigpending(&old);
	printf("%d %d %d\n", sigismember(&old, SIGUSR1), sigismember(&old, SIGUSR2), sigismember(&old, SIGINT));
	printf("%d %d\n", sigwait(&set, &number), number);
	printf("%d %d\n", sigwaitinfo(&set, &info), info.si_signo);
	struct timespec now = { 0, 0 };
	printf("%d %d\n", sigtimedwait(&set, NULL, &now), errno == EAGAIN);
	signal(SIGUSR1, nested);
	signal(SIGUSR2, nested);
	raise(SIGUSR1);
	puts("now");
	sigprocmask(SIG_SETMASK, NULL, &old);
	printf("%d\n", sigismember(&old, SIGUSR1));
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	printf("%d %d\n", sigprocmask(77, &set, NULL), errno == EINVAL);
	printf("%d\n", signal(SIGKILL, handler) == SIG_ERR);
	return 0;
}
