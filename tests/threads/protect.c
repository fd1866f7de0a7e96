/* SPDX-License-Identifier: MIT
 *
 * mprotect: an access that is forbidden is a violation, and one that is not ordered with mprotect is a data race.
 *
 * RUN: check -DKIND=0
 * EXPECT: verified
 * RUN: check -DKIND=1
 * EXPECT: violated out-of-bounds
 * RUN: check -DKIND=2
 * EXPECT: violated out-of-bounds
 * RUN: check -DKIND=3
 * EXPECT: violated out-of-bounds
 * RUN: check -DKIND=4
 * EXPECT: verified
 * RUN: check -DKIND=5
 * EXPECT: violated data-race
 * RUN: check -DKIND=5 --races ignore
 * EXPECT: violated out-of-bounds
 * RUN: check -DKIND=6
 * EXPECT: verified
 * RUN: check -DKIND=7
 * EXPECT: violated data-race
 * RUN: check -DKIND=8
 * EXPECT: violated out-of-bounds
 * RUN: check -DKIND=9
 * EXPECT: inconclusive: memory is freed that mprotect has protected: heap object 2
 * RUN: check -DKIND=10
 * EXPECT: verified
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static char *p;
static sem_t ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(4096) char table[2 * PAGE];

/* What may be done and how it is answered. */
static void ordinary(void)
{
	char *q = mmap(NULL, 3 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(q[PAGE] == 0 && mprotect(q, PAGE, PROT_READ | PROT_WRITE) == 0);
	q[0] = 1;
	assert(mprotect(q + PAGE, 1, PROT_NONE) == 0 && q[2 * PAGE] == 0); /* whole pages */
	assert(mprotect(q, 3 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
	memset(q, 7, 3 * PAGE);
	assert(mprotect(q + 1, PAGE, PROT_READ) == -1 && errno == EINVAL);
	assert(mprotect(q, 4 * PAGE, PROT_READ) == -1 && errno == ENOMEM);
	assert(mprotect(q, 0, PROT_NONE) == 0 && q[0] == 7);
	assert(mprotect(q, 2 * PAGE, PROT_NONE) == 0 && munmap(q, 3 * PAGE) == 0);
	assert(mprotect(table, PAGE, PROT_READ) == 0 && table[1] == 0);
	table[PAGE] = 1;
}

static void write_read_only(void)
{
	p[5] = 1;
	assert(mprotect(p, PAGE, PROT_READ) == 0 && p[5] == 1);
	p[5] = 2; /* ERROR */
}

static void read_none(void)
{
	assert(mprotect(p + PAGE, PAGE, PROT_NONE) == 0);
	memset(p, 1, PAGE);
	p[0] = p[PAGE]; /* ERROR */
}

static void run_into_guard(void)
{
	assert(mprotect(p + PAGE, PAGE, PROT_NONE) == 0);
	memset(p, 1, PAGE + 1); /* ERROR */
}

static void *use_locked(void *unused)
{
	pthread_mutex_lock(&m);
	assert(mprotect(p, PAGE, PROT_READ | PROT_WRITE) == 0);
	p[0]++;
	assert(mprotect(p, PAGE, PROT_NONE) == 0);
	pthread_mutex_unlock(&m);
	return unused;
}

static void *use_after_post(void *unused)
{
	sem_post(&ready);
	return p[3] == 1 ? NULL : unused; /* ERROR */
}

static void *read_it(void *unused)
{
	sem_post(&ready);
	return p[3] == 1 ? NULL : unused;
}

static void *write_it(void *unused)
{
	sem_post(&ready);
	p[3] = 2; /* ERROR */
	return unused;
}

static void with(void *(*f)(void *), int protection)
{
	pthread_t t;
	pthread_create(&t, NULL, f, NULL);
	sem_wait(&ready);
	mprotect(p, PAGE, protection); /* ERROR */
	pthread_join(t, NULL);
}

static void kinds(int kind)
{
	pthread_t t;
	switch (kind) {
	case 0: ordinary(); break;
	case 1: write_read_only(); break;
	case 2: read_none(); break;
	case 3: run_into_guard(); break;
	case 4: /* the lock orders */
		pthread_create(&t, NULL, use_locked, NULL);
		use_locked(NULL);
		pthread_join(t, NULL);
		break;
	case 5: with(use_after_post, PROT_NONE); break;
	case 6: with(read_it, PROT_READ); break; /* reading is allowed, before and after */
	case 7: with(write_it, PROT_READ); break;
	case 8: /* what is protected stays so for other threads */
		mprotect(p, PAGE, PROT_READ);
		pthread_create(&t, NULL, write_it, NULL);
		pthread_join(t, NULL);
		break;
	case 9: {
		char *q = aligned_alloc(PAGE, PAGE);
		mprotect(q, PAGE, PROT_READ);
		free(q);
		break;
	}
	case 10: with(read_it, PROT_READ | PROT_WRITE); break; /* nothing changes */
	}
}

#ifndef KIND
#define KIND 0
#endif

int main(void)
{
	volatile int kind = KIND;
	p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p[3] = 1;
	sem_init(&ready, 0, 0);
	kinds(kind);
}
