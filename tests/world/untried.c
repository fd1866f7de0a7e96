/* SPDX-License-Identifier: MIT
 *
 * What a program asks the world, where bitspin tries one answer or a few: the last line says so if an outcome depends on it, that
 * is a branch, an assertion or an address, and not if it is only printed, or says how long to wait.
 *
 * RUN: check '-DBODY=assert(time(NULL) > 1)'
 * EXPECT: verified for one clock
 * RUN: check '-DBODY=printf("%ld\n", (long)time(NULL))'
 * EXPECT: verified
 * RUN: check '-DBODY=struct timeval a; gettimeofday(&a, NULL); if (a.tv_usec > 5) x = 1'
 * EXPECT: verified for one clock
 * RUN: check '-DBODY=double a = now(), b = now(); printf("%.3f s\n", b - a)'
 * EXPECT: verified
 * RUN: check '-DBODY=double a = now(); if (now() - a > 1) x = 1'
 * EXPECT: verified for one clock
 * RUN: check '-DBODY=told("%ld\n", (long)time(NULL))'
 * EXPECT: verified
 * RUN: check '-DBODY=waits_until()'
 * EXPECT: verified
 * RUN: check '-DBODY=if (time(NULL) % 2) x = 1' --clock forward
 * EXPECT: verified
 * RUN: check '-DBODY=if (rand() % 2) x = 1'
 * EXPECT: verified
 * RUN: check '-DBODY=srand((unsigned)time(NULL)); if (rand() % 2) x = 1'
 * EXPECT: verified for one clock, for one seed of rand()
 * RUN: check '-DBODY=srand((unsigned)time(NULL)); printf("%d\n", rand() % 6)'
 * EXPECT: verified
 * RUN: check '-DBODY=srand(7); usleep(rand() % 100)'
 * EXPECT: verified
 * RUN: check '-DBODY=srand48(7); values[lrand48() % 4] = 1'
 * EXPECT: verified
 * RUN: check '-DBODY=values[rand() % 4] = 1'
 * EXPECT: verified
 * RUN: check '-DBODY=long (*volatile ask)(time_t *) = time; ask(NULL)'
 * EXPECT: verified for one clock
 * RUN: check '-DBODY=if (getpid() & 1) x = 1'
 * EXPECT: verified for one process id
 * RUN: check '-DBODY=printf("%d\n", getpid())'
 * EXPECT: verified
 * RUN: check '-DBODY=if (getuid() == 0) x = 1'
 * EXPECT: verified for one user id
 * RUN: check '-DBODY=for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++) x++; x = 0'
 * EXPECT: verified for one number of processors
 * RUN: check '-DBODY=x = sysconf(_SC_PAGESIZE) == 1'
 * EXPECT: verified
 * RUN: check '-DBODY=int n; if (scanf("%d", &n) == 1) x = 1'
 * EXPECT: verified for empty standard input
 * RUN: check '-DBODY=while (getchar() != EOF) x = 1'
 * EXPECT: verified for empty standard input
 * RUN: check --stdin tests/world/inputs/empty '-DBODY=while (getchar() != EOF) x = 1'
 * EXPECT: verified
 * RUN: check --profile svcomp '-DBODY=int n; if (scanf("%d", &n) == 1) x = 1'
 * EXPECT: verified for empty standard input
 * RUN: check '-DBODY=if (getenv("MODE")) x = 1'
 * EXPECT: verified without the environment variable MODE
 * RUN: check --env MODE=1 '-DBODY=if (!getenv("MODE")) x = 1'
 * EXPECT: verified
 * RUN: check '-DBODY=FILE *f = fopen("settings", "r"); if (f) x = 1'
 * EXPECT: verified without the file settings
 * RUN: check '-DBODY=if (access("a/b", R_OK) == 0) x = 1'
 * EXPECT: verified without the file a/b
 * RUN: check '-DUNREACHED=if (time(NULL) % 2) x = 1'
 * EXPECT: verified
 * RUN: check --reduction none '-DBODY=srand((unsigned)time(NULL)); if (rand() % 2) x = 1'
 * EXPECT: verified for one clock, for one seed of rand()
 * RUN: check --reduction none '-DBODY=srand((unsigned)time(NULL)); printf("%d\n", rand() % 6)'
 * EXPECT: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef BODY
#define BODY (void)0
#endif
#ifndef UNREACHED
#define UNREACHED (void)0
#endif

static int x, values[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void told(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
}

void waits_until(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	pthread_mutex_lock(&mutex);
	pthread_cond_timedwait(&changed, &mutex, &until);
	pthread_mutex_unlock(&mutex);
}

static void *work(void *unused)
{
	if (x > 5) {
		UNREACHED;
	}
	BODY;
	return unused;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	assert(values[0] + values[1] + values[2] + values[3] < 2 && x < 2);
}
