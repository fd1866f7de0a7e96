/* SPDX-License-Identifier: MIT
 *
 * What the calls of semaphore.h return, and errno.
 *
 * RUN: check
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static const struct timespec past = { 1, 0 }, bad = { 1, 1000000000 };

static void unnamed(void)
{
	sem_t s;
	int value = -1;
	errno = 0;
	assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
	assert(sem_init(&s, 0, 2) == 0);
	assert(sem_getvalue(&s, &value) == 0 && value == 2);
	assert(sem_wait(&s) == 0 && sem_trywait(&s) == 0);
	assert(sem_trywait(&s) == -1 && errno == EAGAIN);
	assert(sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT);
	assert(sem_timedwait(&s, &bad) == -1 && errno == EINVAL);
	assert(sem_clockwait(&s, CLOCK_MONOTONIC, &past) == -1 && errno == ETIMEDOUT);
	assert(sem_post(&s) == 0 && sem_getvalue(&s, &value) == 0 && value == 1);
	assert(sem_timedwait(&s, &past) == 0);
	assert(sem_destroy(&s) == 0);
	assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
	assert(sem_post(&s) == -1 && errno == EOVERFLOW);
	assert(sem_destroy(&s) == 0);
}

static void named(void)
{
	static const char name[] = "/bitspin-test-of-semaphores";
	int value;
	sem_unlink(name);
	assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
	sem_t *a = sem_open(name, O_CREAT, 0600, 3);
	assert(a != SEM_FAILED && sem_getvalue(a, &value) == 0 && value == 3);
	assert(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
	assert(sem_wait(a) == 0);
	sem_t *b = sem_open(name, O_CREAT, 0600, 7);
	assert(b == a && sem_getvalue(b, &value) == 0 && value == 2);
	assert(sem_close(b) == 0);
	assert(sem_unlink(name) == 0);
	assert(sem_unlink(name) == -1 && errno == ENOENT);
	b = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
	assert(b != SEM_FAILED && b != a);
	assert(sem_getvalue(a, &value) == 0 && value == 2 && sem_getvalue(b, &value) == 0 && value == 1);
	assert(sem_close(a) == 0 && sem_close(b) == 0 && sem_unlink(name) == 0);
}

int main(void)
{
	unnamed();
	named();
	return 0;
}
