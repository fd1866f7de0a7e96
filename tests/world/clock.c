/* SPDX-License-Identifier: MIT
 *
 * Clocks: they stand still, or go forward so many times on any path, one time for all threads and all clocks.  A wait that has
 * timed out, and a sleep, end no earlier than they say.
 *
 * RUN: check -DEXPIRES
 * EXPECT: verified for one clock
 * RUN: check -DEXPIRES --clock forward
 * EXPECT: violated assertion
 * RUN: check -DEXPIRES --clock forward:1:59s
 * EXPECT: verified
 * RUN: check -DEXPIRES --clock forward:1:1min
 * EXPECT: violated assertion
 * RUN: check -DEXPIRES --clock forward:2:30s
 * EXPECT: violated assertion
 * RUN: check -DTWICE --clock forward:1
 * EXPECT: verified
 * RUN: check -DTWICE --clock forward:2
 * EXPECT: violated assertion
 * RUN: check -DBACK --clock forward:3
 * EXPECT: verified
 * RUN: check -DBACK --clock forward:3:7ns --races ignore
 * EXPECT: verified
 * RUN: check -DDEADLINE
 * EXPECT: violated assertion
 * RUN: check -DDEADLINE --clock forward:1
 * EXPECT: verified
 * RUN: check -DDEADLINE --clock forward:3:1s
 * EXPECT: verified
 * RUN: check -DDEADLINE -DLATE --clock forward:2:1s
 * EXPECT: violated assertion
 * RUN: check -DPOLL --clock forward:1
 * EXPECT: verified
 * RUN: check -DPOLL -DLATE --clock forward:1:1h
 * EXPECT: violated assertion
 * RUN: check -DFUTEX --clock forward:1
 * EXPECT: verified
 * RUN: check -DSEMAPHORE --clock forward:1
 * EXPECT: verified
 * RUN: check -DSLEEP --clock forward:4
 * EXPECT: verified
 * RUN: check -DSLEEP --clock forward:3
 * EXPECT: inconclusive: 3 sleeps and time-outs have moved the clock, and one more would
 * RUN: check -DSLEEP
 * EXPECT: violated assertion
 * RUN: check -DTOGETHER --clock forward:2
 * EXPECT: verified
 * RUN: check -DTOGETHER -DAPART --clock forward:2
 * EXPECT: violated assertion
 * RUN: check -DPERIODIC --clock forward:2
 * EXPECT: inconclusive: 2 sleeps and time-outs have moved the clock, and one more would
 * RUN: check -DPERIODIC --clock forward:2 --faults timeout:0
 * EXPECT: verified
 * RUN: check -DUNSYNCHRONIZED --clock forward:1
 * EXPECT: violated data-race
 * RUN: check -DRACE --clock forward:1:1s
 * EXPECT: violated assertion
 * RUN: check -DRACE
 * EXPECT: verified for one clock
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int stop;

static long now(void)
{
	struct timespec t;
	assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct timespec in(long seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	return t;
}

#if defined EXPIRES /* a cache whose entries live for a minute */
int main(void)
{
	time_t stored = time(NULL);
	time(NULL);
	assert(time(NULL) - stored < 60); /* ERROR */
}

#elif defined TWICE
int main(void)
{
	long a = now(), b = now(), d = now();
	assert(!(a < b && b < d)); /* ERROR */
}

#elif defined BACK /* all clocks and all threads: what comes later is not earlier */
static atomic_long last;

static void *look(void *unused)
{
	long before = atomic_load(&last), t = now();
	assert(t >= before);
	while (t > before && !atomic_compare_exchange_strong(&last, &before, t))
		;
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timeval tv;
	long begin = time(NULL);
	pthread_create(&t, NULL, look, NULL);
	look(NULL);
	look(NULL);
	pthread_join(t, NULL);
	gettimeofday(&tv, NULL);
	assert(tv.tv_sec >= begin && tv.tv_sec >= atomic_load(&last) / 1000000000);
	assert(time(NULL) >= tv.tv_sec);
}

#elif defined DEADLINE /* who has waited in vain finds that the time has come */
int main(void)
{
	long begin = now();
	struct timespec t = in(2);
	pthread_mutex_lock(&m);
	assert(pthread_cond_timedwait(&c, &m, &t) == ETIMEDOUT);
	pthread_mutex_unlock(&m);
#ifdef LATE
	assert(now() < begin + 3000000000); /* ERROR */
#else
	assert(now() >= begin + 2000000000); /* ERROR */
#endif
}

#elif defined POLL
int main(void)
{
	int fds[2];
	assert(pipe(fds) == 0);
	struct pollfd p = { fds[0], POLLIN, 0 };
	long begin = now();
	if (poll(&p, 1, 1500) == 0) {
#ifdef LATE
		assert(now() <= begin + 1500000000); /* ERROR */
#else
		assert(now() >= begin + 1500000000);
#endif
	}
}

#elif defined FUTEX
int main(void)
{
	static int word;
	long begin = now();
	struct timespec t = { 1, 5 };
	assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &t, NULL, 0) == -1 && errno == ETIMEDOUT);
	assert(now() >= begin + 1000000005);
}

#elif defined SEMAPHORE
int main(void)
{
	sem_t s;
	sem_init(&s, 0, 0);
	long begin = now();
	struct timespec t = in(3);
	assert(sem_timedwait(&s, &t) == -1 && errno == ETIMEDOUT);
	assert(now() >= begin + 3000000000);
}

#elif defined SLEEP
int main(void)
{
	struct timespec half = { 0, 500000000 }, then;
	struct timeval tv = { 0, 500000 };
	long begin = now();
	sleep(1);
	usleep(500000);
	nanosleep(&half, NULL);
	then = in(-1000);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL); /* it has been */
	select(0, NULL, NULL, NULL, &tv);
	assert(now() >= begin + 2500000000); /* ERROR */
}

#elif defined TOGETHER /* both sleep at the same time */
static void *sleeper(void *unused)
{
	sleep(1);
	return unused;
}

int main(void)
{
	pthread_t t;
	long begin = now();
	pthread_create(&t, NULL, sleeper, NULL);
	sleep(1);
	pthread_join(t, NULL);
	long took = now() - begin;
	assert(took >= 1000000000);
#ifdef APART
	assert(took != 2000000000 && took != 1000000000); /* ERROR */
#endif
}

#elif defined PERIODIC
static void *other(void *unused)
{
	pthread_mutex_lock(&m);
	atomic_store(&stop, 1);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	pthread_mutex_lock(&m);
	while (!atomic_load(&stop)) {
		struct timespec until = in(1);
		pthread_cond_timedwait(&c, &m, &until);
	}
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
}

#elif defined UNSYNCHRONIZED /* to see that time has passed is no synchronization */
static int shared;

static void *writer(void *unused)
{
	shared = 1; /* ERROR */
	now();
	return unused;
}

int main(void)
{
	pthread_t t;
	long begin = now();
	pthread_create(&t, NULL, writer, NULL);
	if (now() > begin)
		shared++; /* ERROR */
	pthread_join(t, NULL);
}

#else /* two looks at a clock where one was meant */
static long until = 946684801;

int main(void)
{
	if (time(NULL) < until)
		assert(until - time(NULL) > 0); /* ERROR */
}
#endif
