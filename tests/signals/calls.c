/* SPDX-License-Identifier: MIT
 *
 * Calls that handlers interrupt: which fail with EINTR, which go on, and what is lost between a test and a wait.
 *
 * sem_wait() fails, unless the handler was installed with SA_RESTART.
 * RUN: check -DSEMAPHORE
 * EXPECT: violated assertion
 * RUN: check -DSEMAPHORE -DRESTART
 * EXPECT: verified
 * So does read() from an empty pipe.
 * RUN: check -DREAD
 * EXPECT: violated assertion
 * RUN: check -DREAD -DRESTART
 * EXPECT: verified
 * poll() fails in any case.
 * RUN: check -DPOLL
 * EXPECT: violated assertion
 * RUN: check -DPOLL -DRESTART
 * EXPECT: violated assertion
 * So does a sleep; a futex with SA_RESTART does not.
 * RUN: check -DSLEEP -DRESTART
 * EXPECT: violated assertion
 * RUN: check -DFUTEX
 * EXPECT: violated assertion
 * RUN: check -DFUTEX -DRESTART
 * EXPECT: verified
 * Who waits on a condition variable, at a barrier, for a lock or for a thread goes on, and can be woken in its handler.
 * RUN: check -DCONDITION
 * EXPECT: verified
 * RUN: check -DBARRIER
 * EXPECT: verified
 * RUN: check -DLOCK
 * EXPECT: verified
 * RUN: check -DJOIN
 * EXPECT: verified
 * The signal comes between the test and pause(), which then waits for ever.
 * RUN: check -DPAUSE
 * EXPECT: violated deadlock
 * RUN: check -DPAUSE -DSUSPEND
 * EXPECT: verified
 * RUN: check -DALARM
 * EXPECT: violated deadlock
 * RUN: check -DALARM -DSUSPEND
 * EXPECT: verified
 * So does that of setitimer(), which has the same timer.
 * RUN: check -DALARM=TIMER
 * EXPECT: violated deadlock
 * RUN: check -DALARM=TIMER -DSUSPEND
 * EXPECT: verified
 * RUN: check -DALARM=TAKEN_BACK -DSUSPEND
 * EXPECT: violated deadlock
 * RUN: check -DALARM=AGAIN -DSUSPEND
 * EXPECT: verified
 * RUN: check -DALARM=VIRTUAL
 * EXPECT: inconclusive: setitimer with another timer than ITIMER_REAL is not modelled
 * The same with poll() and ppoll(), and with a pipe that the handler writes to.
 * RUN: check -DPPOLL
 * EXPECT: violated deadlock
 * RUN: check -DPPOLL -DMASKED
 * EXPECT: verified
 * RUN: check -DPPOLL -DSELF_PIPE
 * EXPECT: verified
 * A signal for the process goes to any thread that does not block it; to the caller at once if that is the only one.
 * RUN: check -DPROCESS
 * EXPECT: violated assertion
 * RUN: check -DPROCESS -DBLOCKED
 * EXPECT: verified
 * A handler is interrupted by that of another signal, unless its mask says otherwise; by itself with SA_NODEFER only.
 * RUN: check -DNESTED
 * EXPECT: violated assertion
 * RUN: check -DNESTED -DMASKED
 * EXPECT: verified
 * RUN: check -DTWICE
 * EXPECT: verified
 * RUN: check -DTWICE -DNODEFER
 * EXPECT: violated assertion
 * A handler that ends its thread leaves the mutex locked.
 * RUN: check -DENDS --checks=-signal-unsafe-call
 * EXPECT: violated deadlock
 * RUN: check -DENDS -DBLOCKED
 * EXPECT: verified
 * A call of the C library is not interrupted, but the handler sees whether it has been made.  (An optimizer makes two writes of
 * the call, and the handler may run between them.)
 * RUN: check -DCOPY -O0
 * EXPECT: verified
 * RUN: check -DCOPY -DLENGTH
 * EXPECT: violated assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_t worker;
static sigset_t empty, usr1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef RESTART
enum { FLAGS = SA_RESTART };
#elif defined NODEFER
enum { FLAGS = SA_NODEFER };
#else
enum { FLAGS = 0 };
#endif

static void nothing(int number)
{
	(void)number;
}

static void install(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = FLAGS };
#ifdef MASKED
	sigfillset(&action.sa_mask);
#endif
	sigaction(number, &action, NULL);
}

static void start(void *(*work)(void *))
{
	pthread_create(&worker, NULL, work, NULL);
}

#ifdef SEMAPHORE
static sem_t s;

static void *work(void *p)
{
	assert(sem_wait(&s) == 0); /* ERROR */
	return p;
}

static void run(void)
{
	sem_init(&s, 0, 0);
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
	sem_post(&s);
}
#endif

#if defined READ || defined POLL
static int ends[2];

static void *work(void *p)
{
#ifdef READ
	char c;
	assert(read(ends[0], &c, 1) == 1); /* ERROR */
#else
	struct pollfd fd = { .fd = ends[0], .events = POLLIN };
	assert(poll(&fd, 1, -1) == 1); /* ERROR */
#endif
	return p;
}

static void run(void)
{
	pipe(ends);
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
	write(ends[1], "x", 1);
}
#endif

#ifdef SLEEP
static void *work(void *p)
{
	struct timespec time = { 1, 0 }, rest = { 0, 0 };
	int result = nanosleep(&time, &rest);
	assert(result == 0 || (errno == EINTR && rest.tv_sec == 1));
	assert(result == 0); /* ERROR */
	return p;
}

static void run(void)
{
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
}
#endif

#ifdef FUTEX
static atomic_int word;

static void *work(void *p)
{
	long result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	assert(result == 0 || errno == EAGAIN); /* ERROR */
	return p;
}

static void run(void)
{
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
	word = 1;
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}
#endif

#ifdef CONDITION
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *work(void *p)
{
	pthread_mutex_lock(&m);
	while (!go)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return p;
}

static void run(void)
{
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
	pthread_mutex_lock(&m);
	go = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}
#endif

#ifdef BARRIER
static pthread_barrier_t b;

static void *work(void *p)
{
	pthread_barrier_wait(&b);
	return p;
}

static void run(void)
{
	pthread_barrier_init(&b, NULL, 2);
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
	pthread_barrier_wait(&b);
}
#endif

#ifdef LOCK
static int x;

static void *work(void *p)
{
	assert(pthread_mutex_lock(&m) == 0);
	assert(x == 1 || x == 0);
	pthread_mutex_unlock(&m);
	return p;
}

static void run(void)
{
	install(SIGUSR1, nothing);
	pthread_mutex_lock(&m);
	start(work);
	pthread_kill(worker, SIGUSR1);
	x = 1;
	pthread_mutex_unlock(&m);
}
#endif

#ifdef JOIN
static pthread_t inner;

static void *end(void *p)
{
	return p;
}

static void *work(void *p)
{
	pthread_create(&inner, NULL, end, &inner);
	void *result;
	assert(pthread_join(inner, &result) == 0 && result == &inner);
	return p;
}

static void run(void)
{
	install(SIGUSR1, nothing);
	start(work);
	pthread_kill(worker, SIGUSR1);
}
#endif

#ifdef ALARM
enum { ONCE = 1, TIMER, TAKEN_BACK, AGAIN, VIRTUAL };

static void set_timer(void)
{
	struct itimerval timer = { .it_value = { 2, 500 }, .it_interval = { ALARM == AGAIN, 0 } }, none = { 0 }, old;
	if (ALARM == ONCE)
		alarm(1);
	else if (setitimer(ALARM == VIRTUAL ? ITIMER_VIRTUAL : ITIMER_REAL, &timer, NULL) != 0)
		abort();
	if (ALARM == TAKEN_BACK) {
		assert(setitimer(ITIMER_REAL, &none, &old) == 0);
		assert(old.it_interval.tv_sec == 0 && (old.it_value.tv_sec == 2 || old.it_value.tv_sec == 0));
	}
}
#endif

#if defined PAUSE || defined ALARM || defined PPOLL
static volatile sig_atomic_t stop;
static int ends[2];

static void handler(int number)
{
	(void)number;
#ifdef SELF_PIPE
	int saved = errno;
	write(ends[1], "x", 1);
	errno = saved;
#endif
	stop = 1;
}

static void wait_for_signal(void)
{
	struct pollfd fd = { .fd = ends[0], .events = POLLIN };
	while (!stop)
#if defined SUSPEND
		sigsuspend(&empty); /* ERROR */
#elif defined PPOLL && defined MASKED
		ppoll(&fd, 1, NULL, &empty);
#elif defined PPOLL
		poll(&fd, 1, -1); /* ERROR */
#else
		pause(); /* ERROR */
#endif
	(void)fd;
}

static void *work(void *p)
{
	wait_for_signal();
	return p;
}

static void run(void)
{
	pipe(ends);
#ifdef ALARM
	install(SIGALRM, handler);
#if defined SUSPEND
	sigaddset(&usr1, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
#endif
	set_timer();
	wait_for_signal();
	stop = 1;
	start(work);
#else
	install(SIGUSR1, handler);
#if defined SUSPEND || defined MASKED
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
#endif
	start(work);
	pthread_kill(worker, SIGUSR1);
#endif
}
#endif

#ifdef PROCESS
static pthread_t first;

static void handler(int number)
{
	(void)number;
	assert(pthread_equal(pthread_self(), first)); /* ERROR */
}

static void *work(void *p)
{
	return p;
}

static void run(void)
{
	first = pthread_self();
	install(SIGUSR1, handler);
#ifdef BLOCKED
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
#endif
	start(work);
	pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
	kill(getpid(), SIGUSR1);
}
#endif

#ifdef NESTED
static volatile sig_atomic_t a, b;

static void one(int number)
{
	(void)number;
	a = a + 1;
	b = b + 1;
}

static void two(int number)
{
	(void)number;
	assert(a == b); /* ERROR */
}

static void *work(void *p)
{
	return p;
}

static void run(void)
{
	install(SIGUSR1, one);
	install(SIGUSR2, two);
	start(work);
	pthread_kill(worker, SIGUSR1);
	pthread_kill(worker, SIGUSR2);
}
#endif

#ifdef TWICE
static volatile sig_atomic_t depth;

static void handler(int number)
{
	(void)number;
	depth = depth + 1;
	assert(depth == 1); /* ERROR */
	depth = depth - 1;
}

static void *work(void *p)
{
	return p;
}

static void run(void)
{
	install(SIGUSR1, handler);
	start(work);
	pthread_kill(worker, SIGUSR1);
	pthread_kill(worker, SIGUSR1);
}
#endif

#ifdef ENDS
static void handler(int number)
{
	(void)number;
	pthread_exit(NULL);
}

static void *work(void *p)
{
#ifdef BLOCKED
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
#endif
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return p;
}

static void run(void)
{
	install(SIGUSR1, handler);
	start(work);
	pthread_kill(worker, SIGUSR1);
	pthread_mutex_lock(&m); /* ERROR */
	pthread_mutex_unlock(&m);
}
#endif

#ifdef COPY
static char text[8];
static int length;

static void handler(int number)
{
	(void)number;
	assert(text[0] == '\0' || strcmp(text, "ab") == 0);
#ifdef LENGTH
	assert(length == (int)strlen(text)); /* ERROR */
#endif
}

static void *work(void *p)
{
	length = 2;
	strcpy(text, "ab");
	return p;
}

static void run(void)
{
	install(SIGUSR1, handler);
	start(work);
	pthread_kill(worker, SIGUSR1);
}
#endif

int main(void)
{
	sigemptyset(&empty);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	run();
	pthread_join(worker, NULL); /* ERROR */
	return 0;
}
