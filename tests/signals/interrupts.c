/* SPDX-License-Identifier: MIT
 *
 * Handlers that interrupt another thread.  The verdicts are derived by hand; each case says why.
 *
 * A flag that the handler sets ends a loop: sooner or later it comes, and a schedule in which it never comes has no end, which is
 * no violation.
 * RUN: check -DFLAG
 * EXPECT: verified
 * The same flag is not volatile, and the loop waits for nothing: the same in the VM, which keeps no copy in a register at -O0.
 * RUN: check -DFLAG -DPLAIN
 * EXPECT: verified
 * x = x + 1 is a read and a write: a handler in between has its own increment undone.
 * RUN: check -DLOST_UPDATE
 * EXPECT: violated assertion
 * The same with an atomic increment in both.
 * RUN: check -DLOST_UPDATE -DATOMIC
 * EXPECT: verified
 * The same with the signal blocked around the increment.
 * RUN: check -DLOST_UPDATE -DBLOCKED
 * EXPECT: verified
 * The same on memory of the thread alone, which no other thread can reach.
 * RUN: check -DLOST_UPDATE -DLOCAL
 * EXPECT: violated assertion
 * Two writes that belong together: a handler sees one of them only.
 * RUN: check -DTORN
 * EXPECT: violated assertion
 * RUN: check -DTORN -DBLOCKED
 * EXPECT: verified
 * So it does where a structure is assigned, or filled: as many bytes as one member has are written at a time.
 * RUN: check -DTORN -DASSIGNED -O0
 * EXPECT: violated assertion
 * RUN: check -DTORN -DASSIGNED -DFILLED -O0
 * EXPECT: violated assertion
 * RUN: check -DTORN -DASSIGNED -DBLOCKED -O0
 * EXPECT: verified
 * The second write does not happen before the thread has published itself: the signal is sent once that is seen, by a lock.
 * RUN: check -DTORN -DAFTER_LOCK
 * EXPECT: violated assertion
 * Nothing but the handler's sem_post() tells main that x is written; y is written after it in one schedule.
 * RUN: check -DPOSTS
 * EXPECT: violated data-race
 * The pair is complete before the signal can come.
 * RUN: check -DPOSTS -DBLOCKED
 * EXPECT: verified
 * A handler that locks the mutex which its thread holds waits for itself.
 * RUN: check -DSELF_DEADLOCK --checks=-signal-unsafe-call
 * EXPECT: violated deadlock
 * It may also interrupt a call of pthread_mutex_lock(), which is undefined.
 * RUN: check -DSELF_DEADLOCK
 * EXPECT: violated signal-unsafe-call
 * RUN: check -DSELF_DEADLOCK -DBLOCKED
 * EXPECT: verified
 * errno between a call and its test is the handler's.
 * RUN: check -DERRNO
 * EXPECT: violated assertion
 * RUN: check -DERRNO -DSAVED
 * EXPECT: verified
 * A handler left by siglongjmp(): x is 1 or 2 where it comes out, as the jump may come between the writes.
 * RUN: check -DJUMP
 * EXPECT: violated assertion
 * RUN: check -DJUMP -DBLOCKED
 * EXPECT: verified
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static sigset_t usr1;

static void install(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };
	sigaction(SIGUSR1, &action, NULL);
}

static void block(void)
{
#ifdef BLOCKED
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
#endif
}

static void unblock(void)
{
#ifdef BLOCKED
	pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
#endif
}

#ifdef FLAG
#ifdef PLAIN
static sig_atomic_t stop;
#else
static volatile sig_atomic_t stop;
#endif

static void handler(int number)
{
	(void)number;
	stop = 1;
}

static void *work(void *p)
{
	while (!stop)
		;
	return p;
}

static void check(void)
{
}
#endif

#ifdef LOST_UPDATE
static volatile sig_atomic_t ran;
#if defined ATOMIC
static atomic_int x;
#elif defined LOCAL
static __thread int x;
#else
static int x;
#endif

static void handler(int number)
{
	(void)number;
	x++;
	ran = 1;
}

static void *work(void *p)
{
	block();
	x++;
	unblock();
	assert(!ran || x == 2); /* ERROR */
	return p;
}

static void check(void)
{
}
#endif

#ifdef TORN
#ifdef ASSIGNED
static struct pair {
	int a, b;
} pair;
#define x pair.a
#define y pair.b
#else
static int x, y;
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number)
{
	(void)number;
	assert(x == y); /* ERROR */
}

static void *work(void *p)
{
#ifdef AFTER_LOCK
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#endif
	block();
#ifdef ASSIGNED
#ifdef FILLED
	memset(&pair, 1, sizeof pair);
#else
	pair = (struct pair){ 1, 1 };
#endif
#else
	x = 1;
	y = 1;
#endif
	unblock();
	return p;
}

static void check(void)
{
}
#endif
#ifdef ASSIGNED
#undef x
#undef y
#endif

#ifdef POSTS
static int x, y;
static volatile int seen;
static sem_t told;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER; /* by main, so that the thread does not end before the signal comes */

static void handler(int number)
{
	(void)number;
	sem_post(&told);
}

static void *work(void *p)
{
	x = 1; /* ERROR */
	y = 1; /* ERROR */
	unblock();
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
	return p;
}

static void check(void)
{
	sem_wait(&told);
	seen = x; /* ERROR */
	seen = y; /* ERROR */
	pthread_mutex_unlock(&held);
}
#endif

#ifdef SELF_DEADLOCK
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void handler(int number)
{
	(void)number;
	pthread_mutex_lock(&m); /* ERROR */
	x++;
	pthread_mutex_unlock(&m);
}

static void *work(void *p)
{
	block();
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m); /* ERROR */
	unblock();
	return p;
}

static void check(void)
{
}
#endif

#ifdef ERRNO
static void handler(int number)
{
	(void)number;
#ifdef SAVED
	int saved = errno;
#endif
	errno = EPERM;
#ifdef SAVED
	errno = saved;
#endif
}

static void *work(void *p)
{
	sem_t none;
	sem_init(&none, 0, 0);
	int result = sem_trywait(&none);
	assert(result == -1 && errno == EAGAIN); /* ERROR */
	return p;
}

static void check(void)
{
}
#endif

#ifdef JUMP
static sigjmp_buf out;
static volatile int x;

static void handler(int number)
{
	(void)number;
	siglongjmp(out, 1);
}

static void *work(void *p)
{
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	if (sigsetjmp(out, 1) == 0) { /* it keeps the mask, too */
#ifndef BLOCKED
		pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
#endif
		x = 1;
		x = 2;
		pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
		pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	} else {
		assert(x != 1); /* ERROR */
	}
	return p;
}

static void check(void)
{
}
#endif

int main(void)
{
	pthread_t t;
	sigset_t none;
	sigemptyset(&none);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
#ifdef POSTS
	sem_init(&told, 0, 0);
	pthread_mutex_lock(&held);
#endif
	install(handler);
#if defined JUMP || (defined POSTS && defined BLOCKED)
	pthread_sigmask(SIG_BLOCK, &usr1, NULL); /* a new thread has this mask */
#endif
	pthread_create(&t, NULL, work, NULL);
	pthread_kill(t, SIGUSR1);
	check();
	pthread_join(t, NULL);
	return 0;
}
