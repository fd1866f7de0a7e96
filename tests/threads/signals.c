/* SPDX-License-Identifier: MIT
 *
 * Signals that a program sends to its own threads.
 *
 * RUN: check -DWAITS
 * EXPECT: verified
 * RUN: check -DWAITS -DWRONG
 * EXPECT: violated deadlock
 * RUN: check -DWAITS -DPROCESS
 * EXPECT: verified
 * RUN: check -DEITHER
 * EXPECT: violated assertion
 * RUN: check -DINHERITED
 * EXPECT: verified
 * RUN: check -DRAISED
 * EXPECT: verified
 * RUN: check -DUNBLOCKED
 * EXPECT: verified
 * RUN: check -DTIMED
 * EXPECT: violated assertion
 * RUN: check -DINTERRUPTS
 * EXPECT: verified
 * RUN: check -DPROCESS_HANDLER
 * EXPECT: verified
 * RUN: check -DGONE
 * EXPECT: verified
 * RUN: check -DSEGV
 * EXPECT: violated abort
 * RUN: check -DTERM
 * EXPECT: verified
 * RUN: check -DHANDLER_RACES
 * EXPECT: violated data-race
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int data;
static int handled;
static sigset_t set;

static void handler(int number)
{
	sigset_t now;
	handled += number == SIGUSR1 ? 1 : 10;
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	assert(sigismember(&now, number) == 1);
#ifdef HANDLER_RACES
	data = 1; /* ERROR */
#endif
}

static void *work(void *unused)
{
	int number = 0;
	(void)number;
#if defined WAITS
	assert(sigwait(&set, &number) == 0 && number == SIGUSR1); /* ERROR */
	assert(data == 1);
#elif defined EITHER
	sigwait(&set, &number);
	sigwait(&set, &number);
	assert(number != SIGUSR1); /* ERROR */
#elif defined INHERITED
	sigset_t mine;
	sigemptyset(&mine);
	pthread_sigmask(SIG_BLOCK, NULL, &mine);
	assert(sigismember(&mine, SIGUSR1) && !sigismember(&mine, SIGUSR2));
	raise(SIGUSR1);
	assert(!handled);
#elif defined TIMED
	struct timespec soon = { 1, 0 };
	assert(sigtimedwait(&set, NULL, &soon) == SIGUSR1); /* ERROR */
#elif defined HANDLER_RACES
	data = 2; /* ERROR */
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;
	struct sigaction action = { .sa_handler = handler };
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
#if defined EITHER
	sigaddset(&set, SIGUSR2);
#endif
#if defined WAITS || defined EITHER || defined INHERITED || defined TIMED || defined UNBLOCKED
	assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
#endif
#if !defined WAITS && !defined EITHER && !defined TIMED && !defined SEGV && !defined TERM && !defined GONE
	assert(sigaction(SIGUSR1, &action, NULL) == 0);
#endif
	(void)action;
	pthread_create(&thread, NULL, work, NULL);
#if defined WAITS
	data = 1;
#ifdef PROCESS
	kill(getpid(), SIGUSR1);
#elif !defined WRONG
	assert(pthread_kill(thread, SIGUSR1) == 0);
#endif
#elif defined EITHER
	pthread_kill(thread, SIGUSR2);
	pthread_kill(thread, SIGUSR1);
#elif defined TIMED
	pthread_kill(thread, SIGUSR1);
#elif defined RAISED
	assert(handled == 0 && raise(SIGUSR1) == 0 && handled == 1);
	struct sigaction old;
	assert(signal(SIGUSR2, handler) == SIG_DFL && raise(SIGUSR2) == 0 && handled == 11);
	assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == handler);
	assert(signal(SIGUSR1, SIG_IGN) == handler && raise(SIGUSR1) == 0 && handled == 11);
	assert(pthread_kill(pthread_self(), SIGUSR2) == 0 && handled == 21);
	assert(signal(SIGKILL, handler) == SIG_ERR && errno == EINVAL);
#elif defined UNBLOCKED
	sigset_t pending;
	raise(SIGUSR1);
	raise(SIGUSR1);
	sigpending(&pending);
	assert(handled == 0 && sigismember(&pending, SIGUSR1));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	assert(handled == 1);
#elif defined INTERRUPTS
	pthread_kill(thread, SIGUSR1);
#elif defined PROCESS_HANDLER
	kill(getpid(), SIGUSR1);
#elif defined SEGV
	raise(SIGSEGV); /* ERROR */
#elif defined TERM
	raise(SIGTERM);
	assert(0);
#elif defined HANDLER_RACES
	raise(SIGUSR1);
#elif defined GONE
	assert(pthread_kill(thread, 0) == 0 || pthread_kill(thread, 0) == ESRCH);
#endif
	pthread_join(thread, NULL); /* ERROR */
	return 0;
}
