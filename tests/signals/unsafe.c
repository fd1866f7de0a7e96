/* SPDX-License-Identifier: MIT
 *
 * Handlers that call what is not async-signal-safe: undefined where they have interrupted such a call, and only there
 * (POSIX.1-2017, 2.4.3).  The verdicts are derived by hand.
 *
 * main allocates, and so does the handler.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=ALLOCATES
 * EXPECT: violated signal-unsafe-call
 * Both print.  One of them prints.
 * RUN: check -DMAIN=PRINTS -DHANDLER=PRINTS
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=PRINTS -DHANDLER=WRITES
 * EXPECT: verified
 * RUN: check -DMAIN=WRITES -DHANDLER=PRINTS
 * EXPECT: verified
 * Two unsafe functions, though these have nothing in common; by pointers; in a function that the handler calls.
 * RUN: check -DMAIN=PRINTS -DHANDLER=ALLOCATES
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=BY_POINTER -DHANDLER=BY_POINTER
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=HELPED
 * EXPECT: violated signal-unsafe-call
 * The handler locks a mutex of its own while main locks one.
 * RUN: check -DMAIN=LOCKS -DHANDLER=LOCKS_OTHER
 * EXPECT: violated signal-unsafe-call
 * main waits for the handler in sem_wait(), which is not in the list; sem_post() is.
 * RUN: check -DMAIN=LOCKS -DHANDLER=POSTS
 * EXPECT: verified
 * RUN: check -DMAIN=WAITS -DHANDLER=POSTS
 * EXPECT: verified
 * RUN: check -DMAIN=WAITS -DHANDLER=POSTS_AND_PRINTS
 * EXPECT: violated signal-unsafe-call
 * The signal is blocked around the calls.  It is, but for one of them.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=ALLOCATES -DBLOCKED
 * EXPECT: verified
 * RUN: check -DMAIN=TWICE -DHANDLER=ALLOCATES -DBLOCKED
 * EXPECT: violated signal-unsafe-call
 * It comes while the thread is in safe calls: pure ones, system calls, waits.
 * RUN: check -DMAIN=COMPUTES -DHANDLER=ALLOCATES
 * EXPECT: verified
 * RUN: check -DMAIN=SLEEPS -DHANDLER=PRINTS
 * EXPECT: verified
 * RUN: check -DMAIN=READS -DHANDLER=PRINTS
 * EXPECT: verified
 * RUN: check -DMAIN=SUSPENDS -DHANDLER=PRINTS -DBLOCKED
 * EXPECT: verified
 * And the handler makes safe calls only.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=COMPUTES
 * EXPECT: verified
 * raise() is safe, and runs its handler itself: nothing is interrupted.
 * RUN: check -DMAIN=RAISES -DHANDLER=ALLOCATES
 * EXPECT: verified
 * exit() is the handler itself.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=EXITS
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=WRITES -DHANDLER=EXITS
 * EXPECT: verified
 * A handler that has interrupted malloc() is interrupted, where it computes, by one that allocates.  The first one has interrupted
 * nothing, and is interrupted where it allocates; where it writes.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=COMPUTES -DNESTED=ALLOCATES
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=WRITES -DHANDLER=ALLOCATES -DNESTED=ALLOCATES
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=WRITES -DHANDLER=WRITES -DNESTED=ALLOCATES
 * EXPECT: verified
 * A handler that calls nothing unsafe leaves malloc() by siglongjmp(), and main goes on to print; to write.  It leaves a write.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=JUMPS -DTHEN=PRINTS
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=JUMPS -DTHEN=WRITES
 * EXPECT: verified
 * RUN: check -DMAIN=WRITES -DHANDLER=JUMPS -DTHEN=PRINTS
 * EXPECT: verified
 * The signal is that of alarm(), in a program of one thread.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=ALLOCATES -DALARM
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=WRITES -DHANDLER=ALLOCATES -DALARM
 * EXPECT: verified
 * The thread is not told apart from the C library that it calls: what is interrupted is the call that the program has made, here
 * strdup() with malloc() in it; and all sets of reductions agree.
 * RUN: check -DMAIN=COPIES -DHANDLER=ALLOCATES --reduction none
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=COMPUTES -DHANDLER=ALLOCATES --reduction none
 * EXPECT: verified
 * Whoever does not want to hear of it hears of all else.
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=ALLOCATES --checks=-signal-unsafe-call
 * EXPECT: verified, apart from 2 suppressed faults
 * A handler that posts is run at more places (INTERRUPTS_SHARED), and one that jumps at all (INTERRUPTS_ALL).
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=POSTS_AND_PRINTS
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=COMPUTES -DHANDLER=POSTS_AND_PRINTS
 * EXPECT: verified
 * RUN: check -DMAIN=ALLOCATES -DHANDLER=ALLOCATES --interrupts all
 * EXPECT: violated signal-unsafe-call
 * main has returned, and the program ends as by exit().
 * RUN: check -DMAIN=LEAVES_OPEN -DHANDLER=PRINTS -DALARM
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DMAIN=LEAVES_OPEN -DHANDLER=WRITES -DALARM
 * EXPECT: verified
 */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted;
static sigjmp_buf out;
static volatile sig_atomic_t n;
static int ends[2];
static sigset_t usr1;

extern long __fdelt_chk(long fd); /* FD_SET() of a fortified build */

static void ALLOCATES(void)
{
	void *volatile block = malloc(8); /* so that it is not left out at -O2 */ /* ERROR */
	free(block); /* ERROR */
}

static void PRINTS(void)
{
	printf("%d\n", 1); /* ERROR */
}

static void WRITES(void)
{
	if (write(1, "1\n", 2) != 2)
		_exit(1);
}

static void BY_POINTER(void)
{
	void *(*volatile allocate)(size_t) = malloc;
	free(allocate(8)); /* ERROR */
}

static void HELPED(void)
{
	ALLOCATES();
}

static void LOCKS(void)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
}

static void LOCKS_OTHER(void)
{
	pthread_mutex_lock(&other); /* ERROR */
	pthread_mutex_unlock(&other);
}

static void WAITS(void)
{
	while (sem_wait(&posted) != 0)
		;
}

static void POSTS(void)
{
	sem_post(&posted);
}

static void POSTS_AND_PRINTS(void)
{
	PRINTS();
	POSTS();
}

static void COMPUTES(void)
{
	char text[8] = "ab", copy[8];
	memcpy(copy, text, sizeof copy);
	n = (int)strlen(strcpy(copy, text)) + abs(n - 1) + atoi("1") + (int)__fdelt_chk(70);
}

static void COPIES(void)
{
	free(strdup("ab"));
}

static void TWICE(void)
{
	ALLOCATES();
	pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
	ALLOCATES();
}

static void SLEEPS(void)
{
	sleep(1);
	usleep(1);
}

static void READS(void)
{
	char c;
	if (read(ends[0], &c, 1) != 1)
		n = 1;
}

static void SUSPENDS(void)
{
	sigset_t none;
	sigemptyset(&none);
	ALLOCATES();
	sigsuspend(&none);
}

static void RAISES(void)
{
	raise(SIGUSR1);
}

static void JUMPS(void)
{
	siglongjmp(out, 1);
}

static void EXITS(void)
{
}

static void LEAVES_OPEN(void)
{
}

static void nothing(void)
{
}

#ifndef NESTED
#define NESTED nothing
#endif
#ifndef THEN
#define THEN nothing
#endif

static void on_usr1(int number)
{
	(void)number;
	HANDLER();
}

static void on_usr2(int number)
{
	(void)number;
	NESTED();
}

static void send(pthread_t to, void (*does)(void))
{
	if (does != RAISES)
		pthread_kill(to, SIGUSR1);
	if ((void (*)(void))NESTED != nothing)
		pthread_kill(to, SIGUSR2);
}

/* The thread that is interrupted.  It makes no calls but those of the case while signals are not blocked, and it ends by itself. */
static void *work(void *p)
{
	(void)p;
	if (sigsetjmp(out, 1) == 0) {
#ifndef BLOCKED
		pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
#endif
#ifdef ALARM
		alarm(1);
#endif
		MAIN();
	} else {
		THEN();
	}
	if ((void (*)(void))MAIN != LEAVES_OPEN)
		pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	return NULL;
}

int main(void)
{
	void (*handler)(int) = (void (*)(void))HANDLER == EXITS ? exit : on_usr1;
	sem_init(&posted, 0, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigaddset(&usr1, SIGUSR2);
	sigaddset(&usr1, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, on_usr2);
	signal(SIGALRM, handler);
	if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
		return 1;
#ifdef ALARM
	work(NULL);
#else
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	send(t, MAIN);
	pthread_join(t, NULL);
#endif
	return 0;
}
