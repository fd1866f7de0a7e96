/* SPDX-License-Identifier: MIT
 *
 * For native runs of test programs under a sanitizer (native.sh), included before the program: before main begins, the
 * process becomes a parent that runs the program RUNS times, each in a child with other delays between its operations,
 * until one reports something (status REPORTED).  Children that get stuck are killed; if most do, there are fewer runs.
 */
#ifndef BITSPIN_BENCH_SHAKE_H
#define BITSPIN_BENCH_SHAKE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPORTED = 77, STUCK_MS = 500 };

static uint64_t shake_seed;
static _Thread_local uint64_t shake_state;

/* Nothing in most places, else up to a tenth of a millisecond. */
__attribute__((unused, no_sanitize("thread"))) static inline void shake(void)
{
	if (!shake_state)
		shake_state = shake_seed ^ (uint64_t)(uintptr_t)&shake_state;
	shake_state = shake_state * 6364136223846793005u + 1442695040888963407u;
	unsigned n = (unsigned)(shake_state >> 40) % 16;
	if (n < 4)
		nanosleep(&(struct timespec){ .tv_nsec = 1 + (long)(shake_state >> 50) * 6 }, NULL);
	else if (n < 8)
		sched_yield();
}

/* The status of a child, or -1 if it had to be killed. */
static int shake_await(pid_t child)
{
	int status;
	for (int waited = 0; waited < 10 * STUCK_MS; waited++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return -1;
}

__attribute__((constructor(200))) static void shake_begin(void)
{
	const char *runs = getenv("RUNS");
	for (int left = runs ? atoi(runs) : 200; left > 0; left--) {
		shake_seed = (uint64_t)left * 0x9e3779b97f4a7c15u;
		pid_t child = fork();
		if (child == 0)
			return;
		int status = shake_await(child);
		if (status == REPORTED)
			_exit(REPORTED);
		left -= status < 0 ? 39 : 0;
	}
	_exit(0);
}

#define pthread_mutex_lock(m)    (shake(), (pthread_mutex_lock)(m))
#define pthread_mutex_trylock(m) (shake(), (pthread_mutex_trylock)(m))
#define pthread_mutex_unlock(m)  (shake(), (pthread_mutex_unlock)(m))
#define pthread_cond_signal(c)   (shake(), (pthread_cond_signal)(c))
#define pthread_join(t, r)       (shake(), (pthread_join)(t, r))
#define pthread_create(t, a, f, p) (shake(), (pthread_create)(t, a, f, p))
#define sem_wait(s)              (shake(), (sem_wait)(s))
#define sem_trywait(s)           (shake(), (sem_trywait)(s))
#define sem_post(s)              (shake(), (sem_post)(s))
#define PAUSE                    shake()

#endif
