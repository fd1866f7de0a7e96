/* SPDX-License-Identifier: MIT
 *
 * Waiting in sigsuspend and pause until a handler has run.  What must come out was derived by hand from POSIX.
 *
 * RUN: check -DKIND=0
 * EXPECT: verified
 * RUN: check -DKIND=0 --reduction none
 * EXPECT: verified
 * RUN: check -DKIND=1
 * EXPECT: violated deadlock
 * RUN: check -DKIND=2
 * EXPECT: violated deadlock
 * RUN: check -DKIND=3
 * EXPECT: verified
 * RUN: check -DKIND=4
 * EXPECT: verified
 * RUN: check -DKIND=5
 * EXPECT: verified
 * RUN: check -DKIND=6
 * EXPECT: violated deadlock
 * RUN: check -DKIND=7
 * EXPECT: verified
 * RUN: check -DKIND=8
 * EXPECT: verified
 * RUN: check -DKIND=9
 * EXPECT: violated data-race
 * RUN: check -DKIND=10
 * EXPECT: violated deadlock
 * RUN: check -DKIND=11
 * EXPECT: verified
 * RUN: check -DKIND=12
 * EXPECT: verified
 * RUN: check -DKIND=13
 * EXPECT: verified
 * RUN: check -DKIND=14
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef KIND
#define KIND 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static sigset_t none, usr1, both;
static volatile sig_atomic_t count;
static atomic_int ready, handled;
static pthread_t waiter;
int plain;
static int kind = KIND;

/* What the handler does, as KIND says: it runs in the thread that waits, with its own signal blocked. */
static void handler(int number)
{
	sigset_t now;
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	assert(sigismember(&now, number) == 1 && pthread_equal(pthread_self(), waiter));
	count++;
	errno = 0;
	atomic_fetch_add(&handled, 1);
	if (kind == 2) /* held by the thread that it interrupts */
		pthread_mutex_lock(&m); /* ERROR */
	if (kind == 3)
		sem_post(&done);
	if (kind == 9)
		plain = 1; /* ERROR */
	if (kind == 13) { /* the mask of sigaction: SIGUSR2 has to wait */
		assert(sigismember(&now, SIGUSR2) == 1);
		assert(number == SIGUSR2 || count == 1 || atomic_load(&handled) == 2);
	}
}

static void suspend(void)
{
	sigset_t now;
	errno = 0;
	assert(sigsuspend(&none) == -1 && errno == EINTR && count > 0); /* ERROR */
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	assert(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 1); /* as before */
}

static void *wait(void *unused)
{
	waiter = pthread_self();
	atomic_store(&ready, 1);
	switch (kind) {
	case 1: /* the signal may come between the two */
		pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
		pause(); /* ERROR */
		break;
	case 2:
		pthread_mutex_lock(&m);
		suspend();
		pthread_mutex_unlock(&m);
		break;
	case 6: /* two that come before are one */
		suspend();
		suspend();
		break;
	case 11: /* each is waited for */
		suspend();
		atomic_store(&ready, 2);
		suspend();
		assert(count == 2);
		break;
	case 12: /* not blocked: it comes at any time */
		pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
		while (!count)
			sched_yield();
		break;
	case 14: /* pause: the mask stays as it is */
		while (!count) {
			sigset_t now;
			assert(sigsuspend(&both) == 0); /* never returns */
			pthread_sigmask(SIG_SETMASK, NULL, &now);
		}
		break;
	default: suspend();
	}
	return unused;
}

static void send(pthread_t t)
{
	switch (kind) {
	case 3:
		pthread_kill(t, SIGUSR1);
		while (sem_wait(&done) != 0)
			;
		assert(count == 1);
		break;
	case 4: /* what is ignored wakes nobody */
		signal(SIGUSR2, SIG_IGN);
		pthread_kill(t, SIGUSR2);
		assert(atomic_load(&handled) == 0);
		pthread_kill(t, SIGUSR1);
		break;
	case 5: /* to the process: the one that waits takes it */
		kill(getpid(), SIGUSR1);
		break;
	case 6:
		pthread_kill(t, SIGUSR1);
		pthread_kill(t, SIGUSR1);
		break;
	case 7: /* the default action ends the program */
		signal(SIGUSR2, SIG_DFL);
		pthread_kill(t, SIGUSR2);
		pthread_kill(t, SIGKILL);
		assert(0); /* not reached if it is killed: SIGKILL cannot be blocked */
		break;
	case 8: /* number 0 only looks whether the thread is there */
		assert(pthread_kill(t, 0) == 0 && pthread_kill(t, 99) == EINVAL);
		pthread_kill(t, SIGUSR1);
		break;
	case 10: break; /* nobody sends */
	case 11:
		pthread_kill(t, SIGUSR1);
		while (atomic_load(&ready) != 2)
			;
		pthread_kill(t, SIGUSR1);
		break;
	case 13:
		pthread_kill(t, SIGUSR1);
		break;
	case 14:
		pthread_kill(t, SIGUSR1);
		_exit(0);
	default: pthread_kill(t, SIGUSR1);
	}
	if (kind == 9)
		plain = 2; /* ERROR */
}

int main(void)
{
	pthread_t t;
	struct sigaction action = { .sa_handler = handler };
	sigemptyset(&none);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	both = usr1;
	sigaddset(&both, SIGUSR2);
	if (kind == 13)
		action.sa_mask = both;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	sem_init(&done, 0, 0);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	pthread_create(&t, NULL, wait, NULL);
	send(t);
	pthread_join(t, NULL);
	return 0;
}
