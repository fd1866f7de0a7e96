/* SPDX-License-Identifier: MIT
 *
 * Sets of semaphores (System V): operations are done all or not at all, and wait until they can be done.
 *
 * RUN: check
 * EXPECT: verified
 * RUN: check -DONE_BY_ONE
 * EXPECT: violated deadlock
 * RUN: check -DREMOVED
 * EXPECT: verified
 * RUN: check -DSIGNAL
 * EXPECT: verified
 * RUN: check -DSIGNAL -DIN_TIME
 * EXPECT: violated assertion
 * RUN: check -DSIGNAL -DLATE
 * EXPECT: violated assertion
 * RUN: check -DCANCEL
 * EXPECT: verified
 * RUN: check -DRELEASE
 * EXPECT: verified
 * RUN: check -DRELEASE -DLATE
 * EXPECT: violated data-race
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/sem.h>
#include <time.h>

union semun {
	int val;
	unsigned short *array;
};

static int set, inside;

static int change(int first, int second, int by)
{
	struct sembuf both[] = { { (unsigned short)first, (short)by, 0 }, { (unsigned short)second, (short)by, 0 } };
#ifdef ONE_BY_ONE
	return semop(set, both, 1) + semop(set, both + 1, 1); /* ERROR */
#else
	return semop(set, both, 2);
#endif
}

static void *eat(void *argument)
{
	int left = (int)(long)argument, right = 1 - left;
	int result = change(left, right, -1);
#ifdef REMOVED
	if (result < 0) {
		assert(errno == EIDRM || errno == EINVAL);
		return 0;
	}
#endif
	assert(result == 0 && inside++ == 0);
	inside--;
	change(left, right, 1);
	return 0;
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

/* A signal ends the wait, also with SA_RESTART, unless it comes before or after it, or the set has changed before. */
static void *down(void *unused)
{
	struct sembuf one = { 0, -1, 0 };
	int result = semop(set, &one, 1);
	assert(result == 0 || (errno == EINTR && handled && semctl(set, 0, GETNCNT) == 0));
#ifdef IN_TIME
	assert(result == 0); /* ERROR */
#elif defined LATE
	assert(result == -1); /* ERROR */
#endif
	return unused;
}

/* A request to end does not: it is no cancellation point. */
static void *go_on(void *unused)
{
	struct sembuf one = { 0, -1, 0 };
	assert(semop(set, &one, 1) == 0);
	return unused;
}

/* What comes before the operation that ends a wait happens before what comes after the wait. */
static int handed;
static void *take(void *unused)
{
	struct sembuf one = { 0, -1, 0 };
	assert(semop(set, &one, 1) == 0 && handed == 1); /* ERROR */
	return unused;
}

static void interrupt(void)
{
	struct sembuf up = { 0, 1, 0 };
	pthread_t thread;
	void *result = NULL;
	signal(SIGUSR1, handle);
	(void)down;
	(void)go_on;
#if defined SIGNAL
	pthread_create(&thread, 0, down, 0);
	pthread_kill(thread, SIGUSR1);
#elif defined CANCEL
	pthread_create(&thread, 0, go_on, 0);
	pthread_cancel(thread);
#else
	pthread_create(&thread, 0, take, 0);
	handed = 1;
#endif
	semop(set, &up, 1);
#if defined RELEASE && defined LATE
	handed = 1; /* ERROR */
#endif
	pthread_join(thread, &result);
	assert(result == NULL);
}

int main(void)
{
	unsigned short values[2];
	struct sembuf none = { 0, 0, IPC_NOWAIT }, down = { 1, -3, IPC_NOWAIT };
	pthread_t threads[2];
	set = semget(IPC_PRIVATE, 2, 0600);
#if defined SIGNAL || defined CANCEL || defined RELEASE
	interrupt();
	return 0;
#endif
	(void)interrupt;
	assert(set >= 0 && semget(77, 1, 0) == -1 && errno == ENOENT);
	assert(semctl(set, 0, SETVAL, (union semun){ .val = 1 }) == 0 && semctl(set, 1, SETVAL, (union semun){ .val = 1 }) == 0);
	assert(semop(set, &none, 1) == -1 && errno == EAGAIN && semop(set, &down, 1) == -1 && errno == EAGAIN);
	struct sembuf more = { 1, -2, 0 };
	struct timespec moment = { 0, 1000 };
	assert(semtimedop(set, &more, 1, &moment) == -1 && errno == EAGAIN);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, eat, (void *)i);
#ifdef REMOVED
	assert(semctl(set, 0, IPC_RMID) == 0);
#endif
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
#ifndef REMOVED
	assert(semctl(set, 0, GETALL, (union semun){ .array = values }) == 0 && values[0] == 1 && values[1] == 1);
	assert(semctl(set, 0, IPC_RMID) == 0);
#endif
	assert(semctl(set, 0, GETVAL) == -1 && errno == EINVAL);
	return 0;
}
